import { METHODS } from '../protocol.js';
import { isObject } from '../peer/wire/json.js';
import type { Revision } from '../peer/wire/revision.js';
import { CACHEABLE, NOT_CACHED } from '../rules/messages.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import { taskIdIn } from './states.js';

/**
 * A result as 2026-07-28 reads it: one without `resultType`, as servers of earlier revisions send it, is complete, and one
 * that could be kept is not fresh at all where it has no valid time. A task that a call has created is read as one in every
 * revision, whatever is wrong with the rest, because its id must not be lost.
 */
export function completed(result: JsonObject, method: string, { dialect }: Revision): JsonObject {
  if (method === METHODS.toolsCall && isCreation(result, dialect)) return asTask(result, dialect);
  const lacking = dialect === 'ext' ? lackingIn(result, method) : undefined;
  return lacking === undefined ? result : { ...result, ...lacking };
}

function isCreation(result: JsonObject, dialect: Dialect): boolean {
  const isOther = 'content' in result || result['resultType'] === 'input_required';
  return !isOther && taskIdIn(dialect, result) !== undefined;
}

function asTask({ _meta, ...result }: JsonObject, dialect: Dialect): JsonObject {
  const more = isObject(_meta) ? { _meta } : {};
  return { ...result, ...more, ...(dialect === 'ext' && { resultType: 'task' }) };
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
