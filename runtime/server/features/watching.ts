import { overLimit } from '../../tasks/index.js';
import { INVALID_PARAMS, rpcError } from '../errors.js';
import type { Session } from '../session.js';

/** Resources whose changes a session may watch, and how long their URIs may be. */
export const MOST_WATCHED = 1_000;
const LONGEST_URI = 8_192;
/** Characters of all URIs that a client watches. */
export const MOST_CHARACTERS = 2 ** 18;
/** Suggested to a client that watches too many. */
const RETRY_AFTER_MS = 10_000;

/** Notes that a session watches a resource. */
export function watch({ resources }: Session, uri: string): void {
  assertWatchable([uri]);
  if (resources.size >= MOST_WATCHED && !resources.has(uri)) {
    throw overLimit('watchedResources', MOST_WATCHED, RETRY_AFTER_MS);
  }
  if (charactersIn(resources) + uri.length > MOST_CHARACTERS && !resources.has(uri)) {
    throw overLimit('watchedCharacters', MOST_CHARACTERS, RETRY_AFTER_MS);
  }
  resources.add(uri);
}

function charactersIn(uris: Iterable<string>): number {
  let sum = 0;
  for (const { length } of uris) sum += length;
  return sum;
}

/** Throws `-32602` for more or longer URIs than a client may watch. */
export function assertWatchable(uris: readonly string[]): void {
  if (uris.length > MOST_WATCHED) {
    throw rpcError(INVALID_PARAMS, `${uris.length} URIs, a subscription takes ${MOST_WATCHED}`);
  }
  const long = uris.find(({ length }) => length > LONGEST_URI);
  if (long === undefined) return;
  throw rpcError(INVALID_PARAMS, `A URI of ${long.length} characters, limit ${LONGEST_URI}`);
}
