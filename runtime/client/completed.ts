import { CACHEABLE, NOT_CACHED, type Revision } from '../peer/wire/revision.js';
import type { JsonObject } from '../tasks/index.js';

/**
 * A result as 2026-07-28 reads it: one without `resultType`, as servers of earlier revisions send it, is complete, and one
 * that could be kept is not fresh at all where it has no valid time.
 */
export function completed(result: JsonObject, method: string, { dialect }: Revision): JsonObject {
  const lacking = dialect === 'ext' ? lackingIn(result, method) : undefined;
  return lacking === undefined ? result : { ...result, ...lacking };
}

function lackingIn(result: JsonObject, method: string): JsonObject | undefined {
  const { resultType = 'complete', ttlMs, cacheScope } = result;
  const mayBeKept = resultType === 'complete' && CACHEABLE.has(method);
  const lacksTime = mayBeKept && (ttlMs === undefined || (typeof ttlMs === 'number' && ttlMs < 0));
  const lacksScope = mayBeKept && cacheScope === undefined;
  if (result['resultType'] !== undefined && !lacksTime && !lacksScope) return undefined;
  return {
    resultType,
    ...(lacksTime && { ttlMs: NOT_CACHED.ttlMs }),
    ...(lacksScope && { cacheScope: NOT_CACHED.cacheScope }),
  };
}
