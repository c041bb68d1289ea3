import { createFairQueue } from './fair-queue.js';

/**
 * The slots in which handlers run, shared among owners. An owner gets another slot only while it has
 * fewer than its share of the free slots, so that the last slots go to owners that have none.
 */
export interface Slots {
  /** Takes a slot at once; false when the owner has to wait for one. */
  take(owner: string): boolean;
  /** Calls `start`, which then has the slot, when the owner's turn comes. Returns a function that withdraws it. */
  wait(waiter: Waiter): () => void;
  /** How many waiters of the owner have not started yet. */
  waiting(owner: string): number;
  /** Gives a slot back. The next waiter starts in a later turn. */
  release(owner: string): void;
  /** How many waiters have not started yet. */
  readonly queued: number;
  /** Slots that are taken. */
  readonly taken: number;
  /** From now on starts only waiters that resume. */
  close(): void;
}

export interface Waiter {
  readonly owner: string;
  /** It ran before and goes on: it comes before the owner's new waiters. */
  readonly resumes: boolean;
  readonly start: () => void;
}

export interface SlotOptions {
  readonly concurrency: number;
  /** Slots that an owner gets while no other owner runs anything. */
  readonly concurrencyPerOwner: number;
  /** Calls back in a later turn. */
  readonly soon: (callback: () => void) => void;
  /** Called when the last slot is given back. */
  readonly onIdle: () => void;
}

/** A sixteenth of the slots is kept for owners that run nothing. */
const RESERVED_PART = 16;

export function createSlots(options: SlotOptions): Slots {
  const { concurrency, concurrencyPerOwner, soon, onIdle } = options;
  const resuming = createFairQueue<Waiter>();
  const starting = createFairQueue<Waiter>();
  const perOwner = new Map<string, number>();
  let taken = 0;
  let scheduled = false;
  let closed = false;

  /** Slots that only owners that run nothing get. */
  const reserved =
    concurrencyPerOwner === concurrency ? 0 : Math.floor(concurrency / RESERVED_PART);

  /** Alone, an owner stops at `concurrencyPerOwner`; the more slots others have, the earlier. */
  function mayTake(owner: string): boolean {
    const free = concurrency - taken;
    const own = perOwner.get(owner) ?? 0;
    if (own === 0) return free > 0;
    if (free <= reserved) return false;
    return own * (concurrency - concurrencyPerOwner) < free * concurrencyPerOwner;
  }

  function count(owner: string, change: 1 | -1): void {
    const own = (perOwner.get(owner) ?? 0) + change;
    if (own === 0) perOwner.delete(owner);
    else perOwner.set(owner, own);
    taken += change;
  }

  function pump(): void {
    scheduled = false;
    for (;;) {
      if (taken >= concurrency) return;
      const waiter = resuming.shift(mayTake) ?? (closed ? undefined : starting.shift(mayTake));
      if (waiter === undefined) return;
      count(waiter.owner, 1);
      waiter.start();
    }
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    soon(pump);
  }

  return {
    take(owner) {
      if (closed || resuming.size(owner) + starting.size(owner) > 0) return false;
      if (!mayTake(owner)) return false;
      count(owner, 1);
      return true;
    },
    wait(waiter) {
      const withdraw = (waiter.resumes ? resuming : starting).push(waiter);
      schedule();
      return withdraw;
    },
    release(owner) {
      count(owner, -1);
      starting.defer(owner);
      if (taken === 0) onIdle();
      schedule();
    },
    waiting: (owner) => starting.size(owner),
    get queued() {
      return resuming.total + starting.total;
    },
    get taken() {
      return taken;
    },
    close() {
      closed = true;
    },
  };
}
