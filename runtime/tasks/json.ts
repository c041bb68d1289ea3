import { createHash } from 'node:crypto';

import type { JsonObject, JsonText } from './record.js';

/** What became of a value on its way to JSON text. */
export type Encoded =
  | { readonly text: JsonText }
  | { readonly problem: 'not-json' | 'too-large'; readonly detail: string };

/** Encodes an unchecked value. Returns a problem for cycles, BigInts, throwing getters and too large values. */
export function encode(value: unknown, maxBytes: number): Encoded {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    return { problem: 'not-json', detail: error instanceof Error ? error.message : 'unknown' };
  }
  if (text === undefined) return { problem: 'not-json', detail: `${typeof value} is not JSON` };
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) {
    return { problem: 'too-large', detail: `${bytes} bytes, limit ${maxBytes}` };
  }
  return { text };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Equal for equal JSON values, whatever the order of their properties. Throws a RangeError for ones nested too deeply. */
export function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(value)))
    .digest('base64url');
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { members: members.map(([name, member]) => [name, canonical(member)]) };
}
