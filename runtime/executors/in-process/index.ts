import { randomBytes } from 'node:crypto';

import type {
  DirectCall,
  ExecutorHost,
  Reservation,
  TaskExecutor,
  TaskRecord,
  TaskRun,
  TaskSummary,
} from '../../tasks/index.js';
import { createCalls, type Calls } from './calls.js';
import {
  createAbandonment,
  createOccupant,
  type Occupant,
  type OccupantDependencies,
} from './occupant.js';
import { createRecovery, type Recovery } from './recovery.js';
import { createSlots, type Slots } from './slots.js';

export interface InProcessOptions {
  /** Handlers that run at a time; one that waits for input does not count. Default 512. */
  readonly concurrency?: number;
  /** Handlers of one owner, while no other owner runs any. Default: half of `concurrency`. */
  readonly concurrencyPerOwner?: number;
  /** Milliseconds for which a lease keeps other processes from taking this one's tasks. Default 10,000. */
  readonly leaseMs?: number;
  /** Milliseconds after an abort after which a handler that still runs loses its slot. Default 5,000. */
  readonly abandonMs?: number;
  /** Handlers that may have lost their slots and still run; further ones keep their slots. Default 64. */
  readonly abandoned?: number;
  /** The same for one owner. Default 16. */
  readonly abandonedPerOwner?: number;
  /** Plain calls of one owner that wait for a slot; further ones are refused. Default 1,000. */
  readonly waitingPerOwner?: number;
}

const WORKER_BYTES = 9;

/** Runs handlers in this process. A task that it does not finish is found by a later process. */
export function createInProcessExecutor(options: InProcessOptions = {}): TaskExecutor {
  return new InProcessExecutor(completeOptions(options));
}

class InProcessExecutor implements TaskExecutor {
  // Short, because it is in every live task and in an index of them.
  readonly worker = randomBytes(WORKER_BYTES).toString('base64url');
  readonly #options: Required<InProcessOptions>;
  /** Runs without a slot, and what takes each out of the queue. */
  readonly #waiting = new Map<TaskRun, () => void>();
  readonly #running = new Map<TaskRun, Occupant>();
  /** The fence under which each task waits or runs here: no attempt ever starts twice. */
  readonly #held = new Map<string, number>();
  #onIdle = (): void => undefined;
  // Set by `start`, which the engine calls first.
  #host!: ExecutorHost;
  #slots!: Slots;
  #occupancy!: OccupantDependencies;
  #calls!: Calls;
  #recovery!: Recovery;

  constructor(options: Required<InProcessOptions>) {
    this.#options = options;
  }

  start(host: ExecutorHost): Promise<void> {
    const options = this.#options;
    this.#host = host;
    this.#slots = createSlots({
      ...options,
      soon: (callback) => host.clock.soon(callback),
      onIdle: () => this.#onIdle(),
    });
    this.#occupancy = {
      slots: this.#slots,
      timers: host.timers,
      abandonment: createAbandonment(options),
    };
    this.#calls = createCalls(this.#occupancy, options.waitingPerOwner);
    this.#recovery = createRecovery({
      host,
      worker: this.worker,
      leaseMs: options.leaseMs,
      holds: (task) => this.#holds(task),
      submit: (task) => this.#submit(task, false),
    });
    return this.#recovery.start();
  }

  async reserve(owner: string): Promise<Reservation> {
    await this.#recovery.lease();
    const immediate = this.#slots.take(owner);
    const cancel = (): void => {
      if (immediate) this.#slots.release(owner);
    };
    return {
      immediate,
      cancel,
      submit: (task) => this.#submit(task, immediate),
      unconfirmed: (task) => {
        cancel();
        this.#recovery.unconfirmed(task);
      },
    };
  }

  call<T>(call: DirectCall<T>): Promise<T> {
    return this.#calls.run(call);
  }

  async close(drainMs: number): Promise<void> {
    const { store, report } = this.#host;
    this.#slots.close();
    this.#calls.close();
    await this.#recovery.stop();
    const unstarted = [...this.#waiting.keys()];
    for (const run of unstarted) this.#withdraw(run);
    await this.#giveUp(unstarted);
    await this.#drained(drainMs);
    await this.#giveUp([...this.#running.keys()]);
    await store.renew(this.worker, 0).catch(report);
  }

  #holds({ id, fence }: TaskSummary): boolean {
    return (this.#held.get(id) ?? 0) >= fence;
  }

  /** Runs a task in its turn, unless this very attempt is here already. */
  #submit(task: TaskRecord, reserved: boolean): void {
    const { owner } = task;
    this.#recovery.confirmed(task);
    if (this.#holds(task)) {
      // A creation was acknowledged after this worker had taken the task over: its slot is not needed.
      if (reserved) this.#slots.release(owner);
      return;
    }
    const run = this.#host.createRun(task, () => this.#stopped(task, run));
    this.#held.set(task.id, task.fence);
    const start = (): void => void this.#execute(task, run);
    this.#waiting.set(
      run,
      reserved
        ? // In a later turn, so that the answer to the creation goes out first.
          this.#soon(start, () => this.#slots.release(owner))
        : this.#slots.wait({ owner, resumes: false, start }),
    );
  }

  /** Calls back in a later turn, unless the returned function cancels it before. */
  #soon(callback: () => void, onCancelled: () => void): () => void {
    let cancelled = false;
    this.#host.clock.soon(() => cancelled || callback());
    return () => {
      cancelled = true;
      onCancelled();
    };
  }

  async #execute(task: TaskRecord, run: TaskRun): Promise<void> {
    this.#waiting.delete(run);
    const occupant = createOccupant(this.#occupancy, task.owner, () => run.abandoned());
    this.#running.set(run, occupant);
    try {
      await run.execute(occupant);
    } catch (error) {
      this.#host.report(error);
    } finally {
      this.#running.delete(run);
      this.#release(task);
      occupant.end();
    }
  }

  #stopped(task: TaskRecord, run: TaskRun): void {
    this.#running.get(run)?.stopping();
    if (!this.#waiting.has(run)) return;
    this.#withdraw(run);
    this.#release(task);
  }

  #withdraw(run: TaskRun): void {
    this.#waiting.get(run)?.();
    this.#waiting.delete(run);
  }

  #release({ id, fence }: TaskSummary): void {
    if (this.#held.get(id) === fence) this.#held.delete(id);
  }

  async #drained(drainMs: number): Promise<void> {
    // Handlers that wait for input are not waited for: no answer can arrive any more.
    if (this.#slots.taken === 0 || drainMs <= 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#host.clock.wake(drainMs, resolve, true);
      this.#onIdle = () => {
        cancel();
        resolve();
      };
    });
  }

  /** A run that the store does not let go of is found by others when the lease runs out. */
  async #giveUp(runs: readonly TaskRun[]): Promise<void> {
    await Promise.all(runs.map((run) => run.giveUp().catch(this.#host.report)));
  }
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
