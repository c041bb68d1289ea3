import { GrowingBytes } from './growing-bytes.js';

const LINE_FEED = 0x0a;
/** Bytes that are kept of a line that is too long. */
const KEPT = 65_536;

/** A line without its line feed, or the size and the beginning of one that is too long to be kept. */
export type Line =
  | { readonly bytes: Uint8Array; readonly isWhole: boolean }
  | { readonly tooLong: number; readonly begun: Uint8Array };

/** Cuts bytes into lines, however they come, and keeps no more of a line than the limit. */
export class LineCutter {
  #begun = new GrowingBytes();
  #size = 0;

  constructor(readonly most: number) {}

  /** The lines that end in this chunk. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(this.#take(true));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  /** The line that the end of the bytes has cut, if there is one. */
  end(): Line[] {
    return this.#size > 0 ? [this.#take(false)] : [];
  }

  /** Whether the line that has not ended yet is too long already. */
  get isTooLong(): boolean {
    return this.#size > this.most;
  }

  #keep(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size <= this.most) return this.#begun.add(bytes);
    if (this.#begun.length > KEPT) this.#shorten(this.#begun.whole());
    else if (this.#begun.length === 0) this.#shorten(bytes);
  }

  #shorten(bytes: Uint8Array): void {
    this.#begun = new GrowingBytes();
    this.#begun.add(bytes.slice(0, KEPT));
  }

  #take(isWhole: boolean): Line {
    const bytes = this.#begun.whole();
    const size = this.#size;
    this.#begun = new GrowingBytes();
    this.#size = 0;
    return size > this.most ? { tooLong: size, begun: bytes } : { bytes, isWhole };
  }
}
