import { META_KEYS, METHODS } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { at } from '../../wire/json.js';

/** What tells the notifications of a method apart. Of those that are equal in it, only the last one matters. */
const TOLD_APART_BY: Readonly<Record<string, string | undefined>> = {
  [METHODS.notificationsTasksStatus]: 'taskId',
  [METHODS.notificationsTasks]: 'taskId',
  [METHODS.notificationsProgress]: 'progressToken',
  [METHODS.notificationsResourcesUpdated]: 'uri',
};

const LIST_CHANGED = /\/list_changed$/;

/**
 * The key of a notification that makes earlier ones with the same key superfluous: the state of a task, the
 * progress of a request, a list that has changed. Undefined for every other message.
 */
export function supersedingKey(message: JsonObject): string | undefined {
  const { id, method } = message;
  if (typeof method !== 'string' || id !== undefined) return undefined;
  const name = Object.hasOwn(TOLD_APART_BY, method) ? TOLD_APART_BY[method] : undefined;
  if (name === undefined && !LIST_CHANGED.test(method)) return undefined;
  const told = name && at(message, ['params', name]);
  if (name !== undefined && typeof told !== 'string' && typeof told !== 'number') return undefined;
  return JSON.stringify([method, told, at(message, ['params', '_meta', META_KEYS.subscriptionId])]);
}
