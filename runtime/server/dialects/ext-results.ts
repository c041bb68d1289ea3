import { META_KEYS, METHODS } from '../../protocol/index.js';
import { type JsonObject, merged } from '../../tasks/index.js';
import { isObject } from '../../wire/json.js';

/** Methods whose results say for how long a client may keep them. */
const CACHEABLE: ReadonlySet<string> = new Set([
  METHODS.serverDiscover,
  METHODS.toolsList,
  METHODS.promptsList,
  METHODS.resourcesList,
  METHODS.resourcesTemplatesList,
  METHODS.resourcesRead,
]);

const COMPLETE = { resultType: 'complete' };
/** Not to be kept, because the server may change at any time. */
const NOT_CACHED = { ttlMs: 0, cacheScope: 'private' };

/**
 * Adds what every result of 2026-07-28 carries: that it is complete, unless it says otherwise, who answered, and for how
 * long it may be kept.
 */
export function completeResult(
  method: string,
  given: JsonObject,
  serverInfo: JsonObject,
): JsonObject {
  let result = 'resultType' in given ? given : merged(given, COMPLETE);
  if (CACHEABLE.has(method) && result['resultType'] === 'complete' && !('ttlMs' in result)) {
    result = merged(result, NOT_CACHED);
  }
  const { _meta: meta } = result;
  const own = { [META_KEYS.serverInfo]: serverInfo };
  if (meta === undefined) return merged(result, { _meta: own });
  if (!isObject(meta) || meta[META_KEYS.serverInfo] !== undefined) return result;
  return merged(result, { _meta: merged(meta, own) });
}
