/** Whether a place in a value, a JSON pointer, is one of these, or in one of them. */
export const isWithin = (place: string, all: Iterable<string>): boolean =>
  [...all].some((each) => place === each || place.startsWith(`${each}/`));
