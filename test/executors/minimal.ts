// minimal.ts
import { randomUUID } from 'node:crypto';

import type {
  DirectCall,
  ExecutorHost,
  Reservation,
  Slot,
  TaskExecutor,
  TaskRecord,
  TaskRun,
  TaskSummary,
} from '@mcp-codegen/runtime/tasks';
import { taskError } from '@mcp-codegen/runtime/tasks';

/** Without a limit on concurrency a slot is nothing that a handler could leave. */
const NO_SLOT: Slot = { leave: () => undefined, enter: (resume) => resume() };

/**
 * The least that an executor has to do: every task starts at once, in this process. It keeps every promise
 * of an executor.
 */
export class MinimalExecutor implements TaskExecutor {
  readonly worker = randomUUID();
  readonly #leaseMs: number;
  readonly #running = new Map<TaskRun, Promise<void>>();
  /** The fence of each task that this worker has got: an attempt starts once. */
  readonly #fences = new Map<string, number>();
  /** Tasks that the store may have, although it failed. */
  readonly #unconfirmed = new Map<string, TaskSummary>();
  #host!: ExecutorHost;
  #heartbeat = Promise.resolve();
  #closed = false;

  constructor(leaseMs = 10_000) {
    this.#leaseMs = leaseMs;
  }

  async start(host: ExecutorHost): Promise<void> {
    this.#host = host;
    this.#heartbeat = this.#beat();
    await this.#heartbeat;
  }

  reserve(): Reservation {
    return {
      immediate: true,
      submit: (task) => this.#submit(task),
      unconfirmed: (task) => this.#unconfirmed.set(task.id, task),
      cancel: () => undefined,
    };
  }

  async call<T>({ signal, work }: DirectCall<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#closed) throw taskError('closed', 'The server is shutting down');
    return work(NO_SLOT);
  }

  async close(drainMs: number): Promise<void> {
    const { clock, store, report } = this.#host;
    this.#closed = true;
    await this.#heartbeat;
    const drained = new Promise<void>((resolve) => clock.wake(drainMs, resolve, true));
    if (drainMs > 0) await Promise.race([Promise.all(this.#running.values()), drained]);
    const left = [...this.#running.keys()];
    await Promise.all(left.map((run) => run.giveUp().catch(report)));
    await store.renew(this.worker, 0).catch(report);
  }

  #submit(task: TaskRecord): void {
    this.#unconfirmed.delete(task.id);
    if ((this.#fences.get(task.id) ?? 0) >= task.fence) return;
    this.#fences.set(task.id, task.fence);
    const run = this.#host.createRun(task, () => undefined);
    // In a later turn, so that the answer to the creation goes out first.
    this.#host.clock.soon(() => {
      if (this.#closed) return;
      const ended = run.execute(NO_SLOT).catch(this.#host.report);
      this.#running.set(
        run,
        ended.finally(() => this.#running.delete(run)),
      );
    });
  }

  /** Keeps the lease, and takes over the tasks of workers that lost theirs. */
  async #beat(): Promise<void> {
    const { store, clock, timers, adopt, leaves, report } = this.#host;
    try {
      await store.renew(this.worker, clock.now() + this.#leaseMs);
      for (const task of this.#unconfirmed.values()) {
        const stored = await store.get(task);
        if (stored?.worker === this.worker) this.#submit(stored);
      }
      for (const orphan of await store.orphans(clock.now(), 100)) {
        if (await leaves(orphan)) continue;
        // If the store fails, it may have made the change.
        this.#unconfirmed.set(orphan.id, orphan);
        const task = await adopt(orphan, this.worker);
        this.#unconfirmed.delete(orphan.id);
        if (task !== undefined) this.#submit(task);
      }
    } catch (error) {
      report(error);
    }
    if (this.#closed) return;
    timers.after(this.#leaseMs / 4, () => {
      this.#heartbeat = this.#beat();
    });
  }
}
