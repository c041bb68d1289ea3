import type { JsonObject } from '../../runtime/tasks/index.js';
import type { Timeline } from './timeline.js';

/** Milliseconds for which a task works that was not recorded. */
const WORKS_MS = 100;

/** A task of a generated result: it works, then it is completed. */
export function madeTimeline(result: JsonObject): Timeline {
  const taskId = crypto.randomUUID();
  const createdAt = new Date(0).toISOString();
  const task = {
    taskId,
    createdAt,
    lastUpdatedAt: createdAt,
    ttlMs: null,
    pollIntervalMs: WORKS_MS,
  };
  const completed = {
    ...task,
    status: 'completed',
    lastUpdatedAt: new Date(WORKS_MS).toISOString(),
    result: { resultType: 'complete', ...result },
  };
  const states = [
    { ms: 0, task: { ...task, status: 'working' } },
    { ms: WORKS_MS, task: completed },
  ];
  return { taskId, states, acts: [], moments: new Map() };
}
