import { EXTENSION_ID, META_KEYS, METHODS } from '../../runtime/protocol.js';
import type { Dialect, JsonObject } from '../../runtime/tasks/index.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import { createdIn } from './tasks-in.js';

/** Results that a client may keep. The extension's revision says for how long; the others do not. */
const CACHED: ReadonlySet<string> = new Set([
  METHODS.serverDiscover,
  METHODS.toolsList,
  METHODS.promptsList,
  METHODS.resourcesList,
  METHODS.resourcesTemplatesList,
  METHODS.resourcesRead,
]);
const NOT_KEPT = { ttlMs: 0, cacheScope: 'private' };

/** A result of one dialect in the other one. */
export function resultIn(to: Dialect, method: string, result: JsonObject): JsonObject {
  return to === 'ext' ? extResult(method, result) : coreResult(result);
}

function extResult(method: string, result: JsonObject): JsonObject {
  if (createdIn(result) !== undefined && isObject(result['task'])) {
    return { resultType: 'task', ...taskIn('ext', result['task']) };
  }
  return { resultType: 'complete', ...(CACHED.has(method) && NOT_KEPT), ...result };
}

function coreResult(result: JsonObject): JsonObject {
  if (createdIn(result) !== undefined) return { task: taskIn('core', result) };
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, _meta: meta, ...own } = result;
  if (!isObject(meta)) return own;
  const { [META_KEYS.serverInfo]: _server, ...others } = meta;
  return Object.keys(others).length === 0 ? own : { ...own, _meta: others };
}

/** A task of either dialect as another one shows it, without its result and questions. */
export function taskIn(to: Dialect, task: JsonObject): JsonObject {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt } = task;
  const ttl = task['ttlMs'] ?? task['ttl'] ?? null;
  const poll = task['pollIntervalMs'] ?? task['pollInterval'];
  const [ttlName, pollName] = to === 'ext' ? ['ttlMs', 'pollIntervalMs'] : ['ttl', 'pollInterval'];
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt: lastUpdatedAt ?? createdAt,
    [ttlName ?? '']: ttl,
    ...(poll !== undefined && { [pollName ?? '']: poll }),
  };
}

/** What a server declares, in the words of a dialect. */
export function capabilitiesIn(to: Dialect, capabilities: JsonObject): JsonObject {
  const { tasks, extensions, ...others } = capabilities;
  const declared = isObject(extensions) ? extensions : {};
  if (to === 'ext') {
    const all = tasks === undefined ? declared : { [EXTENSION_ID]: {}, ...declared };
    return { ...others, ...(Object.keys(all).length > 0 && { extensions: all }) };
  }
  const { [EXTENSION_ID]: ofTasks, ...kept } = declared;
  const has = ofTasks !== undefined || tasks !== undefined;
  return {
    ...others,
    ...(Object.keys(kept).length > 0 && { extensions: kept }),
    ...(has && { tasks: tasks ?? TASKS }),
  };
}

/** What a client of the core dialect may do with tasks that were recorded in the other one. */
const TASKS = { cancel: {}, requests: { tools: { call: {} } } };

/** The name of the server in the result of a revision that has no handshake. */
export function serverIn(result: JsonObject): unknown {
  return member(result['_meta'], META_KEYS.serverInfo);
}
