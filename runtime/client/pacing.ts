import type { ClientLimits } from './limits.js';

const DEFAULT_POLL = 1_000;
/** Where the server tells of changes by itself, polling is a safety net. */
const NET = 5;
/** Up to so much later than asked for, that tasks which began together spread out. */
const JITTER = 0.2;

/** Milliseconds until a task is polled again: not sooner than its server wishes, within our bounds. */
export function pollDelay(
  suggested: number | undefined,
  told: boolean,
  { pollMin, pollMax }: ClientLimits,
): number {
  const wish = Math.min(Math.max(suggested ?? DEFAULT_POLL, pollMin), pollMax);
  const spaced = told ? Math.min(wish * NET, pollMax) : wish;
  return spaced * (1 + JITTER * Math.random());
}

const FIRST_RETRY = 250;
const LAST_RETRY = 10_000;

/** Milliseconds before the next attempt after so many failures. */
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
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** Lets polls of all tasks through one after another: first come, first served. */
export interface Gate {
  /** Rejects with the signal's reason when it is aborted before it was its turn. */
  pass<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createGate({
  pollsPerSecond,
  pollsAtOnce,
}: Pick<ClientLimits, 'pollsPerSecond' | 'pollsAtOnce'>): Gate {
  const waiting = new Set<() => void>();
  const gap = 1_000 / pollsPerSecond;
  let active = 0;
  let free = 0;
  let timer: NodeJS.Timeout | undefined;

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
    async pass(signal, work) {
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
