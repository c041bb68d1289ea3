import type { Slot, TimerQueue } from '../../tasks/index.js';
import type { Slots } from './slots.js';

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
    count(abandonment, subject, 1);
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
      if (state === 'abandoned') count(abandonment, subject, -1);
      state = 'ended';
    },
  };
}

function mayAbandon({ limit, limitPerSubject, perSubject, total }: Abandonment, subject: string) {
  return total < limit && (perSubject.get(subject) ?? 0) < limitPerSubject;
}

function count(abandonment: Abandonment, subject: string, change: 1 | -1): void {
  const own = (abandonment.perSubject.get(subject) ?? 0) + change;
  if (own === 0) abandonment.perSubject.delete(subject);
  else abandonment.perSubject.set(subject, own);
  abandonment.total += change;
}
