import {
  type Abort,
  atMost,
  type DirectCall,
  type ExecutorHost,
  type ExecutorUsage,
  overLimit,
  type StepWrapper,
  subjectKeyOf,
  taskError,
  type TaskRecord,
  type TaskRun,
  type TaskSummary,
  TransientSet,
} from '../../tasks/index.js';
import {
  createAbandonment,
  createOccupant,
  type Occupant,
  type OccupantDependencies,
  createSlots,
  type Slots,
} from './slots.js';

/** Handlers of one process. Every number is a positive integer. */
export interface RunLimits {
  readonly concurrency: number;
  readonly concurrencyPerSubject: number;
  readonly abandonMs: number;
  readonly abandoned: number;
  readonly abandonedPerSubject: number;
  readonly waitingPerSubject: number;
}

export interface RunOptions {
  /** The run has a slot already, from {@link Runs.take}. */
  readonly reserved?: boolean;
  readonly wrapStep?: StepWrapper;
  /** Called once: when the handler has ended, or the run was stopped or given up before. */
  readonly onOver?: (how: 'ended' | 'stopped') => void;
}

interface Attempt {
  readonly task: TaskRecord;
  readonly run: TaskRun;
  readonly options: RunOptions;
  /** Takes the run out of the queue for a slot, while it waits for one. */
  withdraw?: (() => void) | undefined;
  occupant?: Occupant;
  /** Takes the run out of those that wait. */
  leave?: () => void;
  isOver?: true;
}

/** Runs attempts and plain calls in the slots of this process. No attempt starts twice. */
export class Runs {
  readonly #host: ExecutorHost;
  readonly #concurrency: number;
  readonly #slots: Slots;
  readonly #occupancy: OccupantDependencies;
  readonly #waitingPerSubject: number;
  /** Of plain calls that wait for a slot. */
  readonly #refusals = new Set<(reason: Error) => void>();
  #takesCalls = true;
  readonly #waiting = new TransientSet<Attempt>();
  readonly #running = new TransientSet<Attempt>();
  /** The fence under which each task waits or runs here. */
  readonly #fences = new Map<string, number>();
  #closed = false;

  constructor(host: ExecutorHost, limits: RunLimits) {
    this.#host = host;
    this.#concurrency = limits.concurrency;
    this.#slots = createSlots({
      ...limits,
      soon: (callback) => host.clock.soon(callback),
    });
    this.#occupancy = {
      slots: this.#slots,
      timers: host.timers,
      abandonment: createAbandonment(limits),
    };
    this.#waitingPerSubject = limits.waitingPerSubject;
  }

  usage(): ExecutorUsage {
    const { taken, queued } = this.#slots;
    return { slots: this.#concurrency, taken, queued };
  }

  /** Takes a slot for a run that is about to be submitted; false when it would have to wait. */
  take(subject: string): boolean {
    return !this.#closed && this.#slots.take(subject);
  }

  /** Gives back a slot from {@link take} that no run got. */
  release(subject: string): void {
    this.#slots.release(subject);
  }

  /** Whether this attempt, or a later one of its task, waits or runs here. */
  holds({ id, fence }: TaskSummary): boolean {
    return (this.#fences.get(id) ?? 0) >= fence;
  }

  /** Handlers that wait for input, or to go on after that. */
  get away(): number {
    return this.#running.values().filter(({ occupant }) => occupant?.isAway() === true).length;
  }

  /** Runs a plain call, in the same slots as tasks. */
  async call<T>({ subject, signal, work, onAbandoned }: DirectCall<T>): Promise<T> {
    signal.throwIfAborted();
    if (!this.#takesCalls) throw closedError();
    if (!this.#slots.take(subject)) await this.#turn(subject, signal);
    const occupant = createOccupant(this.#occupancy, subject, onAbandoned);
    const stopping = (): void => occupant.stopping();
    signal.addEventListener('abort', stopping, { once: true });
    try {
      return await work(occupant);
    } finally {
      signal.removeEventListener('abort', stopping);
      occupant.end();
    }
  }

  /** Resolves when the subject has a slot for a call. */
  #turn(subject: string, signal: Abort): Promise<void> {
    if (this.#slots.waiting(subject) >= this.#waitingPerSubject) {
      throw overLimit('waitingPerSubject', this.#waitingPerSubject, RETRY_AFTER_MS);
    }
    return new Promise((resolve, reject) => {
      const abort = (): void => refuse(asError(signal.reason));
      const settle = (): void => {
        this.#refusals.delete(refuse);
        signal.removeEventListener('abort', abort);
      };
      const start = (): void => {
        settle();
        resolve();
      };
      const withdraw = this.#slots.wait({ subject, resumes: false, start });
      const refuse = (reason: Error): void => {
        settle();
        withdraw();
        reject(reason);
      };
      this.#refusals.add(refuse);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** Runs a task in its turn. The caller has made sure that this process does not hold the attempt. */
  submit(task: TaskRecord, options: RunOptions = {}): void {
    const subject = subjectKeyOf(task);
    const run = this.#host.createRun(task, () => this.#stopped(attempt));
    const attempt: Attempt = { task, run, options };
    this.#fences.set(task.id, task.fence);
    const start = (): void => void this.#execute(attempt);
    attempt.leave = this.#waiting.add(attempt);
    if (this.#closed) {
      if (options.reserved === true) this.#slots.release(subject);
      return;
    }
    attempt.withdraw =
      options.reserved === true
        ? // In a later turn, so that the answer to the creation goes out first.
          this.#soon(start, () => this.#slots.release(subject))
        : this.#slots.wait({ subject, resumes: false, start });
  }

  /** Starts no more runs. Plain calls go on, also those that wait for a slot. */
  close(): void {
    this.#closed = true;
    for (const attempt of this.#waiting.values()) {
      attempt.withdraw?.();
      attempt.withdraw = undefined;
    }
  }

  /** Gives up the runs that wait for a slot. Call {@link close} before. */
  giveUpWaiting(): Promise<void> {
    const waiting = this.#waiting.values();
    waiting.forEach((attempt) => this.#withdraw(attempt));
    return this.#giveUp(waiting);
  }

  /** Refuses plain calls too. */
  giveUpRunning(): Promise<void> {
    this.#takesCalls = false;
    this.#refusals.forEach((refuse) => refuse(closedError()));
    return this.#giveUp(this.#running.values());
  }

  /** Resolves when every slot is free and no call waits for one, or after `drainMs` milliseconds. */
  async drained(drainMs: number): Promise<void> {
    // Handlers that wait for input are not waited for: their clients have left, or are waited for where they came in.
    const { taken, queued } = this.#slots;
    if (taken + queued === 0 || drainMs <= 0) return;
    await atMost(
      this.#host.clock,
      drainMs,
      new Promise<void>((resolve) => (this.#slots.onIdle = resolve)),
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

  async #execute(attempt: Attempt): Promise<void> {
    const { task, run, options } = attempt;
    attempt.withdraw = undefined;
    attempt.leave?.();
    const occupant = createOccupant(this.#occupancy, subjectKeyOf(task), () => run.abandoned());
    attempt.occupant = occupant;
    const leave = this.#running.add(attempt);
    try {
      await run.execute(occupant, options.wrapStep);
    } catch (error) {
      this.#host.report(error);
    } finally {
      leave();
      this.#forget(task);
      occupant.end();
      this.#over(attempt, 'ended');
    }
  }

  #stopped(attempt: Attempt): void {
    attempt.occupant?.stopping();
    if (attempt.occupant === undefined) {
      this.#withdraw(attempt);
      this.#forget(attempt.task);
    }
    this.#over(attempt, 'stopped');
  }

  #withdraw(attempt: Attempt): void {
    attempt.withdraw?.();
    attempt.withdraw = undefined;
    attempt.leave?.();
  }

  #forget({ id, fence }: TaskSummary): void {
    if (this.#fences.get(id) === fence) this.#fences.delete(id);
  }

  #over(attempt: Attempt, how: 'ended' | 'stopped'): void {
    if (attempt.isOver) return;
    attempt.isOver = true;
    attempt.options.onOver?.(how);
  }

  /** A run that the store does not let go of is found by others when the lease runs out. */
  async #giveUp(attempts: readonly Attempt[]): Promise<void> {
    await Promise.all(
      attempts.map(async (attempt) => {
        await attempt.run.giveUp().catch(this.#host.report);
        this.#over(attempt, 'stopped');
      }),
    );
  }
}

/** Suggested to a caller with too many waiting calls. */
const RETRY_AFTER_MS = 1_000;

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

function closedError(): Error {
  return taskError('closed', 'The server is shutting down');
}

/** Options without those that are undefined, which would replace a default. */
export function withoutUndefined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
