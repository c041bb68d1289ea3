import {
  type ExecutorHost,
  randomText,
  type TaskRecord,
  type TaskSummary,
} from '../../tasks/index.js';

/** Heartbeats in one lease: two may be late before the lease is lost. Each also looks for orphans. */
const RENEWALS_PER_LEASE = 4;
/** The part of a lease in which no other worker takes over: clocks differ, and a renewal takes time. */
const CERTAIN_PART = 0.9;
const PAGE = 100;
const WORKER_BYTES = 9;

/** Keeps this worker's lease and takes over tasks of workers that lost theirs. */
export interface Recovery {
  /** Starts the heartbeats. Resolves after the first, whether or not the store worked. */
  start(): Promise<void>;
  /** Resolves while the store has this worker's lease. Renews one that has run out. Rejects with the store's error. */
  lease(): Promise<void>;
  /**
   * Records a task whose last write failed without an answer: the store may have it under this worker's
   * name. Later heartbeats read it and run it if so.
   */
  unconfirmed(task: TaskSummary): void;
  /** This attempt is about to run here, so no later heartbeat looks for it, or for an earlier one. */
  confirmed(task: TaskSummary): void;
  /** Takes nothing over any more. The lease is still renewed, for handlers that are to finish. */
  stop(): Promise<void>;
  /** Ends the heartbeats and gives the lease up. */
  end(): Promise<void>;
}

export interface RecoveryDependencies {
  readonly host: ExecutorHost;
  readonly worker: string;
  readonly leaseMs: number;
  /** Whether this worker already has this attempt: this task under this fence. */
  readonly holds: (task: TaskSummary) => boolean;
  readonly submit: (task: TaskRecord) => void;
}

interface Unconfirmed {
  readonly task: TaskSummary;
  readonly until: number;
}

/** A name that no other process has. Short, because it is in every live task and in an index of them. */
export function newWorkerName(): string {
  return randomText(WORKER_BYTES);
}

export function createRecovery(dependencies: RecoveryDependencies): Recovery {
  const { host, worker, leaseMs, holds, submit } = dependencies;
  const { store, clock, timers, adopt, report } = host;
  const unconfirmed = new Map<string, Unconfirmed>();
  /** All on the monotonic clock. */
  let leasedUntil = -Infinity;
  let renewedAt: number | undefined;
  let othersSparedUntil = -Infinity;
  let renewing: Promise<void> | undefined;
  let stopped = false;
  let ended = false;
  let beat = Promise.resolve();
  let pass: Promise<void> | undefined;

  async function renew(): Promise<void> {
    const asked = clock.monotonic();
    await store.renew(worker, clock.now() + leaseMs);
    // The store may have been away for all workers: those that live renew their leases now too.
    if (asked - (renewedAt ?? asked) > leaseMs / 2) othersSparedUntil = clock.monotonic() + leaseMs;
    renewedAt = asked;
    leasedUntil = asked + leaseMs * CERTAIN_PART;
    host.leased(leasedUntil);
  }

  /** Renews first, and does not wait for a pass that takes longer: the lease would run out meanwhile. */
  async function heartbeat(): Promise<void> {
    // Counted from its start, so that a slow store delays no heartbeat.
    const started = clock.monotonic();
    const renewed = await succeeds(renew);
    if (ended) return;
    const next = started + leaseMs / RENEWALS_PER_LEASE;
    timers.after(next - clock.monotonic(), () => {
      if (!ended) beat = heartbeat();
    });
    if (!renewed || stopped) return;
    pass ??= succeeds(lookForTasks).then(() => void (pass = undefined));
    await pass;
  }

  async function lookForTasks(): Promise<void> {
    await confirm();
    await takeOver();
  }

  async function succeeds(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      report(error);
      return false;
    }
  }

  /** Finds tasks that were stored although their write failed. Otherwise they would be held here and never run. */
  async function confirm(): Promise<void> {
    for (const [id, entry] of unconfirmed) {
      const found = await store.get(entry.task);
      // It may have been submitted meanwhile, or have failed again.
      if (unconfirmed.get(id) !== entry) continue;
      const ours = found?.worker === worker;
      if (ours || entry.until <= clock.monotonic()) unconfirmed.delete(id);
      if (ours) submit(found);
    }
  }

  /**
   * Takes orphans over page by page. Orphans that fail are left to the next heartbeat. A page that fails as a
   * whole ends the pass, because then the store is at fault and the rest would fail as well.
   */
  async function takeOver(): Promise<void> {
    const left = new Set<string>();
    while (!stopped) {
      // Twice, so that many that are left are read a few times only.
      const limit = PAGE + 2 * left.size;
      const found = await store.orphans(clock.now(), limit);
      found.filter(isLeft).forEach(({ id }) => left.add(id));
      const next = found.filter(({ id }) => !left.has(id)).slice(0, PAGE);
      const taken = await Promise.all(next.map(take));
      next.forEach(({ id }, index) => taken[index] !== 'taken' && left.add(id));
      if (next.length > 0 && taken.every((each) => each === 'failed')) return;
      if (next.length < PAGE && found.length < limit) return;
    }
  }

  function isLeft(orphan: TaskSummary): boolean {
    // The lease was renewed late: a task that this worker holds looks like an orphan but still runs here.
    if (holds(orphan)) return true;
    return orphan.worker !== worker && isSpared(orphan);
  }

  function isSpared(orphan: TaskSummary): boolean {
    return orphan.worker !== '' && clock.monotonic() < othersSparedUntil;
  }

  async function take(orphan: TaskSummary): Promise<'taken' | 'left' | 'failed'> {
    // Stored under this worker's name by a write that seemed to fail: the next heartbeat runs it.
    if (orphan.worker === worker) {
      markUnconfirmed(orphan);
      return 'left';
    }
    try {
      if (await host.leaves(orphan)) return 'left';
      const adopted = await adopt(orphan, worker);
      if (adopted !== undefined) submit(adopted);
      return 'taken';
    } catch (error) {
      report(error);
      markUnconfirmed(orphan);
      return 'failed';
    }
  }

  function markUnconfirmed(task: TaskSummary): void {
    const before = unconfirmed.get(task.id)?.task;
    const newest = before !== undefined && before.fence > task.fence ? before : task;
    unconfirmed.set(task.id, { task: newest, until: clock.monotonic() + leaseMs });
  }

  return {
    start: () => (beat = heartbeat()),
    async lease() {
      if (clock.monotonic() < leasedUntil) return;
      await (renewing ??= renew().finally(() => (renewing = undefined)));
    },
    unconfirmed: markUnconfirmed,
    confirmed({ id, fence }) {
      // A creation that is acknowledged late confirms nothing about a take-over since then.
      const entry = unconfirmed.get(id);
      if (entry !== undefined && entry.task.fence <= fence) unconfirmed.delete(id);
    },
    async stop() {
      stopped = true;
      await pass;
    },
    async end() {
      ended = true;
      await beat;
      await succeeds(() => store.renew(worker, 0));
    },
  };
}
