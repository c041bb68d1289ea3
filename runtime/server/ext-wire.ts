import type { JsonObject, TaskRecord, TaskSummary } from '../tasks/index.js';
import { outcomeOf, outstanding } from '../tasks/index.js';

/** A task as the extension shows it where its payload does not belong. */
export function toExtTask(task: TaskSummary): JsonObject {
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

/** With all that its status calls for: questions, result or error. The same for polls and notifications. */
export function toDetailedTask(record: TaskRecord): JsonObject {
  if (record.status === 'input_required') {
    return { ...toExtTask(record), inputRequests: toInputRequests(record) };
  }
  return { ...toExtTask(record), ...outcomeOf(record) };
}

function toInputRequests({ input }: TaskRecord): JsonObject {
  const entries = outstanding(input).map(({ key, method, params }) => [
    key,
    { method, params: JSON.parse(params) as JsonObject },
  ]);
  return Object.fromEntries(entries) as JsonObject;
}
