const SEGMENT = 256 * 1024;

/** Joins the parts of a value from several chunks, up to a limit. It only counts bytes beyond it. */
export class Gatherer {
  /** The bytes of all parts, including dropped ones. */
  length = 0;
  /** All blocks are full except the last. The first is reused. */
  #segments = [new Uint8Array(SEGMENT)];

  constructor(readonly limit: number) {}

  get tooLarge(): boolean {
    return this.length > this.limit;
  }

  /** Copies the bytes, so that the chunk may be reused. */
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

  /** The joined bytes, valid until more are added. Undefined beyond the limit. */
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
