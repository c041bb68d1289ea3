import type { NotificationMap as CoreNotifications } from '../../generated/2025-11-25/protocol.js';
import type { NotificationMap as ExtNotifications } from '../../generated/ext-tasks/protocol.js';
import { DIALECT_VERSIONS, METHODS } from '../protocol.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import type { Revision } from '../peer/wire/revision.js';
import { type ShownTask, stateOf } from './states.js';
import type { TaskState } from './types.js';

/** Gets a task's state, and the task object of the message. */
export type StatusListener = (state: TaskState, task: JsonObject) => void;

type StatusNotifications = Pick<CoreNotifications, typeof METHODS.notificationsTasksStatus> &
  ExtNotifications;

/**
 * Handlers of task status notifications by method: one for the core dialect, one for the extension. The
 * client checks params against the schema first. `onError` gets the errors that a handler throws.
 */
export type TaskStatusHandlers = {
  readonly [M in keyof StatusNotifications]?: (params: StatusNotifications[M]['params']) => void;
};

/** Dispatches task status notifications to listeners and handlers. */
export interface Statuses {
  /** Takes a notification of the server that matches its revision; ignores those of other methods. */
  receive(revision: Revision, method: string, params: JsonObject): void;
  /** Listens to all tasks or to one. Returns a function that removes the listener. */
  on(listener: StatusListener, taskId?: string): () => void;
}

const DIALECT_OF = {
  [METHODS.notificationsTasksStatus]: 'core',
  [METHODS.notificationsTasks]: 'ext',
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

  function notify(id: string | undefined, state: TaskState, task: JsonObject): void {
    for (const listener of byTask.get(id) ?? []) guarded(() => listener(state, task));
  }

  return {
    receive({ dialect, version }, method, params) {
      // Other revisions do not have it, so it is not checked.
      if (!isStatus(method) || DIALECT_OF[method] !== dialect) return;
      if (version !== DIALECT_VERSIONS[dialect]) return;
      guarded(() => {
        const state = stateOf(dialect, params as ShownTask);
        notify(state.taskId, state, params);
        notify(undefined, state, params);
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
