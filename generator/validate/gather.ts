const SMALL = 64 * 1024;

/** Puts together what chunks cut apart, up to a limit; what lies beyond is only counted. */
export class Gatherer {
  /** Of all that came, in bytes. */
  length = 0;
  #bytes = new Uint8Array(SMALL);

  constructor(readonly limit: number) {}

  get tooLarge(): boolean {
    return this.length > this.limit;
  }

  /** Copies, so that the chunk may be used again. */
  add(chunk: Uint8Array, start: number, end: number): void {
    const held = this.length;
    this.length += end - start;
    if (this.tooLarge) return;
    if (this.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(this.limit, Math.max(this.length, 2 * held)));
      larger.set(this.#bytes.subarray(0, held));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk.subarray(start, end), held);
  }

  /** All that came; to be used before more is added. Nothing where it was too much. */
  take(): Uint8Array {
    const all = this.tooLarge ? new Uint8Array() : this.#bytes.subarray(0, this.length);
    this.length = 0;
    if (this.#bytes.length > SMALL) this.#bytes = new Uint8Array(SMALL);
    return all;
  }
}
