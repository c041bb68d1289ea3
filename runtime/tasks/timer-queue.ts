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
  /** Calls `callback` at a time of the wall clock, in milliseconds since the epoch. Returns a function that cancels it. */
  at(time: number, callback: () => void): () => void;
  /** Calls `callback` after `delayMs` on the monotonic clock. Returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
  close(): void;
}

interface Entry {
  readonly at: number;
  callback: (() => void) | undefined;
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
    if (armedFor) disarm = clock.wake(Math.min(Math.max(first.in, 0), LONGEST_DELAY), fire);
  }

  function fire(): void {
    armedFor = undefined;
    callDue(moments);
    callDue(delays);
    arm();
  }

  function add(timeline: Timeline, at: number, callback: () => void): () => void {
    const entry: Entry = { at, callback };
    timeline.entries.push(entry);
    arm();
    return () => {
      entry.callback = undefined;
    };
  }

  return {
    at: (time, callback) => add(moments, time, callback),
    after: (delayMs, callback) => add(delays, clock.monotonic() + delayMs, callback),
    close() {
      closed = true;
      disarm();
    },
  };
}

/** The first entry that was not cancelled, and in how many milliseconds it is due. */
function next({ now, entries }: Timeline): { readonly entry?: Entry; readonly in: number } {
  while (entries.peek() && !entries.peek()?.callback) entries.pop();
  const entry = entries.peek();
  return entry ? { entry, in: entry.at - now() } : { in: Infinity };
}

function callDue({ now, entries }: Timeline): void {
  for (let next = entries.peek(); next && next.at <= now(); next = entries.peek()) {
    entries.pop();
    next.callback?.();
  }
}
