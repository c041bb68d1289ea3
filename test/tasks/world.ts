import { createHeap } from '../../runtime/tasks/index.js';
import { createRandom } from './random.js';

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

/** `settle` resolves when everything that an event set off has happened. */
export function createWorld(
  seed: number,
  settle: () => Promise<void> = () => new Promise(setImmediate),
): World {
  const start = 1_700_000_000_000;
  const queue = createHeap<Event>();
  let now = start;
  let happened = 0;
  const { fraction, integer, chance, pick } = createRandom(seed);

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
    random: integer,
    chance,
    pick,
    async run(enough) {
      // Everything that the last event set off happens before the next one.
      for (await settle(); !enough(); await settle()) {
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
