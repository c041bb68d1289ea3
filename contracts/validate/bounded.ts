/** Limits of a table, because the input decides the number and length of its entries. */
export interface Bounds {
  readonly entries: number;
  /** Characters of all texts together. */
  readonly characters: number;
}

interface Entry<V> {
  readonly value: V;
  readonly characters: number;
}

/**
 * A table of bounded size that drops its oldest entries. It keeps two generations, and drops the older
 * one when the younger reaches the limits.
 */
export class BoundedMap<V> {
  /** The number of dropped entries. */
  forgotten = 0;
  #young = new Map<string, Entry<V>>();
  #old = new Map<string, Entry<V>>();
  #characters = 0;

  constructor(readonly bounds: Bounds) {}

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): V | undefined {
    return (this.#young.get(key) ?? this.#old.get(key))?.value;
  }

  /** `texts` are the texts in the value. */
  set(key: string, value: V, texts: readonly string[]): void {
    this.delete(key);
    const characters = texts.reduce((sum, { length }) => sum + length, key.length);
    this.#young.set(key, { value, characters });
    this.#characters += characters;
    const { bounds } = this;
    if (this.#young.size < bounds.entries && this.#characters < bounds.characters) return;
    this.forgotten += this.#old.size;
    this.#old = this.#young;
    this.#young = new Map();
    this.#characters = 0;
  }

  /** Whether a kept value has the property. It looks at each. */
  some(has: (value: V) => boolean): boolean {
    for (const entries of [this.#young, this.#old]) {
      for (const { value } of entries.values()) if (has(value)) return true;
    }
    return false;
  }

  /** Returns whether it was there. */
  delete(key: string): boolean {
    this.#characters -= this.#young.get(key)?.characters ?? 0;
    return this.#young.delete(key) || this.#old.delete(key);
  }
}
