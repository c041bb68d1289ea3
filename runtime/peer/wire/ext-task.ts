import type { InputRequest } from '../../../generated/2026-07-28/types.js';
import type { DetailedTask, Task } from '../../../generated/ext-tasks/types.js';
import { ERROR_CODES, METHODS } from '../../protocol.js';
import {
  type JsonObject,
  type TaskRecord,
  type TaskSummary,
  merged,
  outcomeOf,
  outstanding,
} from '../../tasks/index.js';
import { dialectRevision } from './revision.js';

/** A task as the extension shows it where its payload does not belong. */
export function toExtTask(task: TaskSummary): Task & JsonObject {
  return {
    taskId: task.id,
    status: task.status,
    ...(task.statusMessage !== undefined && { statusMessage: task.statusMessage }),
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date(task.updatedAt).toISOString(),
    ttlMs: task.ttl,
    pollIntervalMs: task.pollInterval,
  };
}

/**
 * With all that its status calls for: questions, result or error. The same for polls and notifications.
 *
 * What is stored is checked again, because another version may have stored it: a task that holds
 * something invalid is shown as failed.
 */
export function toDetailedTask(record: TaskRecord): DetailedTask & JsonObject {
  const detail =
    record.status === 'input_required'
      ? { inputRequests: toInputRequests(record) }
      : (outcomeOf(record) ?? {});
  const task = merged(toExtTask(record), detail);
  const problem = problemOf(task);
  if (problem === undefined) return task as DetailedTask & JsonObject;
  const message = `The task holds what cannot be sent: ${problem}`;
  const error = { code: ERROR_CODES.InternalError, message };
  return { ...toExtTask(record), status: 'failed', statusMessage: message, error };
}

/** Notifications and `tasks/get` have the same fields, and leave the inner result open. */
function problemOf(task: JsonObject): string | undefined {
  const ext = dialectRevision('ext');
  const notification = { jsonrpc: '2.0', method: METHODS.notificationsTasks, params: task };
  const problem =
    ext.check(notification, 'server') ??
    ('result' in task ? ext.checkToolResult(task['result']) : undefined);
  return problem?.message;
}

/** A question in a result. Its key names it there: an `elicitationId` is a member of questions in sessions. */
export function inputRequest(
  method: string,
  { elicitationId, ...params }: JsonObject,
): InputRequest {
  const isOwn = elicitationId === undefined || method === METHODS.elicitationCreate;
  // What sends it checks it: `problemOf`, and the peer.
  return { method, params: isOwn ? params : { ...params, elicitationId } } as InputRequest;
}

function toInputRequests({ input }: TaskRecord): JsonObject {
  const entries = outstanding(input).map(({ key, method, params }) => [
    key,
    inputRequest(method, JSON.parse(params) as JsonObject),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}
