const EMPTY = new Uint8Array();

/** Bytes that come in parts, in one buffer of up to twice their number: a buffer for each part would take a hundred times a small one. */
export class GrowingBytes {
  /** The first part as it came, then a copy with room for more. */
  #buffer: Uint8Array = EMPTY;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get capacity(): number {
    return this.#buffer.length;
  }

  add(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (this.#length === 0) this.#buffer = part;
    else this.#append(part, length);
    this.#length = length;
  }

  /** All parts, without a copy. */
  whole(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  clear(): void {
    this.#buffer = EMPTY;
    this.#length = 0;
  }

  #append(part: Uint8Array, length: number): void {
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      larger.set(this.whole());
      this.#buffer = larger;
    }
    this.#buffer.set(part, this.#length);
  }
}
