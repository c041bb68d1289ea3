import { administered } from './administered.js';
import { clockOf, type Clock } from './clock.js';
import { taskError, unknownTask } from './errors.js';
import { newTaskId } from './ids.js';
import { type TaskRecord, type TaskStatus, type TaskSummary, workStatus } from './record.js';
import type { InsertCaps, TaskQuery, TaskStore } from './store.js';
import { isTerminal } from '../rules/tasks.js';
import { advance } from './transitions.js';

/** A store that can be administered. */
export type AdministrableStore = TaskStore & Required<Pick<TaskStore, 'administration'>>;

/** The part of a store that its administration needs. */
export type AdministeredStore = Pick<
  AdministrableStore,
  'get' | 'insert' | 'update' | 'now' | 'close' | 'administration'
>;

/**
 * What those who operate the servers do with the tasks of all owners, also while servers run: these
 * notice each change, because it is made like any other. Rejects with a `TaskError`: `unknown_task`, `ended`
 * or `invalid_params`.
 */
export interface TaskAdministration {
  /** Newest first. */
  list(query: Omit<TaskQuery, 'now' | 'id'>): Promise<readonly TaskSummary[]>;
  inspect(id: string): Promise<TaskRecord>;
  /** Cancels a live task. Its handler is told to stop, wherever it runs. */
  cancel(id: string): Promise<TaskRecord>;
  /**
   * Makes a new task from the request of one that failed or was cancelled, for the same owner. It starts
   * from the beginning, without the steps and answers of the first. A task is retried once, unless `again`.
   */
  retry(id: string, options?: { readonly again?: boolean }): Promise<TaskRecord>;
  /** Removes tasks that have ended and returns them. With `dryRun` it only returns them. */
  purge(query: PurgeQuery): Promise<readonly TaskSummary[]>;
}

export interface PurgeQuery {
  /** Default: all that have ended. */
  readonly status?: TaskStatus;
  readonly owner?: string;
  /** Milliseconds since the last change. */
  readonly olderThan: number;
  /** Default: no limit. */
  readonly limit?: number;
  readonly dryRun?: boolean;
}

const PAGE = 1_000;
/** An administrator is not held to the limits of owners. Not Infinity, because databases have no such integer. */
const ALL = Number.MAX_SAFE_INTEGER;
const NO_CAPS: InsertCaps = {
  livePerOwner: ALL,
  livePerSubject: ALL,
  liveReserve: ALL,
  liveShared: ALL,
  live: ALL,
  storedPerOwner: ALL,
  storedPerSubject: ALL,
};

export function administer(
  store: AdministeredStore,
  clock: Clock = clockOf(store),
): TaskAdministration {
  const { administration } = store;

  async function inspect(id: string): Promise<TaskRecord> {
    const [summary] = await administration.find({ id, limit: 1, now: clock.now() });
    const record = summary && (await store.get(summary));
    if (record === undefined) throw unknownTask();
    return record;
  }

  /** Replaces the task by what `decide` makes of it, however often others change it meanwhile. */
  async function change(id: string, decide: (task: TaskRecord) => TaskRecord): Promise<TaskRecord> {
    for (;;) {
      const next = decide(await inspect(id));
      if (!(await store.update(next))) continue;
      administered(administration, { kind: 'changed', task: next });
      return next;
    }
  }

  /** Stores the retry of a task that is marked with it. When that fails, the task is marked with the `earlier` one. */
  async function insertMarked(
    retry: TaskRecord,
    retriedId: string,
    earlier: string | undefined,
  ): Promise<void> {
    try {
      await store.insert(retry, NO_CAPS);
      administered(administration, { kind: 'changed', task: retry });
    } catch (error) {
      const [stored] = await administration.find({ id: retry.id, limit: 1, now: clock.now() });
      // The store may have it all the same.
      if (stored !== undefined) return;
      await change(retriedId, (task) =>
        markedAs(task, task.retriedAs === retry.id ? earlier : task.retriedAs),
      );
      throw error;
    }
  }

  /** Those of the tasks that were removed: another administrator may have changed one meanwhile. */
  async function remove(tasks: readonly TaskSummary[]): Promise<readonly TaskSummary[]> {
    const removed = await removedOf(tasks);
    for (const key of removed) administered(administration, { kind: 'removed', key });
    return removed;
  }

  async function removedOf(tasks: readonly TaskSummary[]): Promise<readonly TaskSummary[]> {
    if (tasks.length === 0) return [];
    if ((await administration.remove(tasks)) === tasks.length) return tasks;
    const removed: TaskSummary[] = [];
    for (const task of tasks) {
      const found = await administration.find({ id: task.id, limit: 1, now: clock.now() });
      if (found.length === 0) removed.push(task);
    }
    return removed;
  }

  /** All unexpired tasks of the query, page by page. */
  async function* pages(query: Pick<TaskQuery, 'owner' | 'status'>): AsyncGenerator<TaskSummary[]> {
    let before: string | undefined;
    for (;;) {
      const page = await administration.find({
        ...query,
        ...(before !== undefined && { before }),
        limit: PAGE,
        now: clock.now(),
      });
      if (page.length > 0) yield [...page];
      before = page.at(-1)?.id;
      if (page.length < PAGE || before === undefined) return;
    }
  }

  return {
    inspect,
    list: (query) => administration.find({ ...query, now: clock.now() }),

    cancel: (id) =>
      change(id, (task) => {
        if (isTerminal(task.status)) {
          const status = workStatus(task);
          throw taskError('ended', `The task is ${status} already`, { status });
        }
        // A new fence, so that its worker may not write any more.
        const patch = { status: 'cancelled', statusMessage: BY_ADMINISTRATOR } as const;
        return advance(task, { ...patch, fence: task.fence + 1 }, clock.now());
      }),

    async retry(id, { again = false } = {}) {
      const now = clock.now();
      const newId = newTaskId(now);
      let earlier: string | undefined;
      // Marked first: of two administrators who retry a task at the same time, one is refused.
      const first = await change(id, (task) => {
        assertRetryable(task, again);
        earlier = task.retriedAs;
        return markedAs(task, newId);
      });
      const repeated = repetition(first, newId, now);
      await insertMarked(repeated, id, earlier);
      return repeated;
    },

    async purge({ olderThan, limit = Infinity, dryRun = false, ...query }) {
      if (query.status !== undefined && !isTerminal(query.status)) {
        throw taskError(
          'invalid_params',
          `Only tasks that have ended can be removed, not ${query.status}`,
        );
      }
      const purged: TaskSummary[] = [];
      const changedBefore = clock.now() - olderThan;
      for await (const page of pages(query)) {
        const old = page.filter(
          ({ status, updatedAt }) => isTerminal(status) && updatedAt <= changedBefore,
        );
        const chosen = old.slice(0, limit - purged.length);
        purged.push(...(dryRun ? chosen : await remove(chosen)));
        if (purged.length >= limit) break;
      }
      return purged;
    },
  };
}

const BY_ADMINISTRATOR = 'Cancelled by an administrator';

/** Whether its request may be repeated: it failed, was cancelled, or its tool returned an error. */
export function mayRetry(task: TaskRecord): boolean {
  return ['failed', 'cancelled'].includes(workStatus(task));
}

function assertRetryable(task: TaskRecord, again: boolean): void {
  const { id, status, retriedAs } = task;
  if (!mayRetry(task)) {
    const why = `Only a task that failed or was cancelled can be retried; ${id} is ${status}`;
    throw taskError('invalid_params', why, { status });
  }
  if (retriedAs !== undefined && !again) {
    throw taskError('invalid_params', `Task ${id} was retried as ${retriedAs}`, { retriedAs });
  }
}

function markedAs(
  { retriedAs: _, ...task }: TaskRecord,
  retriedAs: string | undefined,
): TaskRecord {
  return { ...task, ...(retriedAs !== undefined && { retriedAs }), version: task.version + 1 };
}

function repetition(task: TaskRecord, id: string, now: number): TaskRecord {
  const { owner, dialect, subjectKey, caller, method, tool } = task;
  const { ttl, pollInterval, trace, args } = task;
  return {
    ...{ id, owner, dialect, method, ttl, pollInterval, args },
    ...(subjectKey !== undefined && { subjectKey }),
    // The retry of an operator runs with the rights of the user who made the first call.
    ...(caller !== undefined && { caller }),
    ...(tool !== undefined && { tool }),
    ...(trace !== undefined && { trace }),
    status: 'working',
    createdAt: now,
    updatedAt: now,
    retryOf: task.id,
    version: 1,
    // Without a worker: the next one that looks takes it.
    worker: '',
    fence: 1,
    attempt: 1,
    queued: true,
    input: [],
    steps: [],
  };
}
