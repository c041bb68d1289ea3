import type { Slot, TimerQueue } from '../../tasks/index.js';

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
  /** Called in a turn after which no slot is taken, and no waiter is left. To be set by what waits for that. */
  onIdle: (() => void) | undefined;
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
}

/** A sixteenth of the slots is kept for subjects that run nothing. */
const RESERVED_PART = 16;

export function createSlots(options: SlotOptions): Slots {
  const { concurrency, concurrencyPerSubject, soon } = options;
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
    if (taken === 0 && resuming.total + starting.total === 0) slots.onIdle?.();
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    soon(pump);
  }

  const slots: Slots = {
    onIdle: undefined,
    take(subject) {
      const waits = resuming.total + starting.total > 0;
      if (waits && resuming.size(subject) + starting.size(subject) > 0) return false;
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
      if (resuming.total + starting.total === 0 && slots.onIdle === undefined) return;
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
  };
  return slots;
}

/** First in, first out for each subject, and subjects take turns: a thousand tasks of one subject do not delay another subject's task. */
interface FairQueue<T extends { readonly subject: string }> {
  /** Returns a function that removes the item. */
  push(item: T): () => void;
  /** The next item of the first subject in the queue that is `allowed`. */
  shift(allowed?: (subject: string) => boolean): T | undefined;
  /** Sends the subject to the back, because something else of that subject was just served. */
  defer(subject: string): void;
  /** How many items of the subject are here. */
  size(subject: string): number;
  /** How many items are here. */
  readonly total: number;
  /** Removes all items. */
  drain(): T[];
}

export function createFairQueue<T extends { readonly subject: string }>(): FairQueue<T> {
  // A Map keeps its keys in order of insertion, so deleting and setting again sends a subject to the back.
  const queues = new Map<string, SubjectQueue<T>>();

  function shift(allowed: (subject: string) => boolean = () => true): T | undefined {
    for (const [subject, queue] of queues) {
      if (!allowed(subject)) continue;
      const item = next(queue);
      if (item !== undefined) fair.total -= 1;
      queues.delete(subject);
      if (queue.items.size > 0) queues.set(subject, queue);
      return item;
    }
    return undefined;
  }

  function remove(item: T): void {
    const queue = queues.get(item.subject);
    if (queue?.items.delete(item) === true) fair.total -= 1;
    if (queue?.items.size === 0) queues.delete(item.subject);
  }

  const fair = {
    total: 0,
    shift,
    defer(subject: string) {
      const queue = queues.get(subject);
      if (queue === undefined) return;
      queues.delete(subject);
      queues.set(subject, queue);
    },
    size: (subject: string) => queues.get(subject)?.items.size ?? 0,
    push(item: T) {
      const queue = queues.get(item.subject) ?? createSubjectQueue();
      queue.items.add(item);
      fair.total += 1;
      queues.set(item.subject, queue);
      return () => remove(item);
    },
    drain() {
      const items: T[] = [];
      for (let item = shift(); item !== undefined; item = shift()) items.push(item);
      return items;
    },
  };
  return fair;
}

/** A subject's items. One iterator for all of them, because a new one would skip the removed items again. */
interface SubjectQueue<T> {
  readonly items: Set<T>;
  readonly iterator: Iterator<T, undefined>;
}

function createSubjectQueue<T>(): SubjectQueue<T> {
  const items = new Set<T>();
  return { items, iterator: items.values() };
}

function next<T>({ items, iterator }: SubjectQueue<T>): T | undefined {
  const { value, done } = iterator.next();
  if (done === true) return undefined;
  items.delete(value);
  return value;
}

/** A handler in a slot: it leaves the slot while it waits for input, and loses it when it ignores its signal. */
export interface Occupant extends Slot {
  /** It waits for input, or to go on after that. */
  isAway(): boolean;
  /** The handler's signal was aborted. If the handler still runs after the grace time, it loses its slot. */
  stopping(): void;
  /** The handler has ended. */
  end(): void;
}

/** Handlers that lost their slots and still run: bounded, in all and for each subject. */
interface Abandonment {
  readonly graceMs: number;
  readonly limit: number;
  readonly limitPerSubject: number;
  readonly perSubject: Map<string, number>;
  total: number;
}

export interface OccupantDependencies {
  readonly slots: Slots;
  readonly timers: TimerQueue;
  readonly abandonment: Abandonment;
}

export function createAbandonment(options: {
  readonly abandonMs: number;
  readonly abandoned: number;
  readonly abandonedPerSubject: number;
}): Abandonment {
  return {
    graceMs: options.abandonMs,
    limit: options.abandoned,
    limitPerSubject: options.abandonedPerSubject,
    perSubject: new Map(),
    total: 0,
  };
}

/** For a handler that has just got a slot. `onAbandoned` is called when the handler loses it. */
export function createOccupant(
  { slots, timers, abandonment }: OccupantDependencies,
  subject: string,
  onAbandoned: () => void,
): Occupant {
  let state: 'inside' | 'waiting' | 'abandoned' | 'ended' = 'inside';
  let cancelWatch: (() => void) | undefined;
  let withdraw: (() => void) | undefined;
  /** What goes on with the next slot. */
  let resuming: (() => void)[] = [];

  function watch(): void {
    cancelWatch = timers.after(abandonment.graceMs, () => {
      // A handler that waits has no slot to lose. When too many are abandoned, it keeps its slot.
      if (state === 'inside' && mayAbandon(abandonment, subject)) abandon();
      else if (state !== 'ended') watch();
    });
  }

  function abandon(): void {
    state = 'abandoned';
    countAbandoned(abandonment, subject, 1);
    slots.release(subject);
    onAbandoned();
  }

  function goOn(): void {
    state = 'inside';
    const all = resuming;
    resuming = [];
    for (const resume of all) resume();
  }

  return {
    isAway: () => state === 'waiting',
    leave() {
      if (state !== 'inside') return;
      state = 'waiting';
      slots.release(subject);
    },
    enter(resume) {
      if (state !== 'waiting') return resume();
      resuming.push(resume);
      // It waits for a slot already: while it did, it asked again and got that answer too.
      if (resuming.length > 1) return;
      if (slots.take(subject)) goOn();
      else withdraw = slots.wait({ subject, resumes: true, start: goOn });
    },
    stopping() {
      if (cancelWatch === undefined && state !== 'ended') watch();
    },
    end() {
      cancelWatch?.();
      withdraw?.();
      if (state === 'inside') slots.release(subject);
      if (state === 'abandoned') countAbandoned(abandonment, subject, -1);
      state = 'ended';
    },
  };
}

function mayAbandon({ limit, limitPerSubject, perSubject, total }: Abandonment, subject: string) {
  return total < limit && (perSubject.get(subject) ?? 0) < limitPerSubject;
}

function countAbandoned(abandonment: Abandonment, subject: string, change: 1 | -1): void {
  const own = (abandonment.perSubject.get(subject) ?? 0) + change;
  if (own === 0) abandonment.perSubject.delete(subject);
  else abandonment.perSubject.set(subject, own);
  abandonment.total += change;
}
