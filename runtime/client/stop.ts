import { deferred } from '../tasks/index.js';
import { callError, type CallError } from './errors.js';
import { startTimer } from './pacing.js';
import type { FollowOptions } from './types.js';

/** Ends a call when the caller's signal is aborted or its timeout has passed. */
export interface Stop {
  /** Aborted with a `CallError`: `cancelled` or `timeout`. */
  readonly signal: AbortSignal;
  /** Rejects with the same error. */
  readonly reached: Promise<never>;
  /** Removes the timer and the listener. */
  release(): void;
}

export function createStop({ signal, timeout }: FollowOptions): Stop {
  const controller = new AbortController();
  const end = (error: CallError): void => controller.abort(error);
  const abort = (): void => end(callError('cancelled', 'The call was cancelled', signal?.reason));
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const timer =
    timeout === undefined
      ? undefined
      : startTimer(timeout, () =>
          end(callError('timeout', `The call took longer than ${timeout} ms`)),
        );
  const reached = new Promise<never>((_, reject) => {
    const fail = (): void => reject(controller.signal.reason as Error);
    if (controller.signal.aborted) fail();
    controller.signal.addEventListener('abort', fail, { once: true });
  });
  reached.catch(() => undefined);
  return {
    signal: controller.signal,
    reached,
    release() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** The outcome of `work`. Rejects with `timeout`, and a message that begins with `late`, when it takes longer. */
export async function within<T>(ms: number, work: Promise<T>, late: string): Promise<T> {
  const stop = deferred<never>();
  const fail = (): void => stop.reject(callError('timeout', `${late} within ${ms} ms`));
  const timer = startTimer(ms, fail);
  try {
    return await Promise.race([work, stop.promise]);
  } finally {
    clearTimeout(timer);
  }
}
