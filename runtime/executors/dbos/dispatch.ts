import type { ExecutorHost, TaskSummary } from '../../tasks/index.js';
import type { WorkflowQueue, WorkflowState } from './queue.js';

/** Checks in one lease of tasks whose start is not known yet. */
const CHECKS_PER_LEASE = 4;
const PAGE = 100;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

export interface DispatchDependencies {
  readonly host: ExecutorHost;
  readonly queue: WorkflowQueue;
  readonly leaseMs: number;
}

interface Entry {
  readonly task: TaskSummary;
  /** On the monotonic clock. */
  checkAt: number;
  /** No living worker has claimed the workflow: what looks claimed is put back. */
  isLost: boolean;
}

/**
 * Hands tasks under this node's name to DBOS, and answers for each until a worker has taken it: a workflow that is
 * missing, because a write failed, or that was claimed by a worker that is gone, is put back into its queue.
 */
export class Dispatch {
  readonly #dependencies: DispatchDependencies;
  readonly #entries = new Map<string, Entry>();
  readonly #inFlight = new Set<Promise<void>>();
  #pending: Entry[] = [];
  #unwatch: (() => void) | undefined;
  #stopped = false;

  constructor(dependencies: DispatchDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    const { host } = this.#dependencies;
    this.#unwatch = host.store.watch?.((change) => {
      const entry = this.#entries.get(change.key.id);
      if (entry === undefined) return;
      const isNews = change.kind === 'removed' || change.version > entry.task.version;
      if (isNews) this.#entries.delete(change.key.id);
    });
    this.#scheduleCheck();
  }

  holds({ id, fence }: TaskSummary): boolean {
    return (this.#entries.get(id)?.task.fence ?? 0) >= fence;
  }

  /** A task was created here, or taken over from a lost worker. */
  submit(task: TaskSummary): void {
    if (this.#stopped) return;
    const { clock, timers } = this.#dependencies.host;
    const delay = backOff(task.attempt);
    const entry = { task, checkAt: clock.monotonic() + delay, isLost: task.fence > 1 };
    this.#entries.set(task.id, entry);
    if (delay > 0) timers.after(delay, () => void this.#check());
    else this.#soon(entry);
  }

  /** A worker has the task. */
  taken({ id }: Pick<TaskSummary, 'id'>): void {
    this.#entries.delete(id);
  }

  /** Resolves when everything that was submitted is handed over, or has failed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unwatch?.();
    this.#flush();
    await Promise.all(this.#inFlight);
  }

  /** Tasks of one turn go together. */
  #soon(entry: Entry): void {
    entry.checkAt = Infinity;
    this.#pending.push(entry);
    if (this.#pending.length === 1) this.#dependencies.host.clock.soon(() => this.#flush());
  }

  #flush(): void {
    const [lost, created] = partition(this.#pending, ({ isLost }) => isLost);
    this.#pending = [];
    for (const entry of created) this.#track(this.#attempt([entry], () => this.#enqueue(entry)));
    for (const page of pagesOf(lost)) this.#track(this.#attempt(page, () => this.#putBack(page)));
  }

  #track(work: Promise<void>): void {
    this.#inFlight.add(work);
    void work.finally(() => this.#inFlight.delete(work));
  }

  /** What fails is tried again at the next check. */
  async #attempt(entries: readonly Entry[], work: () => Promise<void>): Promise<void> {
    const { host, leaseMs } = this.#dependencies;
    // No check while it is under way, however long that takes.
    for (const entry of entries) entry.checkAt = Infinity;
    let pause = leaseMs;
    try {
      await work();
    } catch (error) {
      host.report(error);
      pause = 0;
    }
    for (const entry of entries) entry.checkAt = host.clock.monotonic() + pause;
  }

  #enqueue({ task }: Entry): Promise<void> {
    return this.#dependencies.queue.enqueue(task);
  }

  /** Makes sure that the workflow of each of these tasks, unless it has been taken, is in its queue. */
  async #putBack(entries: readonly Entry[]): Promise<void> {
    const { queue } = this.#dependencies;
    const states = await queue.states(entries.map(({ task }) => task));
    const isIn = (state: WorkflowState) => (entry: Entry) => states.get(entry.task.id) === state;
    const held = await this.#held(entries.filter((entry) => !isIn('queued')(entry)));
    const [lost, claimed] = partition(held.filter(isIn('claimed')), ({ isLost }) => isLost);
    await Promise.all([
      ...held.filter(isIn('missing')).map((entry) => this.#enqueue(entry)),
      ...held.filter(isIn('over')).map(({ task }) => queue.rewind(task)),
      lost.length > 0 && queue.resume(lost.map(({ task }) => task)),
    ]);
    for (const entry of lost) entry.isLost = false;
    // Its worker may be about to take the task. If the task is still ours at the next check, that worker is lost.
    for (const entry of claimed) entry.isLost = true;
  }

  /** Those of the tasks that no worker has taken: the notification about one may have been lost. */
  async #held(entries: readonly Entry[]): Promise<Entry[]> {
    const { store } = this.#dependencies.host;
    const found = await Promise.all(entries.map(({ task }) => store.get(task)));
    return entries.filter((entry, index) => {
      const isHeld = found[index]?.version === entry.task.version;
      // A later attempt may have come meanwhile.
      if (!isHeld && this.#entries.get(entry.task.id) === entry)
        this.#entries.delete(entry.task.id);
      return isHeld;
    });
  }

  #scheduleCheck(): void {
    const { host, leaseMs } = this.#dependencies;
    host.timers.after(leaseMs / CHECKS_PER_LEASE, () => {
      if (this.#stopped) return;
      void this.#check().finally(() => this.#scheduleCheck());
    });
  }

  async #check(): Promise<void> {
    const now = this.#dependencies.host.clock.monotonic();
    const due = [...this.#entries.values()].filter(({ checkAt }) => checkAt <= now);
    for (const page of pagesOf(due)) {
      if (!this.#stopped) await this.#attempt(page, () => this.#putBack(page));
    }
  }
}

/** Milliseconds before a task is run again. The first two runs wait for nothing. */
function backOff(attempt: number): number {
  return attempt <= 2 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (attempt - 3), LONGEST_DELAY_MS);
}

function partition<T>(items: readonly T[], matches: (item: T) => boolean): [T[], T[]] {
  const [yes, no]: [T[], T[]] = [[], []];
  for (const item of items) (matches(item) ? yes : no).push(item);
  return [yes, no];
}

function* pagesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += PAGE) yield items.slice(start, start + PAGE);
}
