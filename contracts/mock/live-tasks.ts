import { META_KEYS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at, isObject, member } from '../../runtime/peer/wire/json.js';
import { LiveTask, type LiveTaskParts } from './live-task.js';

/** Beyond, the oldest are forgotten. */
const MOST = 10_000;

/** The tasks that clients of a mock have created, by the ids that clients see. */
export class LiveTasks {
  readonly #byId = new Map<string, LiveTask>();
  readonly #latest = new Map<string, LiveTask>();

  /** The first one has the recorded id, later ones have ids of their own. */
  add(parts: Omit<LiveTaskParts, 'id'>): LiveTask {
    const { taskId } = parts.timeline;
    const id = this.#byId.has(taskId) ? crypto.randomUUID() : taskId;
    const task = new LiveTask({ ...parts, id });
    this.#byId.set(id, task);
    this.#latest.set(taskId, task);
    const [oldest] = this.#byId.values();
    if (this.#byId.size > MOST && oldest !== undefined) this.#forget(oldest);
    return task;
  }

  get(id: unknown): LiveTask | undefined {
    return typeof id === 'string' ? this.#byId.get(id) : undefined;
  }

  get all(): LiveTask[] {
    return [...this.#byId.values()];
  }

  /** Params with the recorded ids in place of those that clients see. */
  recorded(params: JsonObject): JsonObject {
    const own = this.get(params['taskId']);
    const ids = at(params, ['notifications', 'taskIds']);
    return {
      ...params,
      ...(own && { taskId: own.recordedId }),
      ...(Array.isArray(ids) && {
        notifications: {
          ...(params['notifications'] as JsonObject),
          taskIds: ids.map((id: unknown) => this.get(id)?.recordedId ?? id),
        },
      }),
    };
  }

  /** The task that a recorded id stands for, where a message does not belong to a task of this client. */
  latest(recordedId: unknown): LiveTask | undefined {
    return typeof recordedId === 'string' ? this.#latest.get(recordedId) : undefined;
  }

  /** Params or a result of the server, with the ids and times of the live task in place of the recorded ones. */
  shown(value: JsonObject, own?: LiveTask): JsonObject {
    const live = (id: unknown): LiveTask | undefined =>
      own !== undefined && id === own.recordedId ? own : this.latest(id);
    const ofTask = (task: JsonObject): JsonObject => live(task['taskId'])?.sent(task) ?? task;
    const related = live(at(value, ['_meta', META_KEYS.relatedTask, 'taskId']));
    const { task, tasks } = value;
    const isTask = typeof value['taskId'] === 'string' && typeof value['status'] === 'string';
    return {
      ...(isTask ? ofTask(value) : value),
      ...(isObject(task) && member(task, 'taskId') !== undefined && { task: ofTask(task) }),
      ...(Array.isArray(tasks) && {
        tasks: tasks.map((each: unknown) => (isObject(each) ? ofTask(each) : each)),
      }),
      ...(related && {
        _meta: {
          ...(value['_meta'] as JsonObject),
          [META_KEYS.relatedTask]: { taskId: related.id },
        },
      }),
    };
  }

  #forget(task: LiveTask): void {
    this.#byId.delete(task.id);
    if (this.#latest.get(task.recordedId) === task) this.#latest.delete(task.recordedId);
  }
}
