import { LineCutter } from './lines.js';
import type { Line } from './lines.js';

/** An event of an event stream (server-sent events), or other lines between two empty ones, such as a comment. */
export interface StreamEvent {
  /** Its lines, and the empty line at its end. */
  readonly raw: Buffer;
  /** `message` if it has no name. */
  readonly name: string;
  /** Undefined for an event without data, and for one that was cut by the end of the stream. */
  readonly data: string | undefined;
}

/** An event, or the size of one that is too long to be kept. */
export type StreamPart = StreamEvent | { readonly tooLong: number };

const LINE_FEED = Buffer.from('\n');

/**
 * Cuts a stream into its events, however the bytes come. Lines end with a line feed, or with a carriage return and a line
 * feed; the grammar also allows a carriage return alone, which no server writes.
 */
export class EventCutter {
  readonly #lines: LineCutter;
  #begun: Buffer[] = [];
  #size = 0;

  constructor(readonly most: number) {
    this.#lines = new LineCutter(most);
  }

  /** The events that end in this chunk. */
  push(chunk: Buffer): StreamPart[] {
    return this.#lines.push(chunk).flatMap((line) => this.#add(line));
  }

  /** What the end of the stream has cut. */
  end(): StreamPart[] {
    const parts = this.#lines.end().flatMap((line) => this.#add(line));
    if (this.#size === 0) return parts;
    const raw = Buffer.concat(this.#begun).subarray(0, -1);
    const rest = this.#size > this.most ? { tooLong: this.#size } : { ...partOf(raw), raw };
    return [...parts, 'tooLong' in rest ? rest : { ...rest, data: undefined }];
  }

  #add(line: Line): StreamPart[] {
    const bytes = 'tooLong' in line ? undefined : line.bytes;
    this.#size += (bytes?.length ?? ('tooLong' in line ? line.tooLong : 0)) + 1;
    if (bytes && this.#size <= this.most) this.#begun.push(bytes, LINE_FEED);
    else this.#begun = [];
    const isEnd = bytes !== undefined && (bytes.length === 0 || isReturn(bytes));
    return isEnd ? [this.#take()] : [];
  }

  #take(): StreamPart {
    const part =
      this.#size > this.most ? { tooLong: this.#size } : partOf(Buffer.concat(this.#begun));
    this.#begun = [];
    this.#size = 0;
    return part;
  }
}

function isReturn(bytes: Buffer): boolean {
  return bytes.length === 1 && bytes[0] === 0x0d;
}

function partOf(raw: Buffer): StreamEvent {
  const fields = raw.toString().split(/\r?\n/).map(fieldOf);
  const data = fields.filter(({ name }) => name === 'data').map(({ value }) => value);
  const name = fields.findLast((field) => field.name === 'event')?.value;
  return { raw, name: name || 'message', data: data.length === 0 ? undefined : data.join('\n') };
}

function fieldOf(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  if (colon === -1) return { name: line, value: '' };
  const value = line.slice(colon + 1);
  return { name: line.slice(0, colon), value: value.startsWith(' ') ? value.slice(1) : value };
}

/** The bytes of an event with other data. Its id and its name stay. */
export function withData({ raw }: StreamEvent, data: string | undefined): Buffer {
  const others = raw
    .toString()
    .split(/\r?\n/)
    .filter((line) => line !== '' && fieldOf(line).name !== 'data');
  const lines = data === undefined ? others : [...others, `data: ${data}`];
  return Buffer.from(`${lines.join('\n')}\n\n`);
}
