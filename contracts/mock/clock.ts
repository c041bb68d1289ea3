/** Milliseconds of the longest timer. */
const LONGEST = 2 ** 31 - 1;

/** Timers of all clocks of a mock, which end with it. */
export type Timers = Set<ReturnType<typeof setTimeout>>;

/**
 * The time of a recording while it is played. It runs from the moment of a recorded message, faster or slower than it
 * was recorded, and stops at each gate: a moment at which the recorded client did something, until this client does it.
 */
export class Clock {
  readonly #speed: number;
  readonly #timers: Timers;
  #gates: number[];
  #base: number;
  #since = performance.now();
  #waiting: (() => void)[] = [];

  /** A speed of `Infinity` does not wait. `gates` are in order. */
  constructor(speed: number, base: number, timers: Timers, gates: readonly number[] = []) {
    this.#speed = speed;
    this.#timers = timers;
    this.#base = base;
    this.#gates = [...gates];
  }

  /** The recorded time that it is now. */
  now(): number {
    const passed = performance.now() - this.#since;
    const time = this.#speed === Infinity ? Infinity : this.#base + passed * this.#speed;
    return Math.min(time, this.#gates[0] ?? Infinity);
  }

  /** The recorded time until which it runs without the client. */
  get limit(): number {
    return this.#gates[0] ?? Infinity;
  }

  /** Resolves when it is a recorded time; undefined when it is already. */
  until(ms: number | undefined): Promise<void> | undefined {
    if (ms === undefined || this.#isAt(ms)) return undefined;
    return this.#wait(ms);
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

  /** What happened at a gate itself is over when the gate opens. */
  #isAt(ms: number): boolean {
    return this.now() >= ms && ms < this.limit;
  }

  async #wait(ms: number): Promise<void> {
    while (!this.#isAt(ms)) {
      if (ms >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else await this.#sleep((ms - this.now()) / this.#speed);
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => {
          this.#timers.delete(timer);
          resolve();
        },
        Math.min(LONGEST, Math.max(1, ms)),
      );
      this.#timers.add(timer);
    });
  }
}
