import type { ExecutorHost } from './executor.js';
import { TaskError, taskError } from './errors.js';
import { mayStartAgain, type HandlerLookup } from './handler.js';
import { createLease, HandlerRun, type RunDependencies, TransientSet } from './run.js';
import type { Running } from './recorder.js';
import { failed, noHandler } from './outcome.js';
import { isTerminal } from '../rules/tasks.js';
import type { Patch } from './transitions.js';
import { type TaskRecord, type TaskSummary, workStatus } from './record.js';
import { attemptsWithoutProgress, isAsleep } from './steps.js';
import type { Clock } from './clock.js';
import type { TaskStore } from './store.js';

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

/** How long tasks that a process cannot run are left to others: longer than old and new code run side by side. */
const LEFT_MS = 60_000;

interface LeavingDependencies {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly handlers: HandlerLookup;
  /** Gets each task that this process leaves to others, once. */
  readonly onLeft: (task: TaskSummary, why: string) => void;
}

/**
 * Whether this process leaves a task to others, as in a rolling deployment: it lacks the tool, or refuses the arguments
 * that another version of the tool accepted. After a while it does not: then no process can run the task, and it fails.
 */
function createLeaving({
  store,
  clock,
  handlers,
  onLeft,
}: LeavingDependencies): (task: TaskSummary | TaskRecord) => Promise<boolean> {
  /** Since when this process has met each task. */
  const met = new Map<string, number>();

  function forgetOld(now: number): void {
    for (const [id, since] of met) {
      if (since >= now - 2 * LEFT_MS) return;
      met.delete(id);
    }
  }

  async function unfit(task: TaskSummary | TaskRecord): Promise<string | undefined> {
    const handler = handlers(task);
    if (handler === undefined) {
      // A store of several servers has a clock for all of them. SQLite has one server, which `watch` is for.
      return store.now === undefined ? undefined : 'this version of the server lacks the tool';
    }
    if (handler.refuses === undefined) return undefined;
    const { args } = 'args' in task ? task : ((await store.get(task)) ?? {});
    if (args === undefined) return undefined;
    try {
      return await handler.refuses(JSON.parse(args));
    } catch {
      // The run shows what is wrong with the check.
      return undefined;
    }
  }

  return async (task) => {
    const now = clock.monotonic();
    forgetOld(now);
    const since = met.get(task.id);
    if (since !== undefined) return now - since < LEFT_MS;
    const why = await unfit(task);
    if (why === undefined) return false;
    if (!met.has(task.id)) {
      met.set(task.id, now);
      onLeft(task, `A task of ${task.tool ?? task.method} is left to other servers: ${why}`);
    }
    return true;
  };
}
