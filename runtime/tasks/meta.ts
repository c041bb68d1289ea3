import { taskError } from './errors.js';
import { digest } from './json.js';
import type { Idempotency, JsonObject } from './record.js';

/**
 * `_meta` key under which a requestor may send a string of 1 to 255 characters that names this
 * creation. The same owner sending the same key with the same request again gets the same task.
 */
export const IDEMPOTENCY_META_KEY = 'mcp-codegen/idempotency-key';

const LONGEST_KEY = 255;
/** Characters of a progress token. A page of tasks reads the token of each. */
export const LONGEST_TOKEN = 1_000;

/**
 * The engine's reading of a request's `_meta`. Throws `invalid_params` for an idempotency key that is none, and for a
 * progress token that is too long.
 */
export function readMeta(
  meta: JsonObject,
  request: () => unknown,
): { readonly progressToken?: string | number; readonly idempotency?: Idempotency } {
  const token = meta['progressToken'];
  const key = meta[IDEMPOTENCY_META_KEY];
  if (key !== undefined && !isKey(key)) {
    throw taskError(
      'invalid_params',
      `${IDEMPOTENCY_META_KEY} must be a string of 1 to ${LONGEST_KEY} characters`,
    );
  }
  if (typeof token === 'string' && token.length > LONGEST_TOKEN) {
    throw taskError(
      'invalid_params',
      `progressToken must have at most ${LONGEST_TOKEN} characters`,
    );
  }
  return {
    ...((typeof token === 'string' || typeof token === 'number') && { progressToken: token }),
    ...(key !== undefined && { idempotency: { key, digest: digestOf(request()) } }),
  };
}

function digestOf(request: unknown): string {
  try {
    return digest(request);
  } catch {
    throw taskError('invalid_params', 'The arguments are nested too deeply to be compared');
  }
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= LONGEST_KEY;
}
