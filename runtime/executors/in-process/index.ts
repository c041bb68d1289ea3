import { randomUUID } from 'node:crypto';

import type { ExecutorHost, TaskExecutor, TaskRecord } from '../../tasks/index.js';
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

/** Runs handlers in this process. Whatever it was given and does not finish, a later process finds. */
export function createInProcessExecutor(options: InProcessOptions = {}): TaskExecutor {
  const { concurrency = 256, leaseMs = 10_000 } = options;
  for (const [name, value] of Object.entries({ concurrency, leaseMs })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`${name} must be a positive integer, not ${String(value)}`);
    }
  }
  const worker = randomUUID();
  const queue = createFairQueue<TaskRecord>();
  const running = new Map<string, TaskRecord>();
  let host: ExecutorHost | undefined;
  let active = 0;
  let pumping = false;
  let closing = false;
  let beating = Promise.resolve();
  let idle = (): void => undefined;

  /** Starts handlers from a turn of their own, so that the answer to the creation goes out first. */
  function pump(): void {
    if (pumping || host === undefined) return;
    pumping = true;
    host.clock.soon(() => {
      pumping = false;
      while (!closing && active < concurrency) {
        const task = queue.shift();
        if (task === undefined) return;
        void run(task);
      }
    });
  }

  async function run(task: TaskRecord): Promise<void> {
    if (host === undefined) return;
    let waiting = false;
    active += 1;
    running.set(task.id, task);
    try {
      await host.run(task, (nowWaiting) => {
        waiting = nowWaiting;
        free(nowWaiting ? 1 : -1);
      });
    } catch (error) {
      host.report(error);
    } finally {
      if (running.get(task.id) === task) running.delete(task.id);
      if (!waiting) free(1);
    }
  }

  function free(places: 1 | -1): void {
    active -= places;
    if (active === 0) idle();
    pump();
  }

  function submit(task: TaskRecord): void {
    queue.push(task);
    pump();
  }

  async function beat(renewed: ExecutorHost): Promise<void> {
    const { store, clock, agenda, report } = renewed;
    const now = clock.now();
    try {
      await store.renew(worker, now + leaseMs);
      await takeOver(renewed);
    } catch (error) {
      report(error);
    }
    if (closing) return;
    agenda.at(now + leaseMs / RENEWALS_PER_LEASE, () => {
      beating = beat(renewed);
    });
  }

  async function takeOver({ store, clock, adopt }: ExecutorHost): Promise<void> {
    for (;;) {
      const orphans = await store.orphans(clock.now(), ORPHANS_AT_A_TIME);
      const adopted = await Promise.all(orphans.map((orphan) => adopt(orphan, worker)));
      for (const task of adopted) {
        if (task !== undefined) submit(task);
      }
      if (closing) return;
      if (orphans.length < ORPHANS_AT_A_TIME) return;
    }
  }

  return {
    worker,
    submit,
    async start(given) {
      host = given;
      await beat(given);
    },
    async close(drainMs) {
      closing = true;
      if (host === undefined) return;
      const { clock, store, giveUp } = host;
      await beating;
      const unstarted: TaskRecord[] = [];
      for (let task = queue.shift(); task !== undefined; task = queue.shift()) unstarted.push(task);
      await Promise.all(unstarted.map((task) => giveUp(task, false)));
      // Handlers that wait for input are not waited for: no answer can arrive any more.
      if (active > 0) {
        await new Promise<void>((resolve) => {
          const callOff = clock.wake(drainMs, resolve, true);
          idle = () => {
            callOff();
            resolve();
          };
        });
      }
      await Promise.all([...running.values()].map((task) => giveUp(task, true)));
      await store.renew(worker, 0);
    },
  };
}
