import type { TaskSummary, TaskRecord } from './record.js';
import type { TaskStore } from './store.js';
import { TaskError } from './errors.js';

/** The engine's source of time. A simulation has its own. */
export interface Clock {
  /** Milliseconds since the epoch. Steps forward or back when the machine's time is set. */
  now(): number;
  /** Milliseconds since some moment. Never steps: durations are measured by it. */
  monotonic(): number;
  /**
   * Calls back once after `delayMs` (at most 2^31 - 1); returns a function that cancels it. Keeps the process
   * alive until then only if `holding`.
   */
  wake(delayMs: number, callback: () => void, holding?: boolean): () => void;
  /** Calls back in a later turn of the event loop, after answers that are being written. */
  soon(callback: () => void): void;
}

/** The clock that all processes which share the store agree on, or that of this process. */
export function clockOf(store: { now?(): number }): Clock {
  const now = store.now?.bind(store);
  return now === undefined ? systemClock : { ...systemClock, now };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  wake(delayMs, callback, holding = false) {
    const timer = setTimeout(callback, delayMs);
    if (!holding) unreferenced(timer);
    return () => clearTimeout(timer);
  },
  soon: nextTurn,
};

/** Timers of Node and Bun keep the process alive. Those of other hosts are numbers. */
function unreferenced(timer: ReturnType<typeof setTimeout>): void {
  if (typeof timer === 'object') timer.unref();
}

/**
 * Calls back in a later turn of the event loop. Input and output go on between two turns, so that a chain of them does
 * not hold up other requests.
 */
export function nextTurn<T>(callback: (argument: T) => void, argument?: T): void {
  // Node, Deno and Bun. Looked up at each call, because tests with a clock of their own replace it.
  if (typeof setImmediate === 'function') setImmediate(callback, argument as T);
  // Not a `MessageChannel`: workerd ties it to the request that made it, and another request may not use it.
  else setTimeout(callback, 0, argument as T);
}

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

/** A binary min-heap of things that are due at a time. */
export interface Heap<T extends { readonly at: number }> {
  push(entry: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
}

export function createHeap<T extends { readonly at: number }>(): Heap<T> {
  const entries: T[] = [];
  const due = (index: number): number => entries[index]?.at ?? Infinity;

  function swap(a: number, b: number): void {
    const [first, second] = [entries[a], entries[b]];
    if (first === undefined || second === undefined) return;
    entries[a] = second;
    entries[b] = first;
  }

  function rise(index: number): void {
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (due(parent) <= due(index)) return;
      swap(parent, index);
      index = parent;
    }
  }

  function sink(index: number): void {
    for (;;) {
      const left = 2 * index + 1;
      const child = due(left + 1) < due(left) ? left + 1 : left;
      if (due(child) >= due(index)) return;
      swap(child, index);
      index = child;
    }
  }

  return {
    push(entry) {
      entries.push(entry);
      rise(entries.length - 1);
    },
    peek: () => entries[0],
    pop() {
      swap(0, entries.length - 1);
      const first = entries.pop();
      sink(0);
      return first;
    },
  };
}

/** Tasks removed in one batch; other work runs between batches. */
const BATCH = 500;
/** How often to look when the store is shared, because tasks of other processes may expire earlier. */
const LONGEST_REST_MS = 60_000;
const REST_AFTER_FAULT_MS = 1_000;

/** Removes tasks when they expire. It keeps only the next moment of expiry; the store's index has the others. */
interface Expirer {
  /** A task expires at this time. */
  due(at: number): void;
  /** Removes the tasks that have expired, without waiting for the timer. */
  sweep(): Promise<void>;
}

export function createExpirer(dependencies: {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly timers: TimerQueue;
  readonly onRemoved: (task: TaskSummary) => void;
  readonly onFault: (error: unknown) => void;
}): Expirer {
  const { store, clock, timers, onRemoved, onFault } = dependencies;
  const longestRest = store.watch === undefined ? Infinity : LONGEST_REST_MS;
  let nextAt = Infinity;
  let cancel = (): void => undefined;
  let cancelRest = (): void => undefined;

  function due(at: number): void {
    if (at >= nextAt) return;
    cancel();
    nextAt = at;
    cancel = timers.at(at, () => {
      nextAt = Infinity;
      void sweep();
    });
  }

  function rest(delayMs: number): void {
    cancelRest();
    if (delayMs !== Infinity) cancelRest = timers.after(delayMs, () => void sweep());
  }

  async function sweep(): Promise<void> {
    try {
      const { removed, next } = await store.expire(clock.now(), BATCH);
      removed.forEach(onRemoved);
      if (next !== undefined) due(next);
      rest(longestRest);
    } catch (error) {
      onFault(error);
      rest(REST_AFTER_FAULT_MS);
    }
  }

  due(clock.now());
  return { due, sweep };
}

/** Characters of results that are answered in one turn of the event loop. */
const MOST_A_TURN = 2 ** 20;
/** Characters of a result that does not count. */
const SMALL = 2 ** 12;
/** Milliseconds after which what was counted is over: in workerd a callback ends with the request that set it. */
const STALE_MS = 1_000;

let ahead = 0;
let changedAt = 0;

/**
 * The end of a task wakes all requests and subscriptions that wait for it in one turn. Large results take turns, so that
 * each is sent before the next is made: to check and to write 4 MiB takes some 50 ms. Undefined where this turn has room.
 */
export function roomFor({ outcome = '' }: TaskRecord): Promise<void> | undefined {
  return outcome.length <= SMALL ? undefined : turnFor(outcome.length);
}

function turnFor(characters: number): Promise<void> | undefined {
  if (performance.now() - changedAt > STALE_MS) ahead = 0;
  const turns = Math.floor(ahead / MOST_A_TURN);
  count(characters);
  const passed = afterTurns(Math.max(turns, 1)).then(() => count(-characters));
  return turns === 0 ? undefined : passed;
}

function count(characters: number): void {
  ahead = Math.max(0, ahead + characters);
  changedAt = performance.now();
}

async function afterTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise<void>((resolve) => nextTurn(resolve));
  }
}

/** A promise and its ends. Its rejection is never "unhandled", because it may be awaited later, or never. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

/** Resolves when `work` has settled, or after `ms` milliseconds. Meanwhile it keeps the process alive. */
export async function atMost(
  clock: Pick<Clock, 'wake'>,
  ms: number,
  work: Promise<unknown>,
): Promise<void> {
  let cancel = (): void => undefined;
  const enough = new Promise<void>((resolve) => (cancel = clock.wake(ms, resolve, true)));
  await Promise.race([work.catch(() => undefined), enough]);
  cancel();
}

export interface RetryDependencies {
  readonly timers: TimerQueue;
  /** Receives every fault. */
  readonly report: (error: unknown) => void;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/**
 * Tries `work` until the store lets it succeed, at growing intervals, as long as it is `wanted`.
 * Resolves with undefined once it is not wanted. A `TaskError` is an answer, not a fault, and passes through.
 */
export async function retry<T>(
  { timers, report }: RetryDependencies,
  wanted: () => boolean,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (let delay = FIRST_DELAY_MS; wanted(); delay = Math.min(2 * delay, LONGEST_DELAY_MS)) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof TaskError) throw error;
      report(error);
      await new Promise<void>((resolve) => timers.after(delay, resolve));
    }
  }
  return undefined;
}
