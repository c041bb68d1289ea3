/** Resolves after these milliseconds. Rejects with the signal's reason when it aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
    const timer = setTimeout(() => {
      end();
      resolve();
    }, ms);
    const abort = (): void => {
      end();
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
}
