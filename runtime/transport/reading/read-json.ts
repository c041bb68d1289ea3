import { ERROR_CODES } from '../../protocol.js';
import { type Bounds, Weight } from './bounds.js';

/** Why there is no value: the code of JSON-RPC, and words that follow "The message". */
export interface Unreadable {
  readonly code: number;
  readonly why: string;
}

/** A value with its JSON. */
export type Read =
  { readonly value: unknown; readonly text: string; readonly code?: undefined } | Unreadable;

/** The code of a message that exceeds a bound. */
export const TOO_HEAVY = ERROR_CODES.InvalidRequest;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const LENIENT = new TextDecoder();
const NOT_JSON: Unreadable = { code: ERROR_CODES.ParseError, why: 'is not JSON in UTF-8' };

/**
 * The one reader of JSON that comes from another program. It counts before it builds, because `JSON.parse` takes seconds
 * for some megabytes of brackets or of names. A byte order mark is left out.
 */
export function readJson(bytes: Uint8Array, bounds: Bounds): Read {
  const text = readText(bytes, bounds);
  if (typeof text !== 'string') return text;
  try {
    return { value: JSON.parse(text) as unknown, text };
  } catch {
    return NOT_JSON;
  }
}

/** The text of what is no JSON, for errors about it. */
export function textOf(bytes: Uint8Array): string {
  return LENIENT.decode(bytes);
}

/** The text of what may be JSON, and then exceeds no bound. */
export function readText(bytes: Uint8Array, bounds: Bounds): string | Unreadable {
  // In JSON, a level takes two bytes, a member four, and a value one.
  if (bytes.length > 2 * bounds.levels) {
    const why = new Weight(bounds).add(bytes);
    if (why !== undefined) return { code: TOO_HEAVY, why };
  }
  try {
    return UTF_8.decode(bytes);
  } catch {
    return NOT_JSON;
  }
}
