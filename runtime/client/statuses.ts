import type { NotificationMap as CoreNotifications } from '../../generated/2025-11-25/protocol.js';
import type { NotificationMap as ExtNotifications } from '../../generated/ext-tasks/protocol.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import { isObject } from '../wire/json.js';
import { DIALECT_REVISIONS } from '../wire/revisions.js';
import { stateOf } from './states.js';
import type { TaskState } from './types.js';

/** Told a task's state, and the task as it came. */
export type StatusListener = (state: TaskState, task: JsonObject) => void;

type StatusNotifications = Pick<CoreNotifications, 'notifications/tasks/status'> & ExtNotifications;

/**
 * Handlers of the notifications that servers send about tasks, by method: one for the core dialect, one
 * for the extension. Params have been checked against the schema. What a handler throws goes to `onError`.
 */
export type TaskStatusHandlers = {
  readonly [M in keyof StatusNotifications]?: (params: StatusNotifications[M]['params']) => void;
};

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
} as const satisfies Record<keyof StatusNotifications, Dialect>;

function isStatus(method: string): method is keyof StatusNotifications {
  return Object.hasOwn(DIALECT_OF, method);
}

export function createStatuses(
  onProblem: (error: Error) => void,
  handlers: TaskStatusHandlers = {},
): Statuses {
  const byTask = new Map<string | undefined, Set<StatusListener>>();

  function guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      onProblem(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function tell(id: string | undefined, state: TaskState, task: JsonObject): void {
    for (const listener of byTask.get(id) ?? []) guarded(() => listener(state, task));
  }

  return {
    hear(notification) {
      const { method, params } = notification;
      if (!isStatus(method)) return;
      const dialect = DIALECT_OF[method];
      const problem = DIALECT_REVISIONS[dialect].check(notification, 'server');
      if (problem !== undefined || !isObject(params)) {
        return onProblem(new Error(`Ignored a ${method}: ${problem?.message ?? 'no params'}`));
      }
      guarded(() => {
        const state = stateOf(dialect, params);
        tell(state.taskId, state, params);
        tell(undefined, state, params);
        guarded(() => handlers[method]?.(params as never));
      });
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
