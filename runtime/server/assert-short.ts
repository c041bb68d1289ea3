import { INVALID_PARAMS, rpcError } from './errors.js';

/**
 * Throws `-32602` for a value of a client that is kept for long and is too large for that. Counts characters of JSON: the
 * objects take several times as much memory.
 */
export function assertShort(what: string, value: unknown, most: number): void {
  const { length } = JSON.stringify(value);
  if (length <= most) return;
  throw rpcError(INVALID_PARAMS, `${what} have ${length} characters, limit ${most}`);
}
