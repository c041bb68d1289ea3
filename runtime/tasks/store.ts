import type { Caller, TaskKey, TaskRecord, TaskStatus, TaskSummary } from './record.js';

/**
 * Where tasks live. The engine makes every decision; a store keeps records and promises atomicity.
 *
 * Every promise resolves after the change is as durable as the store gets. It rejects only when the
 * store itself failed; the change may then have happened or not, but never in part. Records are
 * values: neither side changes one that it has handed over.
 */
export interface TaskStore {
  /** At least 32 random bytes that live as long as the tasks do: cursors are signed with them. */
  secret(): Promise<Uint8Array>;

  /**
   * Adds a task that has not ended, unless its owner and dialect already have one with the same idempotency key, which is
   * then returned, or `capExceeded` names a cap. All in one atomic step. The key of a task that has expired by
   * the new one's `createdAt` is free, whether or not that task has been removed yet.
   */
  insert(record: TaskRecord, caps: InsertCaps): Promise<Insertion>;

  get(key: TaskKey): Promise<TaskRecord | undefined>;

  /** Replaces the task if what is stored is the version before; resolves with whether it did. */
  update(next: TaskRecord): Promise<boolean>;

  /** Unexpired tasks of the caller, newest (greatest id) first, starting after the id `before`. */
  list(caller: Caller, page: PageQuery): Promise<readonly TaskSummary[]>;

  /** Removes up to `limit` expired tasks, soonest first, and returns when the next one expires. */
  expire(now: number, limit: number): Promise<Expiry>;

  /**
   * A worker's lease: until then the tasks that carry its name are its own. One write covers them all.
   * A worker renews before it first takes a task, so `orphans` need not decide about other workers.
   */
  renew(worker: string, until: number): Promise<void>;

  /** Up to `limit` live, unexpired tasks that carry no worker's name, or that of one whose lease has run out. */
  orphans(now: number, limit: number): Promise<readonly TaskSummary[]>;

  /**
   * Reports changes, at least those that other processes make, so that waiters everywhere wake without
   * polling. A change may be reported twice. Absent when only one process can use the store. Returns what ends it.
   */
  watch?(listener: (change: TaskChange) => void): () => void;

  /**
   * The time by which tasks are created, expire and are leased, in whole milliseconds since the epoch: the
   * same in every process that shares the store, whatever their own clocks say. Absent when only one
   * process can use the store; then its own clock counts.
   */
  now?(): number;

  /**
   * Writes a little as durably as any change and reads it back. Rejects when that fails, or when the
   * store has found something damaged.
   */
  probe(): Promise<void>;

  close(): Promise<void>;

  /** The tasks of all owners, for those who operate the servers. Absent in stores without it. */
  readonly administration?: StoreAdministration;
}

export interface StoreAdministration {
  /**
   * Unexpired tasks of all owners and dialects, newest (greatest id) first. Unless `status` is
   * `completed` or `cancelled`, the cost depends on the limit and on the tasks of that status, not on the number of tasks.
   */
  find(query: TaskQuery): Promise<readonly TaskSummary[]>;
  /** Counts the unexpired tasks of all owners. It reads them all, so it costs time in proportion to their number. */
  count(now: number): Promise<StatusCounts>;
  /**
   * Calls `listener` when tasks may have changed, whichever process changed them: once for many changes,
   * perhaps without one, and not always for a task that was just created. Returns what ends it.
   */
  observe(listener: () => void): () => void;
  /**
   * Removes those of the tasks that have ended and are stored in this version. Resolves with how many
   * these were. Several calls may be needed to remove them all; each removes a task wholly or not at all.
   */
  remove(tasks: readonly TaskSummary[]): Promise<number>;
}

export interface TaskQuery extends PageQuery {
  readonly id?: string;
  readonly owner?: string;
  /** The `workStatus` of the tasks. */
  readonly status?: TaskStatus;
}

/** See `TaskLimits` for each. `capExceeded` applies them. */
export interface InsertCaps {
  readonly livePerOwner: number;
  readonly livePerSubject: number;
  readonly liveReserve: number;
  readonly liveShared: number;
  readonly live: number;
  readonly storedPerOwner: number;
  readonly storedPerSubject: number;
}

/** A cap that one more task would exceed. */
export type ExceededCap = Exclude<keyof InsertCaps, 'liveReserve'>;

export type Insertion =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'existing'; readonly record: TaskRecord }
  | { readonly kind: 'full'; readonly cap: ExceededCap };

export interface PageQuery {
  readonly before?: string;
  readonly limit: number;
  readonly now: number;
}

export interface Expiry {
  readonly removed: readonly TaskSummary[];
  /** When the next of the remaining tasks expires; undefined when none remains. */
  readonly next: number | undefined;
}

export type TaskChange =
  | { readonly kind: 'changed'; readonly key: TaskKey; readonly version: number }
  | { readonly kind: 'removed'; readonly key: TaskKey };

/** How many tasks have each status, by `workStatus`: a task whose tool returned an error counts as failed. */
export type StatusCounts = Readonly<Record<TaskStatus, number>>;

export const NO_COUNTS: StatusCounts = {
  working: 0,
  input_required: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
};
