const SEGMENT = 256 * 1024;

/** Puts together what chunks cut apart, up to a limit; what lies beyond is only counted. */
export class Gatherer {
  /** Of all that came, in bytes. */
  length = 0;
  /** All full but the last; the first is used again. */
  #segments = [new Uint8Array(SEGMENT)];

  constructor(readonly limit: number) {}

  get tooLarge(): boolean {
    return this.length > this.limit;
  }

  /** Copies, so that the chunk may be used again. */
  add(chunk: Uint8Array, start: number, end: number): void {
    let held = this.length;
    this.length += end - start;
    if (this.tooLarge) {
      this.#segments.length = 1;
      return;
    }
    for (let from = start; from < end;) {
      const room = SEGMENT - (held % SEGMENT);
      const index = Math.floor(held / SEGMENT);
      const segment = (this.#segments[index] ??= new Uint8Array(SEGMENT));
      const part = chunk.subarray(from, Math.min(end, from + room));
      segment.set(part, SEGMENT - room);
      from += part.length;
      held += part.length;
    }
  }

  /** All that came; to be used before more is added. Nothing where it was too much. */
  take(): Uint8Array {
    const { length, tooLarge } = this;
    const segments = this.#segments.splice(1);
    const [first = new Uint8Array()] = this.#segments;
    this.length = 0;
    if (tooLarge) return new Uint8Array();
    if (segments.length === 0) return first.subarray(0, length);
    const all = new Uint8Array(length);
    for (const [index, segment] of [first, ...segments].entries()) {
      const start = index * SEGMENT;
      all.set(segment.subarray(0, length - start), start);
    }
    return all;
  }
}
