/** A value that survives `JSON.parse(JSON.stringify(value))`. Values are shared: never change one. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}
/** From the root: a key of an object or an index of an array at each step. */
export type Path = readonly (string | number)[];

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy with one member set. A computed key makes even `__proto__` an own property. */
export const withMember = (object: JsonObject, key: string, value: Json): JsonObject => ({
  ...object,
  [key]: value,
});

export function withoutMember(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** The own member or element, never an inherited one. */
export function childAt(value: Json | undefined, step: string | number): Json | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

export const valueAt = (value: Json, path: Path): Json | undefined =>
  path.reduce<Json | undefined>(childAt, value);

/** A copy with the value at `path` replaced; everything off the path is shared. */
export function replaceAt(value: Json, path: Path, replacement: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  const child = childAt(value, step);
  if (child === undefined) throw new Error(`Nothing at ${JSON.stringify(path)}`);
  const changed = replaceAt(child, rest, replacement);
  if (Array.isArray(value)) return value.with(Number(step), changed);
  return withMember(value as JsonObject, String(step), changed);
}
