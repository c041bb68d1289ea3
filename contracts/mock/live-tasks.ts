import { META_KEYS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at, isObject, member } from '../../runtime/peer/wire/json.js';
import { LiveTask } from './live-task.js';
import type { Model, Script } from './model.js';
import { dialectOfVersion } from './revisions.js';

/** Beyond, the oldest are forgotten. */
const MOST = 10_000;

/** The tasks that clients of a mock have created, by the ids that clients see. */
export class LiveTasks {
  readonly model: Model;
  /** How much faster than it was recorded; `Infinity` does not wait. */
  readonly speed: number;
  readonly #byId = new Map<unknown, LiveTask>();
  /** By recorded ids. */
  readonly #latest = new Map<unknown, LiveTask>();

  constructor(model: Model, speed: number) {
    this.model = model;
    this.speed = speed;
  }

  /** The task that an exchange creates. The first one has the recorded id, later ones have ids of their own. */
  createdBy({ taskId, revision, exchange }: Script): LiveTask | undefined {
    if (taskId === undefined) return undefined;
    const { model, speed } = this;
    const id = this.#byId.has(taskId) ? crypto.randomUUID() : taskId;
    const dialect = dialectOfVersion(revision);
    const task = new LiveTask({ id, model, taskId, dialect, speed, creator: exchange });
    this.#byId.set(id, task);
    this.#latest.set(taskId, task);
    const [oldest] = this.#byId.values();
    if (this.#byId.size > MOST && oldest !== undefined) this.#forget(oldest);
    return task;
  }

  get(id: unknown): LiveTask | undefined {
    return this.#byId.get(id);
  }

  get all(): LiveTask[] {
    return [...this.#byId.values()];
  }

  /** Params with the recorded ids in place of those that clients see. */
  recorded(params: JsonObject): JsonObject {
    const own = this.get(params['taskId']);
    const ids = at(params, ['notifications', 'taskIds']);
    const recordedIds = (all: readonly unknown[]) =>
      all.map((id) => this.get(id)?.recordedId ?? id);
    return {
      ...params,
      ...(own && { taskId: own.recordedId }),
      ...(Array.isArray(ids) && {
        notifications: { ...(params['notifications'] as object), taskIds: recordedIds(ids) },
      }),
    };
  }

  /** The task that a recorded id stands for, where a message does not belong to a task of this client. */
  latest(recordedId: unknown): LiveTask | undefined {
    return this.#latest.get(recordedId);
  }

  /** Params or a result of the server, with the ids and times of the live task in place of the recorded ones. */
  shown(value: JsonObject, own?: LiveTask): JsonObject {
    const live = (id: unknown): LiveTask | undefined =>
      id === own?.recordedId ? own : this.latest(id);
    const ofTask = (task: unknown): unknown =>
      isObject(task) ? (live(task['taskId'])?.sent(task) ?? task) : task;
    const { task, tasks, _meta: meta } = value;
    const related = live(at(meta, [META_KEYS.relatedTask, 'taskId']));
    const isTask = typeof value['taskId'] === 'string' && typeof value['status'] === 'string';
    return {
      ...(isTask ? (ofTask(value) as JsonObject) : value),
      ...(member(task, 'taskId') !== undefined && { task: ofTask(task) }),
      ...(Array.isArray(tasks) && { tasks: tasks.map(ofTask) }),
      ...(related && {
        _meta: { ...(meta as object), [META_KEYS.relatedTask]: { taskId: related.id } },
      }),
    };
  }

  #forget(task: LiveTask): void {
    this.#byId.delete(task.id);
    if (this.#latest.get(task.recordedId) === task) this.#latest.delete(task.recordedId);
  }
}
