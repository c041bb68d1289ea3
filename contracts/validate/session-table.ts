/** What the sessions of one table may take together. */
export interface TableLimits {
  readonly sessions: number;
  /** Bytes of messages, as the measure of what a session keeps. */
  readonly bytes: number;
  /** Further bytes of the same session do not count, because what it keeps is bounded. */
  readonly bytesOfEach: number;
}

interface Entry<T> {
  readonly session: T;
  bytes: number;
}

/** The sessions that go on at the same time. Beyond the limits, it forgets the one that was silent for the longest time. */
export class SessionTable<T> {
  /** The one that was used last is at the end. */
  readonly #entries = new Map<string, Entry<T>>();
  #last: string | undefined;
  #bytes = 0;

  constructor(
    readonly limits: TableLimits,
    readonly make: (key: string) => T,
    readonly onForget: (session: T, key: string) => void = () => undefined,
  ) {}

  /** The session of a message of this size, which may be a new one. */
  of(key: string, size = 0): T {
    const entry = this.#entries.get(key) ?? { session: this.make(key), bytes: 0 };
    const counted = Math.min(size, this.limits.bytesOfEach - entry.bytes);
    entry.bytes += counted;
    this.#bytes += counted;
    if (key === this.#last) return entry.session;
    this.#last = key;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#forget();
    return entry.session;
  }

  /** The one that was used last is the last. */
  *[Symbol.iterator](): Generator<T, void> {
    for (const { session } of this.#entries.values()) yield session;
  }

  #forget(): void {
    const { sessions, bytes } = this.limits;
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= sessions && this.#bytes <= bytes) return;
      if (key === this.#last) return;
      this.#entries.delete(key);
      this.#bytes -= entry.bytes;
      this.onForget(entry.session, key);
    }
  }
}
