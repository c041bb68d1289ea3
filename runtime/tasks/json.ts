import type { JsonObject, JsonText } from './record.js';
import { sha256 } from './sha256.js';

/** What became of a value on its way to JSON text. */
type Encoded =
  | { readonly text: JsonText }
  | { readonly problem: 'not JSON' | 'too large'; readonly detail: string };

/** Encodes an unchecked value. Returns a problem for what is not JSON, with its place, and for too large values. */
export function encode(value: unknown, maxBytes: number): Encoded {
  const { text, problem } = jsonOf(value);
  if (text === undefined) return { problem: 'not JSON', detail: problem };
  if (!fitsIn(text, maxBytes)) {
    return { problem: 'too large', detail: `${byteLength(text)} bytes, limit ${maxBytes}` };
  }
  return { text };
}

/** The text of a value, or what in it is not JSON, with the pointer to that place. The value itself is at `pointer`. */
export function jsonOf(
  value: unknown,
  pointer = '',
):
  | { readonly text: JsonText; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: string } {
  try {
    const text = JSON.stringify(value) as JsonText | undefined;
    if (text !== undefined) return { text };
    return { problem: `${pointer === '' ? '' : `${pointer}: `}${typeof value} is not JSON` };
  } catch (error) {
    return { problem: notJson(() => value, pointer, []) ?? messageIn(error) };
  }
}

/** Levels below which a place is not looked for. */
const MOST_LEVELS = 500;

/** Reads as `JSON.stringify` does, whose error does not name the place. */
function notJson(
  read: () => unknown,
  pointer: string,
  holders: readonly unknown[],
): string | undefined {
  const at = pointer === '' ? 'it' : pointer;
  try {
    const value = withoutMethod(read());
    if (typeof value === 'bigint') return `${at} is a BigInt, which JSON does not have`;
    if (typeof value !== 'object' || value === null || holders.length > MOST_LEVELS) {
      return undefined;
    }
    if (holders.includes(value)) return `${at} is a cycle: it contains itself`;
    const inside = [...holders, value];
    for (const name of Object.keys(value)) {
      const inner = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const found = notJson(() => (value as JsonObject)[name], inner, inside);
      if (found !== undefined) return found;
    }
    return undefined;
  } catch (error) {
    return `${at} cannot be read: ${messageIn(error)}`;
  }
}

/** What `toJSON` makes of a value that has one. */
function withoutMethod(value: unknown): unknown {
  const { toJSON } = Object(value) as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON as () => unknown).call(value) : value;
}

function messageIn(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * `{ ...first, ...second }`, for what each request runs. A literal that begins with a spread and then gets further
 * members takes Node 20 a microsecond or more, and a hidden class that only a full garbage collection frees.
 */
export function merged<A extends object, B extends object>(first: A, second: B): A & B {
  // An assignment to this name would set the prototype.
  if (Object.hasOwn(first, '__proto__') || Object.hasOwn(second, '__proto__')) {
    return { ...first, ...second };
  }
  return Object.assign({}, first, second);
}

/** Equal for equal JSON values, whatever the order of their properties. Throws a RangeError for ones nested too deeply. */
export function digest(value: unknown): string {
  return base64Url(sha256(new TextEncoder().encode(JSON.stringify(canonical(value)))));
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { members: members.map(([name, member]) => [name, canonical(member)]) };
}

const ENCODER = new TextEncoder();

/** The number of bytes that a text takes as UTF-8. */
export function byteLength(text: string): number {
  return ENCODER.encode(text).length;
}

/** Whether a text takes at most so many bytes. Does not encode one that is short anyway. */
export function fitsIn(text: string, maxBytes: number): boolean {
  // A code unit of a string takes three bytes at most.
  return text.length * 3 <= maxBytes || byteLength(text) <= maxBytes;
}

/** Bytes as base64url, without padding. For thousands of bytes at most: they become arguments. */
export function base64Url(bytes: Uint8Array): string {
  // Spreading bytes takes five times as long: it goes through their iterator.
  const text = btoa(String.fromCharCode.apply(null, bytes as unknown as number[]));
  return text.replace(/[+/=]/g, (sign) => URL_SIGNS[sign] ?? '');
}

const URL_SIGNS: Readonly<Record<string, string | undefined>> = { '+': '-', '/': '_' };

/** So many random bytes as base64url. */
export function randomText(bytes: number): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** Takes as long for a guess that is nearly right as for any other of that length. */
export function sameText(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < given.length; at += 1) {
    difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  }
  return difference === 0;
}
