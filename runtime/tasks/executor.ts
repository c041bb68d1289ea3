import type { Agenda } from './agenda.js';
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
  /** A task that is stored and has not run yet. */
  submit(task: TaskRecord): void;
  /** A task that may have been stored under this worker's name: the store failed before it could say. */
  doubt(task: TaskSummary): void;
  /** Starts no more, lets what runs finish for `drainMs`, then gives up the rest. */
  close(drainMs: number): Promise<void>;
}

/** What the engine does for an executor. None of it rejects unless the store fails. */
export interface ExecutorHost {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly agenda: Agenda;
  /** Makes a task that this worker holds into a job. From here on it hears if the task is cancelled or expires. */
  readonly accept: (task: TaskRecord) => Job;
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
   * handler has come to its end. `onWaiting` tells when it starts and stops waiting for input.
   */
  run(onWaiting: (waiting: boolean) => void): Promise<void>;
  /**
   * Gives the task up, running or not: to anybody who will run it if it has not started or its tool
   * may be run again; otherwise it fails as interrupted.
   */
  giveUp(): Promise<void>;
}
