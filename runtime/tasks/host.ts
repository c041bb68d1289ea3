import type { ExecutorHost } from './executor.js';
import { TaskError, taskError } from './errors.js';
import { mayStartAgain } from './handler.js';
import { createLeaving, type LeavingDependencies } from './leaving.js';
import { createLease } from './lease.js';
import type { Running } from './recorder.js';
import { failed, noHandler } from './outcome.js';
import { isTerminal } from '../rules/tasks.js';
import type { Patch } from './transitions.js';
import { type TaskRecord, type TaskSummary, workStatus } from './record.js';
import { HandlerRun, type RunDependencies } from './run.js';
import { attemptsWithoutProgress, isAsleep } from './steps.js';
import { TransientSet } from './transient.js';

export interface HostDependencies
  extends LeavingDependencies, Omit<RunDependencies, 'onEnded' | 'release' | 'running' | 'lease'> {}

/** The engine's half of an executor: runs, and tasks that change hands. */
export function createExecutorHost(
  dependencies: HostDependencies,
): ExecutorHost & { readonly runs: () => Running } {
  const { store, writer, clock, timers, audit, telemetry, limits, handlers, report } = dependencies;
  const running = new TransientSet<HandlerRun>();
  const lease = createLease(clock);
  const forRuns: RunDependencies = { ...dependencies, lease, running, onEnded, release };

  function runs(): Running {
    let [waiting, paused] = [0, 0];
    for (const { latest, slotUse } of running.values()) {
      if (latest.status === 'input_required') waiting += 1;
      else if (slotUse.isWaiting) paused += 1;
    }
    return { running: running.size - waiting - paused, waiting, paused };
  }

  function onEnded(task: TaskRecord): void {
    const status = workStatus(task);
    if (status !== 'completed' && status !== 'failed') return;
    audit(status, task, task.statusMessage);
    telemetry.ended(task);
  }

  async function adopt(orphan: TaskSummary, worker: string): Promise<TaskRecord | undefined> {
    const adopted = await change(orphan, (task) => {
      if (isTerminal(task.status) || task.fence !== orphan.fence) return undefined;
      const why = reasonNotToRun(task);
      if (why !== undefined) return failed(why, limits);
      const attempt = wasRunning(task, clock.now()) ? task.attempt + 1 : task.attempt;
      // Adopting is no start: a worker that is lost before it gets to this task has not run it.
      return { worker, fence: task.fence + 1, attempt, queued: true };
    });
    if (adopted === undefined || isTerminal(adopted.status)) return undefined;
    audit('recovered', adopted);
    telemetry.recovered(adopted);
    return adopted;
  }

  function assign(
    task: TaskSummary,
    worker: string,
    immediate: boolean,
  ): Promise<TaskRecord | undefined> {
    return change(task, ({ status, fence, queued }) =>
      isTerminal(status) || fence !== task.fence || queued !== true
        ? undefined
        : { worker, fence: fence + 1, queued: !immediate },
    );
  }

  async function release(task: TaskRecord, mayRunAgain: boolean): Promise<void> {
    const released = await change(task, ({ status, fence }) => {
      if (isTerminal(status) || fence !== task.fence) return undefined;
      return mayRunAgain
        ? { worker: '', fence: fence + 1 }
        : failed(interrupted('The server shut down while the task ran'), limits);
    });
    if (released !== undefined && mayRunAgain) audit('released', released);
  }

  /** A change in the background, if it still applies; a task that was removed meanwhile is no fault. */
  async function change(
    key: TaskSummary,
    decide: (record: TaskRecord) => Patch | undefined,
  ): Promise<TaskRecord | undefined> {
    try {
      const { task, changed } = await writer.change(key, decide);
      if (!changed) return undefined;
      onEnded(task);
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
    if (!mayStartAgain(handler) && task.steps.length === 0) {
      return interrupted('The task was interrupted: the process that ran it stopped');
    }
    const lost = attemptsWithoutProgress(task);
    if (!wasRunning(task, clock.now()) || lost < limits.attempts) return undefined;
    return interrupted(`The task was interrupted ${task.attempt} times and is given up`);
  }

  return {
    store,
    clock,
    timers,
    report,
    adopt,
    assign,
    leased: (until) => lease.renewed(until),
    leaves: createLeaving(dependencies),
    runs,
    createRun: (task, onStopped) => new HandlerRun(forRuns, task, onStopped),
  };
}

/** Without a worker's name it was handed back unstarted, or by a run that may be repeated. */
function neverStarted({ worker, queued }: TaskSummary): boolean {
  return worker === '' || queued === true;
}

/** Whether the handler ran when its worker was lost. One that waited, for input or in a pause, was not the cause. */
function wasRunning(task: TaskRecord, now: number): boolean {
  return !neverStarted(task) && task.status !== 'input_required' && !isAsleep(task, now);
}

function interrupted(message: string): TaskError {
  return taskError('interrupted', message);
}
