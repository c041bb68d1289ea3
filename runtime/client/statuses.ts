import type { JsonObject } from '../tasks/index.js';
import { isObject } from '../wire/json.js';
import { DIALECT_REVISIONS } from '../wire/revisions.js';
import { stateOf } from './states.js';
import type { TaskState } from './types.js';

/** Told a task's state, and the task as it came. */
export type StatusListener = (state: TaskState, task: JsonObject) => void;

/** Who wants to be told what servers announce about tasks. */
export interface Statuses {
  /** A notification as it came. Takes no notice of one that is of another kind. */
  hear(notification: { readonly method: string; readonly params?: unknown }): void;
  /** All tasks, or one. Returns what ends it. */
  on(listener: StatusListener, taskId?: string): () => void;
}

const DIALECT_OF = {
  'notifications/tasks/status': 'core',
  'notifications/tasks': 'ext',
} as const;

export function createStatuses(onProblem: (error: Error) => void): Statuses {
  const byTask = new Map<string | undefined, Set<StatusListener>>();

  function tell(id: string | undefined, state: TaskState, task: JsonObject): void {
    for (const listener of byTask.get(id) ?? []) {
      try {
        listener(state, task);
      } catch (error) {
        onProblem(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  return {
    hear(notification) {
      const { method, params } = notification;
      if (method !== 'notifications/tasks/status' && method !== 'notifications/tasks') return;
      const dialect = DIALECT_OF[method];
      const problem = DIALECT_REVISIONS[dialect].check(notification, 'server');
      if (problem !== undefined || !isObject(params)) {
        return onProblem(new Error(`Ignored a ${method}: ${problem?.message ?? 'no params'}`));
      }
      try {
        const state = stateOf(dialect, params);
        tell(state.taskId, state, params);
        tell(undefined, state, params);
      } catch (error) {
        onProblem(error as Error);
      }
    },
    on(listener, taskId) {
      const listeners = byTask.get(taskId) ?? new Set();
      byTask.set(taskId, listeners);
      const own: StatusListener = (state, task) => listener(state, task);
      listeners.add(own);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0 && byTask.get(taskId) === listeners) byTask.delete(taskId);
      };
    },
  };
}
