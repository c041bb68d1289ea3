import { groupLength, type GroupLimits } from '../../tasks/index.js';

/** Runs operations together: those of one turn of the event loop, and those that come while others run. */
export interface Batches<Operation, Result> {
  run(operation: Operation): Promise<Result>;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
}

export interface BatchOptions<Operation, Result> {
  /** Does all of them or none, and returns a result for each, in order. */
  readonly work: (operations: readonly Operation[]) => Promise<readonly Result[]>;
  /** Of one batch. */
  readonly limits: GroupLimits;
  /** Characters of the payloads that an operation writes. */
  readonly sizeOf: (operation: Operation) => number;
  /** Batches that run at a time. */
  readonly lanes: number;
  /** Whether a batch failed for one operation's fault, so that each has to be tried alone. */
  readonly isOnesFault: (error: unknown) => boolean;
}

interface Waiting<Operation, Result> {
  readonly operation: Operation;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export function createBatches<Operation, Result>(
  options: BatchOptions<Operation, Result>,
): Batches<Operation, Result> {
  const { work, limits, sizeOf, lanes, isOnesFault } = options;
  type Batch = readonly Waiting<Operation, Result>[];
  const waiting: Waiting<Operation, Result>[] = [];
  let scheduled = false;
  let running = 0;
  let onIdle: (() => void)[] = [];

  function* sizes(): Generator<number> {
    for (const { operation } of waiting) yield sizeOf(operation);
  }

  function schedule(): void {
    if (scheduled || waiting.length === 0 || running >= lanes) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      running += 1;
      void settle(waiting.splice(0, groupLength(sizes(), limits))).finally(() => {
        running -= 1;
        schedule();
        if (running > 0 || waiting.length > 0) return;
        onIdle.forEach((resolve) => resolve());
        onIdle = [];
      });
      schedule();
    });
  }

  async function settle(batch: Batch): Promise<void> {
    try {
      const results = await work(batch.map(({ operation }) => operation));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length > 1 && isOnesFault(error)) {
        for (const one of batch) await settle([one]);
      } else {
        batch.forEach(({ reject }) => reject(error));
      }
    }
  }

  return {
    run: (operation) =>
      new Promise((resolve, reject) => {
        waiting.push({ operation, resolve, reject });
        schedule();
      }),
    idle: () =>
      running === 0 && waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => onIdle.push(resolve)),
  };
}
