import type { Agenda } from './agenda.js';
import type { Clock } from './clock.js';
import type { TaskRecord, TaskSummary } from './record.js';
import type { TaskStore } from './store.js';

/** Decides which task runs when and where. What running means is the engine's, through {@link ExecutorHost}. */
export interface TaskExecutor {
  /** The name under which tasks are stored at creation; empty when one is claimed later, by whoever runs it. */
  readonly worker: string;
  /** Called once, before any task is submitted; takes over what earlier processes left. */
  start(host: ExecutorHost): Promise<void>;
  /** A task that is stored and has not run yet. */
  submit(task: TaskRecord): void;
  /** Stops taking tasks, lets the running ones finish for `drainMs`, then gives up the rest. */
  close(drainMs: number): Promise<void>;
}

/** What the engine does for an executor. None of it rejects unless the store fails. */
export interface ExecutorHost {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly agenda: Agenda;
  /**
   * Runs the task's handler and records how it ended. Resolves when the handler has come to its end,
   * whatever that was. `onWaiting` tells when the handler starts and stops waiting for input.
   */
  readonly run: (task: TaskRecord, onWaiting: (waiting: boolean) => void) => Promise<void>;
  /**
   * Takes a task over from a lost worker. Returns it when this worker is to run it now; one whose
   * tool may not be run again is failed instead.
   */
  readonly adopt: (task: TaskSummary, worker: string) => Promise<TaskRecord | undefined>;
  /** Hands on a task that will not be run here: to anybody if it never started or may be run again, else it fails. */
  readonly giveUp: (task: TaskRecord, started: boolean) => Promise<void>;
  /** Reports a fault of the store in background work. */
  readonly report: (error: unknown) => void;
}
