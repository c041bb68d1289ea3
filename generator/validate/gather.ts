/** What is kept for the next value, in bytes. */
const SMALL = 256 * 1024;
const EMPTY = new Uint8Array();

/** Puts together what chunks cut apart, up to a limit; what lies beyond is only counted. */
export class Gatherer {
  /** Of all that came, in bytes. */
  length = 0;
  #bytes: Uint8Array = EMPTY;

  constructor(readonly limit: number) {}

  get tooLarge(): boolean {
    return this.length > this.limit;
  }

  /** Copies, so that the chunk may be used again. */
  add(chunk: Uint8Array, start: number, end: number): void {
    const held = this.length;
    this.length += end - start;
    if (this.tooLarge) {
      this.#bytes = EMPTY;
      return;
    }
    if (this.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(this.limit, Math.max(SMALL, this.length, 2 * held)));
      larger.set(this.#bytes.subarray(0, held));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk.subarray(start, end), held);
  }

  /** All that came; to be used before more is added. Nothing where it was too much. */
  take(): Uint8Array {
    const all = this.tooLarge ? EMPTY : this.#bytes.subarray(0, this.length);
    this.length = 0;
    if (this.#bytes.length > SMALL) this.#bytes = EMPTY;
    return all;
  }
}
