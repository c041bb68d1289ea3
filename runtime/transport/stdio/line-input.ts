/** Bytes of one line. */
const LONGEST_LINE = 10 * 2 ** 20;
/** Bytes of whole lines that are read ahead, so that the end of the input is noticed while lines wait. */
const MOST_AHEAD = 2 ** 20;
/** Lines that are taken in one turn of the event loop: their answers count before more are taken. */
const LINES_A_TURN = 16;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

export interface LineInputOptions {
  readonly take: (line: string) => void;
  /** Whether no more lines may be taken now. Call `resume` when they may. */
  readonly isBlocked: () => boolean;
  /** Lets the source send, or pauses it. */
  readonly flow: (flowing: boolean) => void;
}

/** Cuts bytes into lines, and takes some of them in each turn of the event loop. */
export class LineInput {
  readonly #options: LineInputOptions;
  /** Whole lines. */
  #lines: Uint8Array[] = [];
  #ahead = 0;
  /** The beginning of the next line. */
  #begun: Uint8Array[] = [];
  #begunLength = 0;
  #scheduled = false;

  constructor(options: LineInputOptions) {
    this.#options = options;
  }

  /** Throws for a line that is too long. */
  add(chunk: Uint8Array): void {
    const firstEnd = chunk.indexOf(LINE_FEED) + 1 || chunk.length;
    if (this.#begunLength + firstEnd > LONGEST_LINE) {
      throw new Error(`A line is longer than ${LONGEST_LINE} bytes`);
    }
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) this.#addLines(chunk.subarray(0, end));
    const rest = chunk.subarray(end);
    if (rest.length > 0) this.#begun.push(rest);
    this.#begunLength += rest.length;
    if (this.#ahead > MOST_AHEAD) this.#options.flow(false);
    if (!this.#scheduled) this.#turn();
  }

  resume(): void {
    if (!this.#scheduled) setImmediate(() => this.#turn());
    this.#scheduled = true;
  }

  /** Takes the lines that are left, unless they may not be taken. */
  end(): void {
    this.#takeSome(Infinity);
  }

  clear(): void {
    this.#lines = [];
    this.#begun = [];
    this.#ahead = this.#begunLength = 0;
  }

  #addLines(lines: Uint8Array): void {
    const whole = this.#begun.length === 0 ? lines : joined([...this.#begun, lines]);
    this.#lines.push(whole);
    this.#ahead += whole.length;
    this.#begun = [];
    this.#begunLength = 0;
  }

  #turn(): void {
    this.#scheduled = false;
    this.#takeSome(LINES_A_TURN);
    if (this.#lines.length > 0 && !this.#options.isBlocked()) this.resume();
    if (this.#ahead <= MOST_AHEAD) this.#options.flow(true);
  }

  #takeSome(most: number): void {
    for (let taken = 0; taken < most && !this.#options.isBlocked(); taken += 1) {
      const line = this.#next();
      if (line === undefined) break;
      this.#options.take(line);
    }
  }

  #next(): string | undefined {
    const [first] = this.#lines;
    if (first === undefined) return undefined;
    const end = first.indexOf(LINE_FEED);
    this.#ahead -= end + 1;
    if (end + 1 === first.length) this.#lines.shift();
    else this.#lines[0] = first.subarray(end + 1);
    return UTF_8.decode(first.subarray(0, first[end - 1] === CARRIAGE_RETURN ? end - 1 : end));
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
