import type { Task } from '../../generated/2025-11-25/types.js';
import { META_KEYS } from '../protocol/index.js';
import { type JsonObject, merged, type TaskSummary } from '../tasks/index.js';
import { isObject } from './json.js';

export const { relatedTask: RELATED_TASK, modelImmediateResponse: IMMEDIATE_RESPONSE } = META_KEYS;
/**
 * What waits for the result of a task that was cancelled gets. JSON-RPC leaves the code to applications;
 * the Language Server Protocol gave it this meaning.
 */
export const CANCELLED = -32800;

/** A task as the core dialect shows it. */
export function toCoreTask(task: TaskSummary): Task & JsonObject {
  return {
    taskId: task.id,
    status: task.status,
    ...(task.statusMessage !== undefined && { statusMessage: task.statusMessage }),
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date(task.updatedAt).toISOString(),
    ttl: task.ttl,
    pollInterval: task.pollInterval,
  };
}

/** The same, and the task that it belongs to. */
export function related<T extends JsonObject>(value: T, taskId: string): T & { _meta: JsonObject } {
  const own = { [RELATED_TASK]: { taskId } };
  const meta = value['_meta'];
  return merged(value, { _meta: isObject(meta) ? merged(meta, own) : own });
}
