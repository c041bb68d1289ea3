/** What a table may hold: strangers decide how many entries it gets and how long their keys are. */
export interface Bounds {
  readonly entries: number;
  /** Of all keys together. */
  readonly characters: number;
}

/** A table that forgets its oldest entries rather than grow without end. */
export class BoundedMap<V> {
  /** How many entries were dropped to make room. */
  forgotten = 0;
  #entries = new Map<string, V>();
  #characters = 0;

  constructor(readonly bounds: Bounds) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#characters += key.length;
    for (const oldest of this.#entries.keys()) {
      const fits = this.size <= this.bounds.entries && this.#characters <= this.bounds.characters;
      if (fits) return;
      this.delete(oldest);
      this.forgotten += 1;
    }
  }

  delete(key: string): void {
    if (this.#entries.delete(key)) this.#characters -= key.length;
  }
}
