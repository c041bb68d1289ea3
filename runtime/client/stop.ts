import { callError, type CallError } from './errors.js';
import type { FollowOptions } from './types.js';

/** The caller's wish to end a call: by signal, or because its time is up. */
export interface Stop {
  /** Aborted with a `CallError`: `cancelled` or `timeout`. */
  readonly signal: AbortSignal;
  /** Rejects with it. */
  readonly reached: Promise<never>;
  /** Takes no notice any more. */
  release(): void;
}

const LONGEST_TIMER = 2 ** 31 - 1;

export function createStop({ signal, timeout }: FollowOptions): Stop {
  const controller = new AbortController();
  const end = (error: CallError): void => controller.abort(error);
  const abort = (): void => end(callError('cancelled', 'The call was cancelled', signal?.reason));
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const timer =
    timeout === undefined
      ? undefined
      : setTimeout(
          () => end(callError('timeout', `The call took longer than ${timeout} ms`)),
          Math.min(timeout, LONGEST_TIMER),
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
