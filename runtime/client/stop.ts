import { deferred, type JsonObject } from '../tasks/index.js';
import { callError, type CallError } from './errors.js';
import { startTimer } from './pacing.js';
import { printable } from './printable.js';
import type { FollowOptions } from './types.js';

/** Ends a call when the caller's signal is aborted or its timeout has passed. */
export interface Stop {
  /** Aborted with a `CallError`: `cancelled` or `timeout`. */
  readonly signal: AbortSignal;
  /** Rejects with the same error. */
  readonly reached: Promise<never>;
  /** Ends the call with another error. */
  end(error: CallError): void;
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
    end,
    release() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

const MAY_EXIST =
  'may still create a task; this client cancels that task if the answer arrives before the connection closes';

/**
 * What becomes of a call that was stopped before the server had answered it. `heard`: the server's last message since it
 * was sent. `isAsked`: that is a question, without whose answer the server has no request of the call.
 */
export function fateOf(sent: boolean, heard: string | undefined, isAsked: boolean): string {
  if (!sent) return 'it had not been sent, so there is no task';
  if (isAsked) return `the server's ${heard} is not answered, so there is no task`;
  return heard === undefined
    ? `the server had not answered and ${MAY_EXIST}`
    : `the server sent ${heard} last, and no answer to the call. It ${MAY_EXIST}`;
}

/** A notification for users: `notifications/progress (3 of 10, Compiling)`. */
export function shownNotice(
  method: string,
  { progress, total, status, statusMessage, message }: JsonObject,
): string {
  const share = typeof total === 'number' ? `${String(progress)} of ${String(total)}` : progress;
  const parts = [share, status, statusMessage, message].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  );
  return printable(parts.length === 0 ? method : `${method} (${parts.join(', ')})`);
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
