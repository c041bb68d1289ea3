/** Timers of any host. Those of Node do not keep its process alive. */
export type Timer = ReturnType<typeof setTimeout>;

const LONGEST_DELAY = 2 ** 31 - 1;

export function later(ms: number, act: () => void): Timer {
  return unreferenced(setTimeout(act, Math.min(ms, LONGEST_DELAY)));
}

/** None for an interval that is no positive number. */
export function every(ms: number, act: () => void): Timer | undefined {
  if (!Number.isFinite(ms) || ms < 1) return undefined;
  return unreferenced(setInterval(act, Math.min(ms, LONGEST_DELAY)));
}

/** Other hosts have numbers. */
function unreferenced(timer: Timer): Timer {
  if (typeof timer === 'object') timer.unref();
  return timer;
}
