/** The keys and indices from a frame's value to a part. */
export type Path = readonly (string | number)[];

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property of an object, or of an object in it; `undefined` where there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string | number, unknown>>)[key];
  }
  return found;
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function entriesAt(value: unknown, ...path: readonly string[]): [string, unknown][] {
  const found = at(value, ...path);
  return isRecord(found) ? Object.entries(found) : [];
}

/** Those elements of an array that are texts. */
export function textsAt(value: unknown, ...path: readonly string[]): string[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.filter((each) => typeof each === 'string') : [];
}
