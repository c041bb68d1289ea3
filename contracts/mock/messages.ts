import { META_KEYS, METHODS } from '../../runtime/protocol.js';
import { createdTask, type Party } from '../validate/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at, isObject, member } from '../../runtime/peer/wire/json.js';
import type { Recorded } from './recording.js';
import type { RecordedRequest } from './request-key.js';

export function kindOf(message: JsonObject): 'answer' | 'notification' | 'request' {
  if (message['method'] === undefined) return 'answer';
  return message['id'] === undefined ? 'notification' : 'request';
}

export function askedIn(message: JsonObject): RecordedRequest {
  const params = member(message, 'params');
  return { method: String(message['method']), params: isObject(params) ? params : {} };
}

const OF_SERVERS: ReadonlySet<unknown> = new Set([
  METHODS.elicitationCreate,
  METHODS.rootsList,
  METHODS.samplingCreateMessage,
]);
const NOTIFICATIONS_OF_CLIENTS: ReadonlySet<unknown> = new Set([
  METHODS.notificationsCancelled,
  METHODS.notificationsInitialized,
  METHODS.notificationsRootsListChanged,
]);

/**
 * Who sent a message: by its tag, else by its method. An answer without a tag comes from the side that was asked:
 * `isAsked` says whether the client has an open request with its id.
 */
export function senderOf({ from, message }: Recorded, isAsked: (id: unknown) => boolean): Party {
  if (from !== undefined) return from;
  const { method, id } = message;
  if (method === undefined) return isAsked(id) ? 'server' : 'client';
  if (id !== undefined) return OF_SERVERS.has(method) ? 'server' : 'client';
  return NOTIFICATIONS_OF_CLIENTS.has(method) ? 'client' : 'server';
}

/** A task as a message of either dialect shows it. Undefined for other messages. */
export function taskIn(message: JsonObject): JsonObject | undefined {
  const result = message['result'];
  const isTask = (value: unknown): value is JsonObject =>
    ['taskId', 'status'].every((key) => typeof member(value, key) === 'string');
  return [member(result, 'task'), result, member(message, 'params')].find(isTask);
}

/** The id of the task that an answer creates. */
export function createdIn(answer: JsonObject | undefined): string | undefined {
  return answer && taskIn(answer) && createdTask(answer['result']);
}

/** The id of the task that a message is about. */
export function taskIdIn(message: JsonObject): string | undefined {
  return [
    at(message, ['params', '_meta', META_KEYS.relatedTask, 'taskId']),
    at(message, ['params', 'taskId']),
    at(message, ['result', '_meta', META_KEYS.relatedTask, 'taskId']),
    member(taskIn(message), 'taskId'),
  ].find((id) => typeof id === 'string');
}
