/** What a table may hold: strangers decide how many entries it gets and how long their keys are. */
export interface Bounds {
  readonly entries: number;
  /** Of all keys together. */
  readonly characters: number;
}

/**
 * A table that forgets its oldest entries rather than grow without end. It keeps two generations:
 * when the younger is as large as the bounds allow, the older one goes.
 */
export class BoundedMap<V> {
  /** How many entries were dropped to make room. */
  forgotten = 0;
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  #characters = 0;

  constructor(readonly bounds: Bounds) {}

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: string, value: V): void {
    this.delete(key);
    this.#young.set(key, value);
    this.#characters += key.length;
    const { entries, characters } = this.bounds;
    if (this.#young.size < entries && this.#characters < characters) return;
    this.forgotten += this.#old.size;
    this.#old = this.#young;
    this.#young = new Map();
    this.#characters = 0;
  }

  delete(key: string): void {
    if (this.#young.delete(key)) this.#characters -= key.length;
    else this.#old.delete(key);
  }
}
