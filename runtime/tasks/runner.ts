import type { TimerQueue } from './timer-queue.js';
import type { Audit } from './audit.js';
import type { Clock } from './clock.js';
import { TaskError, taskError } from './errors.js';
import { ABANDONED, type ExecutorHost } from './executor.js';
import type { HandlerLookup } from './handler.js';
import type { Hub } from './hub.js';
import type { TaskLimits } from './limits.js';
import { failed, settleReturned, settleThrown } from './outcome.js';
import type { TaskRecord, TaskSummary } from './record.js';
import { createRun, type Run } from './run.js';
import type { TaskStore } from './store.js';
import type { Telemetry } from './telemetry.js';
import { isTerminal, type Patch } from './transitions.js';
import type { Writer } from './writer.js';

export interface RunnerDependencies {
  readonly store: TaskStore;
  readonly hub: Hub;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly timers: TimerQueue;
  readonly audit: Audit;
  readonly telemetry: Telemetry;
  readonly limits: TaskLimits;
  readonly handlers: HandlerLookup;
  /** Notes a fault of the store. */
  readonly report: (error: unknown) => void;
}

/** Runs handlers and records how they end: the engine's half of an executor. */
export function createRunner(dependencies: RunnerDependencies): ExecutorHost {
  const { store, writer, clock, timers, audit, telemetry, limits, handlers, report } = dependencies;

  function announceEnd(task: TaskRecord): void {
    if (task.status !== 'completed' && task.status !== 'failed') return;
    audit(task.status, task, task.statusMessage);
    telemetry.ended(task);
  }

  async function handle(task: TaskRecord, run: Run): Promise<Patch> {
    try {
      const handler = handlers(task);
      if (handler === undefined) return failed(noHandler(task), limits);
      return settleReturned(task, await handler.run(run.context), limits);
    } catch (error) {
      return settleThrown(task, error, limits);
    }
  }

  async function record(run: Run, ending: Patch): Promise<void> {
    try {
      const ended = await run.finish(ending);
      if (ended !== undefined) announceEnd(ended);
    } catch (error) {
      // Expired meanwhile: there is nothing left to record it in.
      if (!(error instanceof TaskError)) throw error;
    }
  }

  return {
    store,
    clock,
    timers,
    report,

    accept(task, onStopped) {
      const run = createRun(dependencies, task, onStopped);
      let started = false;
      return {
        owner: task.owner,
        abandoned: () => audit('abandoned', task, ABANDONED),
        async run(slot) {
          run.slot = slot;
          try {
            if (task.fence > 1) await run.catchUp();
            await run.begin();
            if (run.over) return;
            started = true;
            await telemetry.execute(task, async () => record(run, await handle(task, run)));
          } catch (error) {
            // Ours or a telemetry SDK's fault; whichever, the task must not stay working for ever.
            report(error);
            await record(run, failed(taskError('internal', 'Internal error'), limits));
          } finally {
            run.end();
          }
        },
        async giveUp() {
          await handOn(task, !started || handlers(task)?.retryable === true);
          run.end();
        },
      };
    },

    async adopt(orphan, worker) {
      const adopted = await change(orphan, (task) => {
        if (isTerminal(task.status) || task.fence !== orphan.fence) return undefined;
        const why = reasonNotToRun(task);
        if (why !== undefined) return failed(why, limits);
        const attempt = wasRunning(task) ? task.attempt + 1 : task.attempt;
        // Adopting is no start: a worker that is lost before it gets to this task has not run it.
        return { worker, fence: task.fence + 1, attempt, queued: true };
      });
      if (adopted === undefined || isTerminal(adopted.status)) return undefined;
      audit('recovered', adopted);
      return adopted;
    },
  };

  async function handOn(task: TaskRecord, mayRunAgain: boolean): Promise<void> {
    const given = await change(task, ({ status, fence }) => {
      if (isTerminal(status) || fence !== task.fence) return undefined;
      return mayRunAgain
        ? { worker: '', fence: fence + 1 }
        : failed(interrupted('The server shut down while the task ran'), limits);
    });
    if (given !== undefined && mayRunAgain) audit('released', given);
  }

  /** A change in the background, if it still applies; a task that has gone meanwhile is no fault. */
  async function change(
    key: TaskSummary,
    decide: (record: TaskRecord) => Patch | undefined,
  ): Promise<TaskRecord | undefined> {
    try {
      const { task, changed } = await writer.change(key, decide);
      if (!changed) return undefined;
      announceEnd(task);
      return task;
    } catch (error) {
      if (error instanceof TaskError) return undefined;
      throw error;
    }
  }

  function reasonNotToRun(task: TaskRecord): TaskError | undefined {
    const handler = handlers(task);
    if (handler === undefined) return noHandler(task);
    if (neverStarted(task)) return undefined;
    if (handler.retryable !== true) {
      return interrupted('The task was interrupted: the process that ran it stopped');
    }
    if (!wasRunning(task) || task.attempt < limits.attempts) return undefined;
    return interrupted(`The task was interrupted ${task.attempt} times and is given up`);
  }
}

/** Without a worker's name it was handed back unstarted, or by a run that may be repeated. */
function neverStarted({ worker, queued }: TaskSummary): boolean {
  return worker === '' || queued === true;
}

/** Whether the handler ran when its worker was lost. One that waits for input cannot have been the cause. */
function wasRunning(task: TaskSummary): boolean {
  return !neverStarted(task) && task.status !== 'input_required';
}

function interrupted(message: string): TaskError {
  return taskError('interrupted', message);
}

function noHandler(task: TaskRecord): TaskError {
  return taskError('no_handler', `Nothing here runs ${task.tool ?? task.method}`);
}
