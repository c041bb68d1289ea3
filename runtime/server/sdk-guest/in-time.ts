import { LazyAbort } from '../../peer/index.js';
import type { Abort } from '../../tasks/index.js';

/** Milliseconds in which a guest has to connect, and to send a list. Its tools may take longer. */
export const PATIENCE = 10_000;

/** Rejects, and aborts the signal of `work`, when `work` takes too long, or `other` is aborted. */
export async function inTime<T>(
  what: string,
  ms: number,
  work: (signal: Abort) => Promise<T>,
  other?: Abort,
): Promise<T> {
  const abort = new LazyAbort();
  const cancel = (): void => abort.abort(other?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<undefined>((resolve) => {
    abort.onAbort(() => resolve(undefined));
    timer = setTimeout(() => abort.abort(new Error(`${what} took longer than ${ms} ms`)), ms);
    other?.addEventListener('abort', cancel, { once: true });
  });
  try {
    const result = await Promise.race([work(abort), ended]);
    abort.throwIfAborted();
    return result as T;
  } finally {
    clearTimeout(timer);
    other?.removeEventListener('abort', cancel);
  }
}
