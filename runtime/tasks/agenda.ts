import type { Clock } from './clock.js';
import { createHeap, type Heap } from './heap.js';

/** The longest delay that a timer takes before it overflows and fires at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Everything that has to happen at some time, on one timer. It holds the engine's few duties (next
 * expiry, next heartbeat, retries), not its tasks: when those are due is an index of the store.
 *
 * Moments follow the wall clock and delays the monotonic one, so setting the machine's time moves
 * expiry and nothing else. A moment that a step forward skips is noticed when the timer next fires.
 */
export interface Agenda {
  /** Calls `duty` at a time of the wall clock. Returns what takes the entry off again. */
  at(time: number, duty: () => void): () => void;
  /** Calls `duty` after `delayMs`, whatever the wall clock does meanwhile. Returns what takes the entry off again. */
  after(delayMs: number, duty: () => void): () => void;
  close(): void;
}

interface Entry {
  readonly at: number;
  duty: (() => void) | undefined;
}

/** Entries that are due by one of the two clocks. */
interface Timeline {
  readonly now: () => number;
  readonly entries: Heap<Entry>;
}

export function createAgenda(clock: Clock): Agenda {
  const moments: Timeline = { now: () => clock.now(), entries: createHeap() };
  const delays: Timeline = { now: () => clock.monotonic(), entries: createHeap() };
  let armedFor: Entry | undefined;
  let disarm = (): void => undefined;
  let closed = false;

  function arm(): void {
    const [moment, delay] = [next(moments), next(delays)];
    const first = moment.in < delay.in ? moment : delay;
    if (first.entry === armedFor || closed) return;
    disarm();
    armedFor = first.entry;
    if (armedFor) disarm = clock.wake(Math.min(Math.max(first.in, 0), LONGEST_DELAY), ring);
  }

  function ring(): void {
    armedFor = undefined;
    callDue(moments);
    callDue(delays);
    arm();
  }

  function add(timeline: Timeline, at: number, duty: () => void): () => void {
    const entry: Entry = { at, duty };
    timeline.entries.push(entry);
    arm();
    return () => {
      entry.duty = undefined;
    };
  }

  return {
    at: (time, duty) => add(moments, time, duty),
    after: (delayMs, duty) => add(delays, clock.monotonic() + delayMs, duty),
    close() {
      closed = true;
      disarm();
    },
  };
}

/** The first entry that still stands, and in how many milliseconds it is due. */
function next({ now, entries }: Timeline): { readonly entry?: Entry; readonly in: number } {
  while (entries.peek() && !entries.peek()?.duty) entries.pop();
  const entry = entries.peek();
  return entry ? { entry, in: entry.at - now() } : { in: Infinity };
}

function callDue({ now, entries }: Timeline): void {
  for (let next = entries.peek(); next && next.at <= now(); next = entries.peek()) {
    entries.pop();
    next.duty?.();
  }
}
