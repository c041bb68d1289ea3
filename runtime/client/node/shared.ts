/**
 * Runs `work` once for all calls that come while it runs. Its signal is aborted when every call has been aborted; the
 * result of a call that is aborted alone does not come earlier.
 */
export function shared<A, T>(
  work: (argument: A, signal: AbortSignal) => Promise<T>,
): (argument: A, signal?: AbortSignal) => Promise<T> {
  let running: { result: Promise<T>; stop: AbortController; callers: number } | undefined;
  return async (argument, signal) => {
    if (running === undefined) {
      const stop = new AbortController();
      const started = { stop, callers: 0, result: work(argument, stop.signal) };
      running = started;
      const end = (): void => {
        if (running === started) running = undefined;
      };
      started.result.then(end, end);
    }
    const current = running;
    current.callers += 1;
    const leave = (): void => {
      current.callers -= 1;
      if (current.callers > 0) return;
      // A later call does not wait for what is being ended.
      if (running === current) running = undefined;
      current.stop.abort();
    };
    if (signal?.aborted === true) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    try {
      return await current.result;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  };
}
