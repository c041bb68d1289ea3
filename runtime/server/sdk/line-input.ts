/** Bytes of one line; the SDK's limit. */
const LONGEST_LINE = 10 * 2 ** 20;
/** Bytes of whole lines that are read ahead, so that the end of the input is noticed while lines wait. */
const MOST_AHEAD = 2 ** 20;
/** Lines that are taken in one turn of the event loop: their answers count before more are taken. */
const LINES_A_TURN = 16;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface LineInputOptions {
  readonly take: (line: string) => void;
  /** Whether no more lines may be taken now. Call `resume` when they may. */
  readonly isBlocked: () => boolean;
  /** Lets the source send, or pauses it. */
  readonly flow: (flowing: boolean) => void;
}

export interface LineInput {
  /** Throws for a line that is too long. */
  add(chunk: Buffer): void;
  resume(): void;
  /** Takes the lines that are left, unless they may not be taken. */
  end(): void;
  clear(): void;
}

/** Cuts bytes into lines, and takes some of them in each turn of the event loop. */
export function createLineInput({ take, isBlocked, flow }: LineInputOptions): LineInput {
  /** Whole lines. */
  let lines: Buffer[] = [];
  let ahead = 0;
  /** The beginning of the next line. */
  let begun: Buffer[] = [];
  let begunLength = 0;
  let scheduled = false;

  function takeSome(most: number): void {
    for (let taken = 0; taken < most && !isBlocked(); taken += 1) {
      const line = next();
      if (line === undefined) break;
      take(line);
    }
  }

  function next(): string | undefined {
    const [first] = lines;
    if (first === undefined) return undefined;
    const end = first.indexOf(LINE_FEED);
    ahead -= end + 1;
    if (end + 1 === first.length) lines.shift();
    else lines[0] = first.subarray(end + 1);
    return first.toString('utf8', 0, first[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
  }

  function turn(): void {
    scheduled = false;
    takeSome(LINES_A_TURN);
    if (lines.length > 0 && !isBlocked()) later();
    if (ahead <= MOST_AHEAD) flow(true);
  }

  function later(): void {
    if (!scheduled) setImmediate(turn);
    scheduled = true;
  }

  return {
    add(chunk) {
      const firstEnd = chunk.indexOf(LINE_FEED) + 1 || chunk.length;
      if (begunLength + firstEnd > LONGEST_LINE) {
        throw new Error(`A line is longer than ${LONGEST_LINE} bytes`);
      }
      const end = chunk.lastIndexOf(LINE_FEED) + 1;
      if (end > 0) {
        const whole = begun.length === 0 ? chunk : Buffer.concat([...begun, chunk]);
        const length = begunLength + end;
        lines.push(whole.subarray(0, length));
        ahead += length;
        begun = [];
        begunLength = 0;
      }
      const rest = chunk.subarray(end);
      if (rest.length > 0) begun.push(rest);
      begunLength += rest.length;
      if (ahead > MOST_AHEAD) flow(false);
      if (!scheduled) turn();
    },
    resume: later,
    end: () => takeSome(Infinity),
    clear() {
      lines = [];
      begun = [];
      ahead = begunLength = 0;
    },
  };
}
