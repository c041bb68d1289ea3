import { createHeap } from '../../runtime/tasks/index.js';

/** Virtual time and chance under a seed: what happens next is decided here and nowhere else. */
export interface World {
  readonly start: number;
  now(this: void): number;
  after(delayMs: number, callback: () => void): void;
  sleep(delayMs: number): Promise<void>;
  never(): Promise<never>;
  /** An integer from 0 to `below` - 1. */
  random(below: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** Lets time pass, event by event, until `enough` or nothing is left to happen. */
  run(enough: () => boolean): Promise<void>;
  events(): number;
}

interface Event {
  readonly at: number;
  readonly callback: () => void;
}

export function createWorld(seed: number): World {
  const start = 1_700_000_000_000;
  const queue = createHeap<Event>();
  let now = start;
  let happened = 0;
  let state = seed >>> 0;

  /** Mulberry32: small, and good enough to shuffle a schedule. */
  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function after(delayMs: number, callback: () => void): void {
    // Events of one millisecond happen in random order.
    queue.push({ at: now + Math.max(Math.floor(delayMs), 0) + fraction() / 2, callback });
  }

  return {
    start,
    now: () => Math.floor(now),
    after,
    sleep: (delayMs) => new Promise((resolve) => after(delayMs, resolve)),
    never: () => new Promise(() => undefined),
    random: (below) => Math.floor(fraction() * below),
    chance: (probability) => fraction() < probability,
    pick(choices) {
      const choice = choices[Math.floor(fraction() * choices.length)];
      if (choice === undefined) throw new Error('Nothing to pick from');
      return choice;
    },
    async run(enough) {
      // Everything that the last event set off happens before the next one.
      for (await new Promise(setImmediate); !enough(); await new Promise(setImmediate)) {
        const event = queue.pop();
        if (event === undefined) return;
        now = Math.max(now, event.at);
        happened += 1;
        event.callback();
      }
    },
    events: () => happened,
  };
}
