import { randomBytes } from 'node:crypto';

import type {
  ExecutorHost,
  Job,
  StartedExecutor,
  TaskExecutor,
  TaskRecord,
  TaskSummary,
} from '../../tasks/index.js';
import { createFairQueue } from './fair-queue.js';

export interface InProcessOptions {
  /** Handlers that run at a time; one that waits for input does not count. Default 256. */
  readonly concurrency?: number;
  /** Milliseconds for which a renewal keeps other processes off this one's tasks. Default 10,000. */
  readonly leaseMs?: number;
}

/** Renewals a lease: two may be late before it is lost, and orphans are looked for as often. */
const RENEWALS_PER_LEASE = 4;
const ORPHANS_AT_A_TIME = 100;
const WORKER_BYTES = 9;

/** Runs handlers in this process. Whatever it was given and does not finish, a later process finds. */
export function createInProcessExecutor(options: InProcessOptions = {}): TaskExecutor {
  const { concurrency = 256, leaseMs = 10_000 } = options;
  for (const [name, value] of Object.entries({ concurrency, leaseMs })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`${name} must be a positive integer, not ${String(value)}`);
    }
  }
  // Short, for it is in every live task and in an index of them.
  const worker = randomBytes(WORKER_BYTES).toString('base64url');
  return {
    worker,
    start: (host) => start(host, { worker, concurrency, leaseMs }),
  };
}

async function start(
  host: ExecutorHost,
  { worker, concurrency, leaseMs }: Required<InProcessOptions> & { readonly worker: string },
): Promise<StartedExecutor> {
  const { store, clock, agenda, accept, adopt, report } = host;
  const queue = createFairQueue<Job>();
  const running = new Set<Job>();
  /** Tasks that may carry our name without our knowing, and until when to look for them. */
  const doubtful = new Map<string, { readonly task: TaskSummary; readonly until: number }>();
  let active = 0;
  let pumping = false;
  let closing = false;
  let beating = Promise.resolve();
  let idle = (): void => undefined;

  function submit(task: TaskRecord): void {
    queue.push(accept(task));
    pump();
  }

  /** Starts handlers from a turn of their own, so that the answer to the creation goes out first. */
  function pump(): void {
    if (pumping) return;
    pumping = true;
    clock.soon(() => {
      pumping = false;
      while (!closing && active < concurrency) {
        const job = queue.shift();
        if (job === undefined) return;
        void run(job);
      }
    });
  }

  async function run(job: Job): Promise<void> {
    let waiting = false;
    active += 1;
    running.add(job);
    try {
      await job.run((nowWaiting) => {
        waiting = nowWaiting;
        free(nowWaiting ? 1 : -1);
      });
    } catch (error) {
      report(error);
    } finally {
      running.delete(job);
      if (!waiting) free(1);
    }
  }

  function free(places: 1 | -1): void {
    active -= places;
    if (active === 0) idle();
    pump();
  }

  /** Keeps the lease, and looks for tasks whose worker did not keep its own. */
  async function beat(): Promise<void> {
    const now = clock.now();
    try {
      await store.renew(worker, now + leaseMs);
      await settleDoubts();
      await takeOver();
    } catch (error) {
      report(error);
    }
    if (closing) return;
    agenda.at(now + leaseMs / RENEWALS_PER_LEASE, () => {
      beating = beat();
    });
  }

  async function takeOver(): Promise<void> {
    for (let found = ORPHANS_AT_A_TIME; found === ORPHANS_AT_A_TIME && !closing;) {
      const orphans = await store.orphans(clock.now(), ORPHANS_AT_A_TIME);
      const adopted = await Promise.all(orphans.map(adoptOrDoubt));
      for (const task of adopted) {
        if (task !== undefined) submit(task);
      }
      found = orphans.length;
    }
  }

  async function adoptOrDoubt(orphan: TaskSummary): Promise<TaskRecord | undefined> {
    try {
      return await adopt(orphan, worker);
    } catch (error) {
      report(error);
      doubt(orphan);
      return undefined;
    }
  }

  function doubt(task: TaskSummary): void {
    doubtful.set(task.id, { task, until: clock.now() + leaseMs });
  }

  /** Without this, a task stored just as the answer was lost would be ours for ever and never run. */
  async function settleDoubts(): Promise<void> {
    for (const [id, { task, until }] of doubtful) {
      const found = await store.get(task);
      const ours = found?.worker === worker;
      if (ours || until <= clock.now()) doubtful.delete(id);
      if (ours) submit(found);
    }
  }

  async function drained(drainMs: number): Promise<void> {
    // Handlers that wait for input are not waited for: no answer can arrive any more.
    if (active === 0 || drainMs <= 0) return;
    await new Promise<void>((resolve) => {
      const callOff = clock.wake(drainMs, resolve, true);
      idle = () => {
        callOff();
        resolve();
      };
    });
  }

  /** Without the store there is nobody to give a job up to; the lease will run out instead. */
  async function giveUp(jobs: Iterable<Job>): Promise<void> {
    await Promise.all(Array.from(jobs, (job) => job.giveUp().catch(report)));
  }

  async function close(drainMs: number): Promise<void> {
    closing = true;
    await beating;
    await giveUp(queue.drain());
    await drained(drainMs);
    await giveUp(running);
    await store.renew(worker, 0).catch(report);
  }

  await beat();
  return { submit, doubt, close };
}
