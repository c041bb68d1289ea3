import type { ExceededCap, InsertCaps } from './store.js';

/** Tasks that a store has. */
export interface TaskTotals {
  readonly live: number;
  readonly stored: number;
}

/**
 * The cap that one more task would exceed. A subject that has fewer than `liveReserve` live tasks may take any of
 * `live`; the others share the first `liveShared` of them. So `(live - liveShared) / liveReserve` subjects get their
 * first tasks, whatever others do.
 */
export function capExceeded(
  owner: TaskTotals,
  subject: TaskTotals,
  live: number,
  caps: InsertCaps,
): ExceededCap | undefined {
  if (owner.live >= caps.livePerOwner) return 'livePerOwner';
  if (subject.live >= caps.livePerSubject) return 'livePerSubject';
  if (owner.stored >= caps.storedPerOwner) return 'storedPerOwner';
  if (subject.stored >= caps.storedPerSubject) return 'storedPerSubject';
  if (live >= caps.live) return 'live';
  if (subject.live >= caps.liveReserve && live >= caps.liveShared) return 'liveShared';
  return undefined;
}
