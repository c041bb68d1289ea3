import type { TimerQueue } from './timer-queue.js';
import type { Clock } from './clock.js';
import type { TaskRecord, TaskSummary } from './record.js';
import type { TaskStore } from './store.js';

/** Decides which task runs when and where. What running means is the engine's, through {@link ExecutorHost}. */
export interface TaskExecutor {
  /** The name under which tasks are stored at creation; empty when one is claimed later, by whoever runs it. */
  readonly worker: string;
  /** Called once; takes over what earlier processes left, and resolves when it can be given tasks. */
  start(host: ExecutorHost): Promise<StartedExecutor>;
}

export interface StartedExecutor {
  /**
   * Prepares to run a task that is about to be stored. Waits until this worker has its lease, without
   * which a lost worker's tasks are not found; rejects with the store's error when it cannot get it.
   */
  reserve(owner: string): Reservation | Promise<Reservation>;
  /** Runs a call that is no task in a slot of its owner. Rejects with `closed` or the signal's reason if it gets none. */
  call<T>(call: DirectCall<T>): Promise<T>;
  /** Starts no more, lets what runs finish for `drainMs`, then gives up the rest. */
  close(drainMs: number): Promise<void>;
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

export interface DirectCall<T> {
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly work: (slot: Slot) => Promise<T>;
  /** Called when the work lost its slot because it did not stop. */
  readonly onAbandoned: () => void;
}

/** Why a handler's slot was given to another, for the audit. */
export const ABANDONED = 'The handler did not stop when told to';

/** A running handler's place among the concurrent ones. */
export interface Slot {
  /** The handler waits for input: its slot goes to another. */
  leave(): void;
  /** Calls `resume` once the handler has a slot again. */
  enter(resume: () => void): void;
}

/** What the engine does for an executor. None of it rejects unless the store fails. */
export interface ExecutorHost {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly timers: TimerQueue;
  /**
   * Makes a task that this worker holds into a job. `onStopped` is called at most once: when the task is
   * cancelled, expires or changes hands before its handler has ended.
   */
  readonly accept: (task: TaskRecord, onStopped: () => void) => Job;
  /**
   * Takes a task over from a lost worker. Returns it when this worker is to run it now; one whose
   * tool may not be run again is failed instead.
   */
  readonly adopt: (task: TaskSummary, worker: string) => Promise<TaskRecord | undefined>;
  /** Reports a fault of the store in background work. */
  readonly report: (error: unknown) => void;
}

/** A task on its way through an executor. Nothing here rejects unless the store fails. */
export interface Job {
  readonly owner: string;
  /**
   * Runs the handler, unless the task has ended meanwhile, and records how it ended. Resolves when the
   * handler has come to its end.
   */
  run(slot: Slot): Promise<void>;
  /** Notes that the handler did not stop when told to and lost its slot. */
  abandoned(): void;
  /**
   * Gives the task up, running or not: to anybody who will run it if it has not started or its tool
   * may be run again; otherwise it fails as interrupted.
   */
  giveUp(): Promise<void>;
}
