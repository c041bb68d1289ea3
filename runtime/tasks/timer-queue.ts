import type { Clock } from './clock.js';
import { createHeap, type Heap } from './heap.js';

/** The longest delay that a timer takes before it overflows and fires at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * The engine's timers on one `setTimeout`: next expiry, next heartbeat, retries. Tasks are not in it; an index
 * of the store says when they expire.
 *
 * `at` uses the wall clock and `after` the monotonic clock, so setting the machine's time moves expiry and
 * nothing else. When the wall clock steps over a time, the queue notices it when its timer next fires.
 */
export interface TimerQueue {
  /** Calls `duty` at a time of the wall clock, in milliseconds since the epoch. Returns a function that cancels it. */
  at(time: number, duty: () => void): () => void;
  /** Calls `duty` after `delayMs` on the monotonic clock. Returns a function that cancels it. */
  after(delayMs: number, duty: () => void): () => void;
  close(): void;
}

interface Entry {
  readonly at: number;
  duty: (() => void) | undefined;
}

/** Entries of one of the two clocks. */
interface Timeline {
  readonly now: () => number;
  readonly entries: Heap<Entry>;
}

export function createTimerQueue(clock: Clock): TimerQueue {
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

/** The first entry that was not cancelled, and in how many milliseconds it is due. */
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
