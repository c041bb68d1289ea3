import type { Clock, TimerQueue } from './clock.js';
import { TaskError } from './errors.js';

/** A promise and its ends. Its rejection is never "unhandled", because it may be awaited later, or never. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

/** Resolves when `work` has settled, or after `ms` milliseconds. Meanwhile it keeps the process alive. */
export async function atMost(
  clock: Pick<Clock, 'wake'>,
  ms: number,
  work: Promise<unknown>,
): Promise<void> {
  let cancel = (): void => undefined;
  const enough = new Promise<void>((resolve) => (cancel = clock.wake(ms, resolve, true)));
  await Promise.race([work.catch(() => undefined), enough]);
  cancel();
}

export interface RetryDependencies {
  readonly timers: TimerQueue;
  /** Receives every fault. */
  readonly report: (error: unknown) => void;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/**
 * Tries `work` until the store lets it succeed, at growing intervals, as long as it is `wanted`.
 * Resolves with undefined once it is not wanted. A `TaskError` is an answer, not a fault, and passes through.
 */
export async function retry<T>(
  { timers, report }: RetryDependencies,
  wanted: () => boolean,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (let delay = FIRST_DELAY_MS; wanted(); delay = Math.min(2 * delay, LONGEST_DELAY_MS)) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof TaskError) throw error;
      report(error);
      await new Promise<void>((resolve) => timers.after(delay, resolve));
    }
  }
  return undefined;
}
