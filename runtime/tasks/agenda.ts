import type { Clock } from './clock.js';
import { createHeap } from './heap.js';

/** The longest delay that a timer takes before it overflows and fires at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Everything that has to happen at some time, on one timer. It holds the engine's few duties (next
 * expiry, next heartbeat, retries), not its tasks: when those are due is an index of the store.
 */
export interface Agenda {
  /** Returns what takes the entry off again. */
  at(time: number, duty: () => void): () => void;
  close(): void;
}

interface Entry {
  readonly at: number;
  duty: (() => void) | undefined;
}

export function createAgenda(clock: Clock): Agenda {
  const entries = createHeap<Entry>();
  let armedFor = Infinity;
  let disarm = (): void => undefined;
  let closed = false;

  function arm(): void {
    while (entries.peek() && !entries.peek()?.duty) entries.pop();
    const at = entries.peek()?.at ?? Infinity;
    if (at === armedFor || closed) return;
    disarm();
    armedFor = at;
    if (at === Infinity) return;
    const delay = Math.min(Math.max(at - clock.now(), 0), LONGEST_DELAY);
    disarm = clock.wake(delay, ring);
  }

  function ring(): void {
    armedFor = Infinity;
    for (let next = entries.peek(); next && next.at <= clock.now(); next = entries.peek()) {
      entries.pop();
      next.duty?.();
    }
    arm();
  }

  return {
    at(time, duty) {
      const entry: Entry = { at: time, duty };
      entries.push(entry);
      arm();
      return () => {
        entry.duty = undefined;
      };
    },
    close() {
      closed = true;
      disarm();
    },
  };
}
