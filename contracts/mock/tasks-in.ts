import { META_KEYS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at, isObject, member } from '../../runtime/peer/wire/json.js';

/** A task as a message of either dialect shows it. Undefined for other messages. */
export function taskIn(message: JsonObject): JsonObject | undefined {
  const result = message['result'];
  return [member(result, 'task'), result, member(message, 'params')].find(isTask);
}

function isTask(value: unknown): value is JsonObject {
  return typeof member(value, 'taskId') === 'string' && typeof member(value, 'status') === 'string';
}

/** The id of the task that a result creates. */
export function createdIn(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  const task = result['resultType'] === 'task' ? result : result['task'];
  return isTask(task) ? String(task['taskId']) : undefined;
}

/** The id of the task that a message is about. */
export function taskIdIn(message: JsonObject): string | undefined {
  const found = [
    at(message, ['params', '_meta', META_KEYS.relatedTask, 'taskId']),
    at(message, ['params', 'taskId']),
    at(message, ['result', '_meta', META_KEYS.relatedTask, 'taskId']),
    member(taskIn(message), 'taskId'),
  ].find((id) => typeof id === 'string');
  return found;
}
