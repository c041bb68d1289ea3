import { randomBytes } from 'node:crypto';

import type {
  ExecutorHost,
  Job,
  Reservation,
  StartedExecutor,
  TaskExecutor,
  TaskRecord,
  TaskSummary,
} from '../../tasks/index.js';
import { createCalls } from './calls.js';
import {
  createAbandonment,
  createOccupant,
  type Occupant,
  type OccupantDependencies,
} from './occupant.js';
import { createRecovery } from './recovery.js';
import { createSlots } from './slots.js';

export interface InProcessOptions {
  /** Handlers that run at a time; one that waits for input does not count. Default 512. */
  readonly concurrency?: number;
  /** The most of them for one owner, while no other owner runs any. Default: half of them. */
  readonly concurrencyPerOwner?: number;
  /** Milliseconds for which a renewal keeps other processes off this one's tasks. Default 10,000. */
  readonly leaseMs?: number;
  /** Milliseconds after which a handler that was told to stop and runs on loses its slot. Default 5,000. */
  readonly abandonMs?: number;
  /** Handlers that may have lost their slots and still run; further ones keep their slots. Default 64. */
  readonly abandoned?: number;
  /** The same for one owner. Default 16. */
  readonly abandonedPerOwner?: number;
  /** Plain calls of one owner that wait for a slot; further ones are refused. Default 1,000. */
  readonly waitingPerOwner?: number;
}

const WORKER_BYTES = 9;

/** Runs handlers in this process. Whatever it was given and does not finish, a later process finds. */
export function createInProcessExecutor(options: InProcessOptions = {}): TaskExecutor {
  const complete = completeOptions(options);
  // Short, for it is in every live task and in an index of them.
  const worker = randomBytes(WORKER_BYTES).toString('base64url');
  return { worker, start: (host) => start(host, worker, complete) };
}

function completeOptions(given: InProcessOptions): Required<InProcessOptions> {
  const { concurrency = 512 } = given;
  const options = {
    concurrency,
    concurrencyPerOwner: Math.max(Math.floor(concurrency / 2), 1),
    leaseMs: 10_000,
    abandonMs: 5_000,
    abandoned: 64,
    abandonedPerOwner: 16,
    waitingPerOwner: 1_000,
    ...given,
  };
  for (const [name, value] of Object.entries(options)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`${name} must be a positive integer, not ${String(value)}`);
    }
  }
  if (options.concurrencyPerOwner > concurrency) {
    throw new RangeError(
      `concurrencyPerOwner (${options.concurrencyPerOwner}) must not exceed concurrency (${concurrency})`,
    );
  }
  return options;
}

async function start(
  host: ExecutorHost,
  worker: string,
  options: Required<InProcessOptions>,
): Promise<StartedExecutor> {
  const { clock, timers, accept, report } = host;
  /** Jobs without a slot, and what takes each out of the line. */
  const waiting = new Map<Job, () => void>();
  const running = new Map<Job, Occupant>();
  /** The fence under which each task waits or runs here: no attempt ever starts twice. */
  const held = new Map<string, number>();
  let idle = (): void => undefined;

  const slots = createSlots({
    ...options,
    soon: (callback) => clock.soon(callback),
    onIdle: () => idle(),
  });
  const occupancy: OccupantDependencies = {
    slots,
    timers,
    abandonment: createAbandonment(options),
  };
  const calls = createCalls(occupancy, options.waitingPerOwner);
  const { leaseMs } = options;
  const recovery = createRecovery({ host, worker, leaseMs, holds, submit: (task) => submit(task) });

  function holds({ id, fence }: TaskSummary): boolean {
    return (held.get(id) ?? 0) >= fence;
  }

  /** Runs a task in its turn, unless this very attempt is here already. */
  function submit(task: TaskRecord, reserved = false): void {
    recovery.confirmed(task.id);
    if (holds(task)) {
      // A creation was acknowledged after this worker had taken the task over: its slot is not needed.
      if (reserved) slots.release(task.owner);
      return;
    }
    const job = accept(task, () => stopped(task, job));
    held.set(task.id, task.fence);
    const { owner } = task;
    waiting.set(
      job,
      reserved
        ? // In a turn of its own, so that the answer to the creation goes out first.
          soon(
            () => void run(task, job),
            () => slots.release(owner),
          )
        : slots.wait({ owner, resumes: false, start: () => void run(task, job) }),
    );
  }

  /** Calls back in a later turn, unless it is called off before. */
  function soon(callback: () => void, onCalledOff: () => void): () => void {
    let off = false;
    clock.soon(() => off || callback());
    return () => {
      off = true;
      onCalledOff();
    };
  }

  function stopped(task: TaskRecord, job: Job): void {
    running.get(job)?.stopping();
    if (!waiting.has(job)) return;
    withdraw(job);
    release(task);
  }

  function withdraw(job: Job): void {
    waiting.get(job)?.();
    waiting.delete(job);
  }

  function release({ id, fence }: TaskSummary): void {
    if (held.get(id) === fence) held.delete(id);
  }

  async function run(task: TaskRecord, job: Job): Promise<void> {
    waiting.delete(job);
    const occupant = createOccupant(occupancy, task.owner, () => job.abandoned());
    running.set(job, occupant);
    try {
      await job.run(occupant);
    } catch (error) {
      report(error);
    } finally {
      running.delete(job);
      release(task);
      occupant.end();
    }
  }

  async function reserve(owner: string): Promise<Reservation> {
    await recovery.lease();
    const immediate = slots.take(owner);
    const cancel = (): void => {
      if (immediate) slots.release(owner);
    };
    return {
      immediate,
      cancel,
      submit: (task) => submit(task, immediate),
      unconfirmed(task) {
        cancel();
        recovery.unconfirmed(task);
      },
    };
  }

  async function drained(drainMs: number): Promise<void> {
    // Handlers that wait for input are not waited for: no answer can arrive any more.
    if (slots.taken === 0 || drainMs <= 0) return;
    await new Promise<void>((resolve) => {
      const callOff = clock.wake(drainMs, resolve, true);
      idle = () => {
        callOff();
        resolve();
      };
    });
  }

  /** A job that the store does not let go of is found by others when the lease runs out. */
  async function giveUp(jobs: readonly Job[]): Promise<void> {
    await Promise.all(jobs.map((job) => job.giveUp().catch(report)));
  }

  async function close(drainMs: number): Promise<void> {
    slots.close();
    calls.close();
    await recovery.stop();
    const unstarted = [...waiting.keys()];
    unstarted.forEach(withdraw);
    await giveUp(unstarted);
    await drained(drainMs);
    await giveUp([...running.keys()]);
    await host.store.renew(worker, 0).catch(report);
  }

  await recovery.start();
  return { reserve, call: (call) => calls.run(call), close };
}
