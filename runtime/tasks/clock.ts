/** The engine's source of time. A simulation has its own. */
export interface Clock {
  /** Milliseconds since the epoch. Steps forward or back when the machine's time is set. */
  now(): number;
  /** Milliseconds since some moment. Never steps: durations are measured by it. */
  monotonic(): number;
  /**
   * Calls back once after `delayMs` (at most 2^31 - 1); returns a function that cancels it. Keeps the process
   * alive until then only if `holding`.
   */
  wake(delayMs: number, callback: () => void, holding?: boolean): () => void;
  /** Calls back in a later turn of the event loop, after answers that are being written. */
  soon(callback: () => void): void;
}

/** The clock that all processes which share the store agree on, or that of this process. */
export function clockOf(store: { now?(): number }): Clock {
  const now = store.now?.bind(store);
  return now === undefined ? systemClock : { ...systemClock, now };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  wake(delayMs, callback, holding = false) {
    const timer = setTimeout(callback, delayMs);
    if (!holding) unreferenced(timer);
    return () => clearTimeout(timer);
  },
  soon: nextTurn,
};

/** Timers of Node and Bun keep the process alive. Those of other hosts are numbers. */
function unreferenced(timer: ReturnType<typeof setTimeout>): void {
  if (typeof timer === 'object') timer.unref();
}

/**
 * Calls back in a later turn of the event loop. Input and output go on between two turns, so that a chain of them does
 * not hold up other requests.
 */
export function nextTurn<T>(callback: (argument: T) => void, argument?: T): void {
  // Node, Deno and Bun. Looked up at each call, because tests with a clock of their own replace it.
  if (typeof setImmediate === 'function') setImmediate(callback, argument as T);
  // Not a `MessageChannel`: workerd ties it to the request that made it, and another request may not use it.
  else setTimeout(callback, 0, argument as T);
}
