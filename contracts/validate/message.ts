import { other } from './direction.js';
import type { Party } from './direction.js';
import { isId, partyOf } from './exchanges.js';
import type { Declared, OpenRequest, Sender } from './exchanges.js';
import type { Kind } from './finding.js';
import { META_KEYS } from '../../runtime/protocol.js';
import { at, textAt } from './access.js';
import { sendersOf } from './protocol.js';
import type { Dialect } from './protocol.js';
import { isRecord } from './access.js';
import type { Rules } from './rules.js';
import { printOf } from './subjects/rounds.js';
import type { Call } from './subjects/subject.js';
import type { TaskBook } from './tasks.js';

export type Properties = Readonly<Record<string, unknown>>;

/** The kind of a message, as the validators determine it. */
export function kindOf(message: Properties): Kind {
  const { method, id, result, error } = message;
  if (method !== undefined) return id === undefined ? 'notification' : 'request';
  return result === undefined && error !== undefined ? 'error' : 'response';
}

/**
 * The sender of a request or notification without a tag: the only side that may send it, or the side that
 * fits the request that it names. `undefined` when that is unclear.
 */
export function inferSender(
  message: Properties,
  dialect: Dialect,
  { exchanges, progress, tasks }: Rules,
): Party | undefined {
  const { method, params } = message;
  if (typeof method !== 'string') return undefined;
  const senders = sendersOf(method, dialect);
  if (senders !== 'both') return senders;
  const named = isRecord(params) ? params : {};
  if (method === 'notifications/cancelled') {
    const requesters = exchanges.requestersOf(named['requestId']);
    return requesters.length === 1 ? partyOf(requesters[0]) : undefined;
  }
  if (method === 'notifications/progress') {
    const requester = partyOf(progress.giverOf(named['progressToken']));
    return requester && other(requester);
  }
  if (!dialect.tasks) return undefined;
  const owner = tasks.ownerOf(named['taskId']);
  return owner && (method.startsWith('notifications/') ? other(owner) : owner);
}

/** The open request; `undefined` without a valid id. */
export function openRequest(
  { id, params }: Properties,
  { method, from, dialect, before }: Call,
  tasks: TaskBook,
  declares: Declared,
): OpenRequest | undefined {
  if (!isId(id)) return undefined;
  const sender: Sender = from ?? 'unknown';
  const token = at(params, '_meta', 'progressToken');
  const taskId = method.startsWith('tasks/') ? textAt(params, 'taskId') : undefined;
  const asksResult = dialect.tasks === 'core' && method === 'tasks/result';
  const task = asksResult ? tasks.find(taskId, [sender, 'client', 'server', 'unknown']) : undefined;
  return {
    id,
    method,
    answered: task?.method ?? method,
    revision: dialect.revision,
    sender,
    at: before,
    taskId,
    tool: method === 'tools/call' ? textAt(params, 'name') : undefined,
    token: isId(token) ? token : undefined,
    augmented: dialect.tasks === 'core' && isRecord(at(params, 'task')),
    relatedTask:
      dialect.tasks === 'core'
        ? textAt(params, '_meta', META_KEYS.relatedTask, 'taskId')
        : undefined,
    cursor: textAt(params, 'cursor'),
    logLevel: logLevelIn(method, params, dialect),
    print: printOf(method, params, dialect),
    declares,
  };
}

/** Only the names of levels are kept, because the text is a stranger's. */
function logLevelIn(method: string, params: unknown, dialect: Dialect): string | undefined {
  const level = dialect.stateless
    ? textAt(params, '_meta', META_KEYS.logLevel)
    : method === 'logging/setLevel'
      ? textAt(params, 'level')
      : undefined;
  return level !== undefined && level.length < 20 ? level : undefined;
}
