import type { StatusCounts } from '../../tasks/index.js';

export interface Counted {
  readonly counts: StatusCounts;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds after which a newer count may be asked for. */
  readonly nextMs: number;
}

/** A count of a million tasks takes a second: the store counts for a tenth of the time at most. */
const SHARE = 10;
const SHORTEST_PAUSE_MS = 500;

/** Counts when asked, unless the last count is too young. Those who ask at the same time share one count. */
export function createCounts(count: () => Promise<StatusCounts>): () => Promise<Counted> {
  let last: { readonly counts: StatusCounts; readonly at: number } | undefined;
  let running: Promise<void> | undefined;
  let dueAt = -Infinity;

  async function run(): Promise<void> {
    const began = performance.now();
    try {
      last = { counts: await count(), at: Date.now() };
    } finally {
      const now = performance.now();
      dueAt = now + Math.max(SHORTEST_PAUSE_MS, SHARE * (now - began));
      running = undefined;
    }
  }

  return async () => {
    if (last === undefined || running !== undefined || performance.now() >= dueAt) {
      await (running ??= run());
    }
    if (last === undefined) throw new Error('The tasks could not be counted');
    return { ...last, nextMs: Math.max(0, Math.ceil(dueAt - performance.now())) };
  };
}
