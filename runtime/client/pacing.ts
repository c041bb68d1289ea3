import type { ClientLimits } from './limits.js';

const DEFAULT_POLL = 1_000;
/** Factor for the poll delay of a task whose changes the server announces. */
const NOTIFIED_FACTOR = 5;
/** The largest random part of a delay, so that tasks which began together do not poll together. */
const JITTER = 0.2;

/** Milliseconds until the next poll of a task: the server's suggestion within `pollMin` and `pollMax`. */
export function pollDelay(
  suggested: number | undefined,
  isNotified: boolean,
  { pollMin, pollMax }: ClientLimits,
): number {
  const base = Math.min(Math.max(suggested ?? DEFAULT_POLL, pollMin), pollMax);
  const delay = isNotified ? Math.min(base * NOTIFIED_FACTOR, pollMax) : base;
  return delay * (1 + JITTER * Math.random());
}

const FIRST_RETRY = 250;
const LAST_RETRY = 10_000;

/** Milliseconds before the next attempt, by the number of failures in a row. */
export function retryDelay(failures: number): number {
  const delay = Math.min(FIRST_RETRY * 2 ** (failures - 1), LAST_RETRY);
  return delay * (1 + JITTER * Math.random());
}

/** Resolves after a time, or rejects with the signal's reason. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    if (signal.aborted) return reject(signal.reason as Error);
    const timer = startTimer(ms, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    signal.addEventListener('abort', abort, { once: true });
  });
}

type Timer = ReturnType<typeof setTimeout>;

/** Milliseconds; the longest that `setTimeout` supports. It calls back at once for longer times. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Calls back after a time, and after about 24.8 days for longer times. */
export function startTimer(ms: number, act: () => void): Timer {
  return setTimeout(act, Math.min(ms, LONGEST_TIMER));
}

/** Calls back after a time. Does not keep a process of Node.js alive. */
export function pause(ms: number, act: () => void): Timer {
  const timer = startTimer(ms, act);
  // Browsers have numbers.
  if (typeof timer === 'object') timer.unref();
  return timer;
}

/** Bounds the rate and number of polls of all tasks; first come, first served. */
export interface PollLimiter {
  /** Runs `work` in its turn. Rejects with the signal's reason when it is aborted before that. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createPollLimiter({
  pollsPerSecond,
  pollsAtOnce,
}: Pick<ClientLimits, 'pollsPerSecond' | 'pollsAtOnce'>): PollLimiter {
  const waiting = new Set<() => void>();
  const gap = 1_000 / pollsPerSecond;
  let active = 0;
  let free = 0;
  let timer: Timer | undefined;

  function pump(): void {
    while (waiting.size > 0 && active < pollsAtOnce && timer === undefined) {
      const now = performance.now();
      if (free > now) {
        timer = setTimeout(() => {
          timer = undefined;
          pump();
        }, free - now);
        return;
      }
      const [next] = waiting;
      if (next === undefined) return;
      waiting.delete(next);
      free = Math.max(free, now) + gap;
      active += 1;
      next();
    }
  }

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(enter);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.add(enter);
      pump();
    });
  }

  return {
    async run(signal, work) {
      signal.throwIfAborted();
      await turn(signal);
      try {
        return await work();
      } finally {
        active -= 1;
        pump();
      }
    },
  };
}
