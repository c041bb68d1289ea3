import type { Clock, TimerQueue } from './clock.js';
import type { TaskRecord, TaskSummary } from './record.js';
import type { TaskStore } from './store.js';

/**
 * Decides which task runs when and where. Another engine (a queue in PostgreSQL, a workflow service) can take
 * this place; `runtime/executors/README.md` lists the promises that an executor keeps.
 *
 * The engine calls `start` once and first, then `reserve` for each task and `call` for each plain call, then
 * `drain` and `close` once. What running means, and how a task ends, is the engine's: an executor gets a {@link TaskRun}
 * from its {@link ExecutorHost} and decides when to execute it.
 */
export interface TaskExecutor {
  /**
   * The name under which tasks are stored at creation, for the lease of this process. Empty when a task gets
   * its worker later, from `adopt`.
   */
  readonly worker: string;
  /** Takes over what earlier processes left, and resolves when the executor can be given tasks. */
  start(host: ExecutorHost): Promise<void>;
  /**
   * Prepares to run a task of this subject that is about to be stored: `subjectKeyOf` the task. Waits until this worker has its lease, without
   * which a lost worker's tasks are not found. Rejects with the store's error when it cannot get it.
   */
  reserve(subject: string): Reservation | Promise<Reservation>;
  /** Runs a call that is no task in a slot of its subject. Rejects with `closed` or the signal's reason if it gets none. */
  call<T>(call: DirectCall<T>): Promise<T>;
  /** How busy this worker is, for metrics. Absent for an executor without slots of its own. */
  usage?(): ExecutorUsage;
  /**
   * Starts no more runs. Handlers that run and plain calls go on until `close`, which the engine calls when clients wait
   * for nothing more. Without it they end with `close`.
   */
  drain?(): Promise<void>;
  /** Starts no more runs, lets running handlers finish for `drainMs` milliseconds, then gives up the rest. */
  close(drainMs: number): Promise<void>;
}

export interface ExecutorUsage {
  /** Handlers that may run at a time. */
  readonly slots: number;
  /** Slots that are taken, by tasks and plain calls. */
  readonly taken: number;
  /** Tasks and plain calls that wait for a slot. */
  readonly queued: number;
}

/** Settled exactly once, by one of its methods. */
export interface Reservation {
  /** Whether the task will start at once. Otherwise it is stored as `queued`. */
  readonly immediate: boolean;
  /** The task is stored and has not run yet. */
  submit(task: TaskRecord): void;
  /** The store failed before it could say whether it has the task. */
  unconfirmed(task: TaskSummary): void;
  /** No task was stored. */
  cancel(): void;
}

/** What the engine needs of an `AbortSignal`, which is one. A lighter object may be too. */
export interface Abort {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  /** `listener` is called at most once, and not when it has been aborted already. */
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface DirectCall<T> {
  /** `subjectKeyOf` the caller. */
  readonly subject: string;
  readonly signal: Abort;
  readonly work: (slot: Slot) => Promise<T>;
  /** Called when the work lost its slot because it did not stop. */
  readonly onAbandoned: () => void;
}

/** Why a handler's slot was given to another, for the audit. */
export const ABANDONED = 'The handler did not stop when told to';

/** A running handler's place among the concurrent ones. An executor without a limit can do nothing here. */
export interface Slot {
  /** The handler waits for input: its slot goes to another. */
  leave(): void;
  /** Calls `resume` once the handler has a slot again. */
  enter(resume: () => void): void;
}

/**
 * Runs the work of each step, so that an engine with steps of its own can show it. Calls `work` exactly once
 * and settles as it does: whether a step has to run is decided by the task's record alone.
 */
export type StepWrapper = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** What the engine does for an executor. None of it rejects unless the store fails. */
export interface ExecutorHost {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly timers: TimerQueue;
  /**
   * Makes a run of a task that this worker holds. `onStopped` is called at most once: when the task is
   * cancelled, expires or changes hands before its handler has ended.
   */
  readonly createRun: (task: TaskRecord, onStopped: () => void) => TaskRun;
  /**
   * Takes a task over from a lost worker. Returns it when this worker is to run it now. A task whose tool
   * may not run again fails instead.
   */
  readonly adopt: (task: TaskSummary, worker: string) => Promise<TaskRecord | undefined>;
  /**
   * Gives a queued task to the worker that is to run it: at once if `immediate`, otherwise it stays queued.
   * Resolves with undefined when the task has changed meanwhile.
   */
  readonly assign: (
    task: TaskSummary,
    worker: string,
    immediate: boolean,
  ) => Promise<TaskRecord | undefined>;
  /**
   * Whether this process leaves the task to others for now, as in a rolling deployment: it lacks the tool, or refuses the
   * stored arguments. Ask before `adopt` and `assign`: they take any task, and one that cannot run here fails.
   */
  readonly leaves: (task: TaskSummary | TaskRecord) => Promise<boolean>;
  /**
   * The store has the lease of this process's tasks until then, on the monotonic clock. Without one no step
   * starts, because another worker may have taken its task over and finished the step.
   */
  readonly leased: (until: number) => void;
  /** Reports a fault of the store in background work. */
  readonly report: (error: unknown) => void;
}

/** One attempt to run a task: a task under one fence. Nothing here rejects unless the store fails. */
export interface TaskRun {
  /**
   * Runs the handler, unless the task has ended meanwhile, and records how it ended. Called at most once.
   * Resolves when the handler has ended.
   */
  execute(slot: Slot, wrapStep?: StepWrapper): Promise<void>;
  /** Records that the handler did not stop when told to and lost its slot. */
  abandoned(): void;
  /**
   * Gives the task up, running or not. If it has not started, or its tool may run again, any worker may
   * take it; otherwise it fails as interrupted.
   */
  giveUp(): Promise<void>;
}
