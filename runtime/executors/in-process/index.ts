import {
  subjectKeyOf,
  type DirectCall,
  type ExecutorHost,
  type ExecutorUsage,
  type Reservation,
  type TaskExecutor,
  type TaskRecord,
} from '../../tasks/index.js';
import {
  createRecovery,
  newWorkerName,
  Runs,
  withoutUndefined,
  type Recovery,
} from '../shared/index.js';

export interface InProcessOptions {
  /** Handlers that run at a time; one that waits for input does not count. Default 512. */
  readonly concurrency?: number;
  /** Handlers of one subject, a user by way of all clients, while no other subject runs any. Default: half of `concurrency`. */
  readonly concurrencyPerSubject?: number;
  /** Milliseconds for which a lease keeps other processes from taking this one's tasks. Default 10,000. */
  readonly leaseMs?: number;
  /** Milliseconds after an abort after which a handler that still runs loses its slot. Default 5,000. */
  readonly abandonMs?: number;
  /** Handlers that may have lost their slots and still run; further ones keep their slots. Default 64. */
  readonly abandoned?: number;
  /** The same for one subject. Default 16. */
  readonly abandonedPerSubject?: number;
  /** Plain calls of one subject that wait for a slot; further ones are refused. Default 1,000. */
  readonly waitingPerSubject?: number;
}

/** Runs handlers in this process. A task that it does not finish is found by a later process. */
export function createInProcessExecutor(options: InProcessOptions = {}): TaskExecutor {
  return new InProcessExecutor(completeOptions(options));
}

class InProcessExecutor implements TaskExecutor {
  // Short, because it is in every live task and in an index of them.
  readonly worker = newWorkerName();
  readonly #options: Required<InProcessOptions>;
  // Set by `start`, which the engine calls first.
  #runs!: Runs;
  #recovery!: Recovery;

  constructor(options: Required<InProcessOptions>) {
    this.#options = options;
  }

  start(host: ExecutorHost): Promise<void> {
    this.#runs = new Runs(host, this.#options);
    this.#recovery = createRecovery({
      host,
      worker: this.worker,
      leaseMs: this.#options.leaseMs,
      holds: (task) => this.#runs.holds(task),
      submit: (task) => this.#submit(task, false),
    });
    return this.#recovery.start();
  }

  async reserve(subject: string): Promise<Reservation> {
    await this.#recovery.lease();
    const immediate = this.#runs.take(subject);
    const cancel = (): void => {
      if (immediate) this.#runs.release(subject);
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
    return this.#runs.call(call);
  }

  usage(): ExecutorUsage {
    return this.#runs.usage();
  }

  async drain(): Promise<void> {
    this.#runs.close();
    await this.#recovery.stop();
    await this.#runs.giveUpWaiting();
  }

  async close(drainMs: number): Promise<void> {
    await this.drain();
    await this.#runs.drained(drainMs);
    await this.#runs.giveUpRunning();
    await this.#recovery.end();
  }

  /** Runs a task in its turn, unless this very attempt is here already. */
  #submit(task: TaskRecord, reserved: boolean): void {
    this.#recovery.confirmed(task);
    if (!this.#runs.holds(task)) return this.#runs.submit(task, { reserved });
    // A creation was acknowledged after this worker had taken the task over: its slot is not needed.
    if (reserved) this.#runs.release(subjectKeyOf(task));
  }
}

function completeOptions(given: InProcessOptions): Required<InProcessOptions> {
  const { concurrency = 512 } = given;
  const options = {
    concurrency,
    concurrencyPerSubject: Math.max(Math.floor(concurrency / 2), 1),
    leaseMs: 10_000,
    abandonMs: 5_000,
    abandoned: 64,
    abandonedPerSubject: 16,
    waitingPerSubject: 1_000,
    ...withoutUndefined(given),
  };
  for (const [name, value] of Object.entries(options)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`${name} must be a positive integer, not ${String(value)}`);
    }
  }
  if (options.concurrencyPerSubject > concurrency) {
    throw new RangeError(
      `concurrencyPerSubject (${options.concurrencyPerSubject}) must not exceed concurrency (${concurrency})`,
    );
  }
  return options;
}
