import type { Task } from '../../../generated/2025-11-25/types.js';
import { META_KEYS, METHODS } from '../../protocol.js';
import {
  type Caller,
  isTerminal,
  type JsonObject,
  merged,
  type Progress,
  type TaskEngine,
  type TaskRecord,
  type TaskSummary,
  TransientSet,
} from '../../tasks/index.js';
import { isObject } from './json.js';
import { lastOfMany } from './last-of-many.js';

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

type Notify = (notification: { method: string; params: JsonObject }) => Promise<void>;

/** Notifies a session of the core dialect of changes to the tasks that it created. */
export interface StatusNotifier {
  follow(caller: Caller, created: TaskRecord): Promise<void>;
  close(): void;
}

/** `notify` sends outside of any request. Clients do not depend on these notifications, because they poll. */
export function createStatusNotifier(engine: TaskEngine, notify: Notify): StatusNotifier {
  const endings = new TransientSet<() => void>();

  function announce(task: TaskRecord): void {
    notify({ method: METHODS.notificationsTasksStatus, params: toCoreTask(task) }).catch(ignore);
  }

  return {
    async follow(caller, created) {
      const { id, progressToken } = created;
      let over = false;
      let stop = (): void => undefined;
      const finish = (): void => {
        over = true;
        stop();
      };
      const receive = (task: TaskRecord): void => {
        if (over) return;
        announce(task);
        if (isTerminal(task.status)) finish();
      };
      const report = lastOfMany((progress: Progress) => {
        if (over) return;
        const params = related({ progressToken, ...progress }, id);
        notify({ method: METHODS.notificationsProgress, params }).catch(ignore);
      });
      const subscription = await engine
        .subscribe(caller, id, (event) => {
          if (event.type === 'changed') return receive(event.task);
          if (event.type !== 'progress') return finish();
          if (progressToken !== undefined) report(event.progress);
        })
        // Too many listeners: this task is not announced.
        .catch(ignore);
      if (subscription === undefined) return;
      const { end } = subscription;
      const forget = endings.add(end);
      stop = () => {
        forget();
        end();
      };
      if (over) return finish();
      if (subscription.task.version > created.version) receive(subscription.task);
    },
    close() {
      for (const end of endings.values()) end();
    },
  };
}

function ignore(): undefined {
  return undefined;
}
