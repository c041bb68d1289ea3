import { ERROR_CODES } from '../../protocol.js';
import { type Bounds, Weight } from './bounds.js';

/** A value, or the error of JSON-RPC for there being none. `why`: in words that follow "The message". */
export type Read =
  | { readonly value: unknown; readonly code?: undefined }
  | { readonly code: number; readonly why: string };

const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const NOT_JSON: Read = { code: ERROR_CODES.ParseError, why: 'is not JSON in UTF-8' };

/**
 * The one reader of JSON that comes from another program. It counts before it builds, because `JSON.parse` takes seconds
 * for some megabytes of brackets or of names. A byte order mark is left out.
 */
export function readJson(bytes: Uint8Array, bounds: Bounds): Read {
  // In JSON, a level takes two bytes, a member four, and a value one.
  if (bytes.length > 2 * bounds.levels) {
    const why = new Weight(bounds).add(bytes);
    if (why !== undefined) return { code: ERROR_CODES.InvalidRequest, why };
  }
  try {
    return { value: JSON.parse(UTF_8.decode(bytes)) as unknown };
  } catch {
    return NOT_JSON;
  }
}
