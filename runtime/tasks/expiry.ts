import type { Clock } from './clock.js';
import type { TimerQueue } from './timer-queue.js';
import type { TaskSummary } from './record.js';
import type { TaskStore } from './store.js';

/** Tasks removed in one batch; other work runs between batches. */
const BATCH = 500;
/** How often to look when the store is shared, because tasks of other processes may expire earlier. */
const LONGEST_REST_MS = 60_000;
const REST_AFTER_FAULT_MS = 1_000;

/** Removes tasks when they expire. It keeps only the next moment of expiry; the store's index has the others. */
export interface Expirer {
  /** A task expires at this time. */
  due(at: number): void;
  /** Removes the tasks that have expired, without waiting for the timer. */
  sweep(): Promise<void>;
}

export function createExpirer(dependencies: {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly timers: TimerQueue;
  readonly onRemoved: (task: TaskSummary) => void;
  readonly onFault: (error: unknown) => void;
}): Expirer {
  const { store, clock, timers, onRemoved, onFault } = dependencies;
  const longestRest = store.watch === undefined ? Infinity : LONGEST_REST_MS;
  let nextAt = Infinity;
  let cancel = (): void => undefined;
  let cancelRest = (): void => undefined;

  function due(at: number): void {
    if (at >= nextAt) return;
    cancel();
    nextAt = at;
    cancel = timers.at(at, () => {
      nextAt = Infinity;
      void sweep();
    });
  }

  function rest(delayMs: number): void {
    cancelRest();
    if (delayMs !== Infinity) cancelRest = timers.after(delayMs, () => void sweep());
  }

  async function sweep(): Promise<void> {
    try {
      const { removed, next } = await store.expire(clock.now(), BATCH);
      removed.forEach(onRemoved);
      if (next !== undefined) due(next);
      rest(longestRest);
    } catch (error) {
      onFault(error);
      rest(REST_AFTER_FAULT_MS);
    }
  }

  due(clock.now());
  return { due, sweep };
}
