const LINE_FEED = 0x0a;

/** A line without its line feed, or the size of one that is too long to be kept. */
export type Line =
  { readonly bytes: Buffer; readonly isWhole: boolean } | { readonly tooLong: number };

/** Cuts bytes into lines, however they come, and keeps no more of a line than the limit. */
export class LineCutter {
  #begun: Buffer[] = [];
  #size = 0;

  constructor(readonly most: number) {}

  /** The lines that end in this chunk. */
  push(chunk: Buffer): Line[] {
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

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size <= this.most) this.#begun.push(bytes);
    else this.#begun = [];
  }

  #take(isWhole: boolean): Line {
    const [first, ...others] = this.#begun;
    const bytes = first && others.length === 0 ? first : Buffer.concat(this.#begun);
    const line = this.#size > this.most ? { tooLong: this.#size } : { bytes, isWhole };
    this.#begun = [];
    this.#size = 0;
    return line;
  }
}
