import { setTimeout } from 'node:timers/promises';

/** Milliseconds of the longest timer. */
const LONGEST = 2 ** 31 - 1;

/**
 * The time of a recording while it is played. It runs from the moment of a recorded message, faster or slower than it
 * was recorded, and stops at each gate: a moment at which the recorded client did something, until this client does it.
 */
export class Clock {
  readonly #speed: number;
  readonly #gates: number[];
  #base: number;
  #since = performance.now();
  #waiting: (() => void)[] = [];

  /** A speed of `Infinity` does not wait. `gates` are in order. */
  constructor(speed: number, base: number, gates: readonly number[] = []) {
    this.#speed = speed;
    this.#base = base;
    this.#gates = [...gates];
  }

  /** The recorded time that it is now. */
  now(): number {
    const passed = performance.now() - this.#since;
    const time = this.#speed === Infinity ? Infinity : this.#base + passed * this.#speed;
    return Math.min(time, this.limit);
  }

  /** The recorded time until which it runs without the client. */
  get limit(): number {
    return this.#gates[0] ?? Infinity;
  }

  /** Resolves when it is a recorded time. What happened at a gate itself is over when the gate opens. */
  async until(ms: number | undefined): Promise<void> {
    while (ms !== undefined && (this.now() < ms || ms >= this.limit)) {
      if (ms >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else await pause((ms - this.now()) / this.#speed);
    }
  }

  /** The client did what the recorded one did at the next gate: its time is now. */
  open(): void {
    const gate = this.#gates.shift();
    if (gate !== undefined) this.set(gate);
  }

  /** Goes on from a recorded time. */
  set(ms: number | undefined): void {
    if (ms !== undefined) this.#base = ms;
    this.#since = performance.now();
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** Waits for some milliseconds, which keeps no process alive. */
export function pause(ms: number): Promise<void> {
  return setTimeout(Math.min(LONGEST, Math.max(1, ms)), undefined, { ref: false });
}
