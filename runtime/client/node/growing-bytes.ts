/** Bytes that come in parts, in one buffer of at most twice their number: a buffer for each part takes 200 bytes more. */
export class GrowingBytes {
  /** The first part as it came, then a copy with room for more. */
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get capacity(): number {
    return this.#buffer.length;
  }

  add(part: Buffer): void {
    const length = this.#length + part.length;
    if (this.#length === 0) this.#buffer = part;
    else {
      if (length > this.#buffer.length) this.#grow(Math.max(length, 2 * this.#length));
      part.copy(this.#buffer, this.#length);
    }
    this.#length = length;
  }

  toString(most = this.#length): string {
    return this.#buffer.toString('utf8', 0, Math.min(most, this.#length));
  }

  #grow(capacity: number): void {
    const larger = Buffer.allocUnsafe(capacity);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
