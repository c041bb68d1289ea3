import type { JsonObject } from '../../tasks/index.js';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own member of that name, because a message may contain names that objects inherit. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce(member, value);
}

interface AnyObjectSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: JsonObject; readonly output: JsonObject };
    readonly validate: (
      value: unknown,
    ) => { readonly value: JsonObject } | { readonly issues: readonly { message: string }[] };
  };
}

/** A (standard) schema for the SDK, for messages that are already checked. */
export const anyObject: AnyObjectSchema = {
  '~standard': {
    version: 1,
    vendor: 'mcp-codegen',
    validate: (value) =>
      isObject(value) ? { value } : { issues: [{ message: 'Expected an object' }] },
  },
};

/** Characters of a text of the other side that an error message contains. */
const MOST_SHOWN = 200;

/** The beginning of a text of the other side, for error messages: they are kept until they are read. */
export function beginningOf(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** The kind of a value, for messages that must not quote it. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'an empty text';
  if (Array.isArray(value)) return 'a list of other values';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
