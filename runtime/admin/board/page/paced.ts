import { useEffect, useMemo, useRef } from 'preact/hooks';

/** Reads again when asked. Its work may resolve with the milliseconds to pause instead of the usual ones. */
export interface Paced {
  readonly ask: () => void;
  /** For what the user did, which does not wait. */
  readonly askNow: () => void;
}

/** What {@link usePaced} repeats. */
export type Work = () => Promise<number | undefined>;

/**
 * Repeats `work` when asked, never twice at a time, and at most a tenth of the time. Asked while the page is hidden, it
 * waits until the page is seen.
 */
export function usePaced(work: Work): Paced {
  const latest = useRef(work);
  latest.current = work;
  const paced = useMemo(() => createPaced(() => latest.current()), []);
  useEffect(() => {
    document.addEventListener('visibilitychange', paced.resume);
    return () => document.removeEventListener('visibilitychange', paced.resume);
  }, [paced]);
  return paced;
}

function createPaced(work: Work): Paced & { readonly resume: () => void } {
  let timer: number | undefined;
  let isRunning = false;
  let isWanted = false;
  let isUrgent = false;
  let notBefore = 0;

  async function run(): Promise<void> {
    timer = undefined;
    isRunning = true;
    isWanted = false;
    isUrgent = false;
    const began = performance.now();
    const pause = await work();
    const ended = performance.now();
    // What the user did meanwhile does not wait either.
    notBefore = isUrgent ? 0 : ended + (pause ?? Math.max(500, 10 * (ended - began)));
    isRunning = false;
    resume();
  }

  function resume(): void {
    if (!isWanted || timer !== undefined || isRunning || document.hidden) return;
    timer = window.setTimeout(() => void run(), Math.max(0, notBefore - performance.now()));
  }

  function ask(): void {
    isWanted = true;
    resume();
  }

  function askNow(): void {
    isUrgent = true;
    notBefore = 0;
    clearTimeout(timer);
    timer = undefined;
    ask();
  }

  return { ask, askNow, resume };
}

/** Resolves while the page can be seen, otherwise when it is. */
export function seen(): Promise<void> {
  return new Promise((resolve) => {
    if (!document.hidden) resolve();
    else document.addEventListener('visibilitychange', () => resolve(), { once: true });
  });
}
