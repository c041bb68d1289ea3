import type { DiagnosticCode } from '../diagnostics/index.js';
import type { JsonValue } from '../ir/index.js';
import { TOOL_LIMITS } from './limits.js';
import { isObject } from '../read/index.js';
import type { JsonObject } from '../read/index.js';
import type { Path } from './reference.js';
import type { Type } from './type.js';

export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** The context of all schemas of one document. */
export interface Context {
  readonly root: JsonObject;
  readonly dialect: 'draft-07' | '2020-12';
  /** The type for the target of a reference. */
  readonly refer: (path: readonly string[], schema: JsonValue) => Type;
  /** Reports where and why a type accepts more than its schema. */
  readonly widen: (path: Path, code: DiagnosticCode, message: string) => void;
  /** @throws {TooLarge} beyond the limit of schemas. */
  readonly spend: () => void;
}

/** One schema of the document. */
export interface Place {
  readonly path: Path;
  /** The JSON types that a value here may have. */
  readonly assumed: readonly TypeName[];
}

/** Thrown beyond a limit. The type of the whole document is then `unknown`. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** @throws {TooLarge} */
export function enter({ spend }: Context, { path }: Place): void {
  spend();
  if (path.length > 2 * TOOL_LIMITS.depth) throw new TooLarge('nests too deeply');
}

export const inside = ({ path }: Place, assumed: readonly TypeName[], ...parts: Path): Place => ({
  path: [...path, ...parts],
  assumed,
});

export const ALL_TYPES: readonly TypeName[] = [
  'string',
  'number',
  'boolean',
  'array',
  'object',
  'null',
];

/** A keyword's value, if it is valid. An invalid keyword is ignored and reported. */
export function keyword<T extends JsonValue>(
  schema: JsonObject,
  name: string,
  test: (value: JsonValue) => value is T,
  { path }: Place,
  { widen }: Context,
): T | undefined {
  const value = Object.hasOwn(schema, name) ? schema[name] : undefined;
  if (value === undefined) return undefined;
  if (test(value)) return value;
  widen(
    [...path, name],
    'malformed-keyword',
    `"${name}" has a value that JSON Schema does not allow`,
  );
  return undefined;
}

const isSchema = (value: JsonValue): value is JsonObject | boolean =>
  isObject(value) || typeof value === 'boolean';

/** Type guards for the values of keywords. */
export const is = {
  schema: isSchema,
  schemas: (value: JsonValue): value is (JsonObject | boolean)[] =>
    Array.isArray(value) && value.length > 0 && value.every(isSchema),
  schemaMap: (value: JsonValue): value is { [key: string]: JsonValue } =>
    isObject(value) && Object.values(value).every((each) => each !== undefined && isSchema(each)),
  texts: (value: JsonValue): value is string[] =>
    Array.isArray(value) && value.every((each) => typeof each === 'string'),
  text: (value: JsonValue): value is string => typeof value === 'string',
  list: (value: JsonValue): value is JsonValue[] => Array.isArray(value) && value.length > 0,
  count: (value: JsonValue): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
} as const;
