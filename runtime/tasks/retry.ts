import type { TimerQueue } from './timer-queue.js';
import { TaskError } from './errors.js';

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
