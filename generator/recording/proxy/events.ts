/** An event of an event stream (server-sent events), or other lines between two empty ones, such as a comment. */
export interface StreamEvent {
  /** Its lines, and the empty line at its end. The byte order mark of a stream is left out. */
  readonly raw: Buffer;
  /** `message` if it has no name. */
  readonly name: string;
  /** Undefined for an event without data, and for one that was cut by the end of the stream. */
  readonly data: string | undefined;
}

/** An event, or the size of one that is too long to be kept. */
export type StreamPart = StreamEvent | { readonly tooLong: number };

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Cuts a stream into its events, however the bytes come. A line ends with a line feed, a carriage return, or both: a client
 * reads all three, so a server could hide an event behind one that is not cut here.
 */
export class EventCutter {
  #begun: Buffer[] = [];
  #size = 0;
  #isEmptyLine = true;
  /** After a carriage return, whose line may go on with a line feed. */
  #isReturned = false;
  #isFirst = true;

  constructor(readonly most: number) {}

  /** The events that end in this chunk. */
  push(chunk: Buffer): StreamPart[] {
    const parts: StreamPart[] = [];
    let start = 0;
    const endLine = (end: number): void => {
      if (this.#isEmptyLine) {
        this.#keep(chunk.subarray(start, end));
        parts.push(this.#take());
        start = end;
      }
      this.#isEmptyLine = true;
      this.#isReturned = false;
    };
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (byte === LINE_FEED) {
        endLine(index + 1);
        continue;
      }
      if (this.#isReturned) endLine(index);
      if (byte === RETURN) this.#isReturned = true;
      else this.#isEmptyLine = false;
    }
    this.#keep(chunk.subarray(start));
    return parts;
  }

  /** What the end of the stream has cut, and an event whose last byte is a carriage return. */
  end(): StreamPart[] {
    if (this.#size === 0) return [];
    const isWhole = this.#isReturned && this.#isEmptyLine;
    const part = this.#take();
    return [isWhole || 'tooLong' in part ? part : { ...part, data: undefined }];
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > this.most) this.#begun = [];
    else if (bytes.length > 0) this.#begun.push(bytes);
  }

  #take(): StreamPart {
    const raw = Buffer.concat(this.#begun);
    const part =
      this.#size > this.most
        ? { tooLong: this.#size }
        : partOf(this.#isFirst ? withoutMarks(raw) : raw);
    this.#begun = [];
    this.#size = 0;
    this.#isFirst = false;
    return part;
  }
}

/** Some clients skip one mark, others two. */
function withoutMarks(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
    rest = rest.subarray(BYTE_ORDER_MARK.length);
  }
  return rest;
}

function linesOf(raw: Buffer): string[] {
  return raw.toString().split(/\r\n|\n|\r/);
}

function partOf(raw: Buffer): StreamEvent {
  const fields = linesOf(raw).map(fieldOf);
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
  const others = linesOf(raw).filter((line) => line !== '' && fieldOf(line).name !== 'data');
  const lines = data === undefined ? others : [...others, `data: ${data}`];
  return Buffer.from(`${lines.join('\n')}\n\n`);
}
