import { type Channel, LazyAbort } from '../../peer/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { createBacklog } from '../queue/backlog.js';
import { OutgoingQueue, type Reader } from '../queue/outgoing.js';

/** Where lines come from, such as Node's standard input. */
export interface LineSource {
  readonly readableEnded: boolean;
  readonly destroyed: boolean;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  off(event: 'end' | 'close', listener: () => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  listenerCount(event: 'data'): number;
  pause(): unknown;
  resume(): unknown;
}

/** Where lines go, such as Node's standard output. */
export interface LineTarget {
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
}

/** Bytes of one line. */
export const LONGEST_LINE = 10 * 2 ** 20;
/** Bytes of whole lines that are read ahead, so that the end of the input is noticed while lines wait. */
const MOST_AHEAD = 2 ** 20;
/** Lines that are taken in one turn of the event loop: their answers count before more are taken. */
const LINES_A_TURN = 16;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const RETURN = 0x0d;

interface LineInputOptions {
  readonly take: (line: Uint8Array) => void;
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

  #next(): Uint8Array | undefined {
    const [first] = this.#lines;
    if (first === undefined) return undefined;
    const end = first.indexOf(LINE_FEED);
    this.#ahead -= end + 1;
    if (end + 1 === first.length) this.#lines.shift();
    else this.#lines[0] = first.subarray(end + 1);
    return first.subarray(0, end);
  }
}

/** Whether a line has white space only. */
export function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === SPACE || (byte >= TAB && byte <= RETURN));
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

/** What may wait before the connection is closed. */
const MOST_EVER = 2 ** 26;

interface LineOutputOptions {
  readonly target: LineTarget;
  /** Called when so little waits again that more may be asked for. */
  readonly onRoom: () => void;
  /** Called when messages begin to be dropped, and when too much waits although nothing more is asked for. */
  readonly onTooSlow: () => void;
  /** Called when too much waits. */
  readonly onOverflow: () => void;
}

/** Everything that goes out of a pipe. The messages of one turn of the event loop are written at once. */
export class LineOutput implements Channel, Reader {
  /** Nothing but the end of the connection ends it, and then peers end what is open. */
  readonly gone = new LazyAbort();
  readonly #queue: OutgoingQueue;
  readonly #options: LineOutputOptions;
  readonly #resume = (): void => this.#flush();
  #state: 'idle' | 'scheduled' | 'draining' | 'closed' = 'idle';
  #wasFull = false;

  constructor(options: LineOutputOptions) {
    const { onTooSlow } = options;
    this.#options = options;
    // There is one pipe in a process, whose own bounds are enough.
    const backlog = createBacklog(Infinity);
    this.#queue = new OutgoingQueue({ backlog, onTooSlow, most: MOST_EVER, dropsLogs: true });
    this.#queue.attach(this);
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  get isFull(): boolean {
    return this.#queue.isFull;
  }

  send(message: JsonObject, text: string): Promise<void> | undefined {
    const sent = this.#queue.push(`${text}\n`, message);
    this.#wasFull ||= this.#queue.isFull;
    return sent;
  }

  close(): void {
    // The pipe outlives each message.
  }

  wake(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'scheduled';
    setImmediate(this.#resume);
  }

  cut(): void {
    this.#options.onOverflow();
  }

  /** Hands over what waits: the connection ends. */
  end(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#writeAll(true);
    this.#queue.close();
  }

  #flush(): void {
    if (this.#state === 'closed') return;
    this.#state = 'idle';
    if (!this.#writeAll(false)) {
      this.#state = 'draining';
      this.#options.target.once('drain', this.#resume);
    }
    if (!this.#wasFull || this.#queue.isFull) return;
    this.#wasFull = false;
    this.#options.onRoom();
  }

  /** Returns whether the target takes more. */
  #writeAll(isForced: boolean): boolean {
    for (let piece = this.#queue.take(); piece !== undefined; piece = this.#queue.take()) {
      if (!this.#options.target.write(piece) && !isForced) return false;
    }
    return true;
  }
}
