import { createFairQueue } from './fair-queue.js';

/**
 * The slots in which handlers run, shared among subjects. A subject gets another slot only while it has
 * fewer than its share of the free slots, so that the last slots go to subjects that have none.
 */
export interface Slots {
  /** Takes a slot at once; false when the subject has to wait for one. */
  take(subject: string): boolean;
  /** Calls `start`, which then has the slot, when the subject's turn comes. Returns a function that withdraws it. */
  wait(waiter: Waiter): () => void;
  /** How many waiters of the subject have not started yet. */
  waiting(subject: string): number;
  /** Gives a slot back. The next waiter starts in a later turn. */
  release(subject: string): void;
  /** How many waiters have not started yet. */
  readonly queued: number;
  /** Slots that are taken. */
  readonly taken: number;
  /** No slot is taken, and no waiter is left. */
  readonly isIdle: boolean;
}

interface Waiter {
  readonly subject: string;
  /** It ran before and goes on: it comes before the subject's new waiters. */
  readonly resumes: boolean;
  readonly start: () => void;
}

interface SlotOptions {
  readonly concurrency: number;
  /** Slots that a subject gets while no other subject runs anything. */
  readonly concurrencyPerSubject: number;
  /** Calls back in a later turn. */
  readonly soon: (callback: () => void) => void;
  /** Called in a turn after which no slot is taken, and no waiter is left. */
  readonly onIdle: () => void;
}

/** A sixteenth of the slots is kept for subjects that run nothing. */
const RESERVED_PART = 16;

export function createSlots(options: SlotOptions): Slots {
  const { concurrency, concurrencyPerSubject, soon, onIdle } = options;
  const resuming = createFairQueue<Waiter>();
  const starting = createFairQueue<Waiter>();
  const perSubject = new Map<string, number>();
  let taken = 0;
  let scheduled = false;

  /** Slots that only subjects that run nothing get. */
  const reserved =
    concurrencyPerSubject === concurrency ? 0 : Math.floor(concurrency / RESERVED_PART);

  /** Alone, a subject stops at `concurrencyPerSubject`; the more slots others have, the earlier. */
  function mayTake(subject: string): boolean {
    const free = concurrency - taken;
    const own = perSubject.get(subject) ?? 0;
    if (own === 0) return free > 0;
    if (free <= reserved) return false;
    return own * (concurrency - concurrencyPerSubject) < free * concurrencyPerSubject;
  }

  function count(subject: string, change: 1 | -1): void {
    const own = (perSubject.get(subject) ?? 0) + change;
    if (own === 0) perSubject.delete(subject);
    else perSubject.set(subject, own);
    taken += change;
  }

  function pump(): void {
    scheduled = false;
    for (;;) {
      if (taken >= concurrency) return;
      const waiter = resuming.shift(mayTake) ?? starting.shift(mayTake);
      if (waiter === undefined) break;
      count(waiter.subject, 1);
      waiter.start();
    }
    if (isIdle()) onIdle();
  }

  function isIdle(): boolean {
    return taken === 0 && resuming.total + starting.total === 0;
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    soon(pump);
  }

  return {
    take(subject) {
      if (resuming.size(subject) + starting.size(subject) > 0) return false;
      if (!mayTake(subject)) return false;
      count(subject, 1);
      return true;
    },
    wait(waiter) {
      const withdraw = (waiter.resumes ? resuming : starting).push(waiter);
      schedule();
      return withdraw;
    },
    release(subject) {
      count(subject, -1);
      starting.defer(subject);
      schedule();
    },
    waiting: (subject) => starting.size(subject),
    get queued() {
      return resuming.total + starting.total;
    },
    get taken() {
      return taken;
    },
    get isIdle() {
      return isIdle();
    },
  };
}
