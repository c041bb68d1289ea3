/** The error of an HTTP status that no `Response` can be constructed with; undefined for every other one. */
export function unknownStatus(status: number): TypeError | undefined {
  if (status <= 599) return undefined;
  return new TypeError(`The server answered with the unknown HTTP status ${status}`);
}
