/** What one message may hold, beside its bytes. */
export interface Bounds {
  /** Levels of arrays and objects. Checking messages that are nested thousands of levels deep exhausts the stack. */
  readonly levels: number;
  /** Members of all objects together: each new name costs some microseconds until its message is refused. */
  readonly members: number;
  /** Elements of arrays and members of objects together. */
  readonly values: number;
}

/** For what is no message, such as a schema of an author. */
export const LEVELS_ALONE: Bounds = { levels: 500, members: Infinity, values: Infinity };

/** Small messages may be dense. */
const SMALL = 2 ** 16;

/** Bytes for each member. A server takes fewer members than a client, because many clients send to it. */
const FOR_CLIENTS = 40;
export const FOR_SERVERS = 80;

/** The bounds of messages that have at most so many bytes. */
export function boundsFor(bytes: number, forMember = FOR_CLIENTS): Bounds {
  const size = Math.max(SMALL, bytes);
  return {
    levels: LEVELS_ALONE.levels,
    members: Math.ceil(size / forMember),
    values: Math.ceil(size / 8),
  };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Bytes of a text that are looked at before its end is searched: a search takes as long as these. */
const SHORT = 24;

/**
 * Counts what the bytes of a message hold, before anything is built of them. They may come in parts, and need not be
 * JSON: up to the first byte that is not, the count is right.
 */
export class Weight {
  readonly #bounds: Bounds;
  #levels = 0;
  #members = 0;
  #values = 0;
  #isInText = false;
  /** Whether the last part ended behind a backslash that escapes the next byte. */
  #isEscaped = false;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Begins another message. */
  clear(): void {
    this.#levels = this.#members = this.#values = 0;
    this.endLine();
  }

  /** Ends a text, because those of JSON have no line ends: a quote in a line before a message hides nothing of it. */
  endLine(): void {
    this.#isInText = this.#isEscaped = false;
  }

  /** The bound that is exceeded, in words that follow "The message". */
  add(bytes: Uint8Array): string | undefined {
    const { levels, members, values } = this.#bounds;
    let at = this.#isInText ? this.#endOfText(bytes, this.#isEscaped ? 1 : 0) + 1 : 0;
    for (; at < bytes.length; at += 1) {
      switch (bytes[at]) {
        case QUOTE:
          at = this.#endOfText(bytes, at + 1);
          break;
        case COMMA:
          if ((this.#values += 1) > values) return `has more than ${values} values`;
          break;
        case COLON:
          if ((this.#members += 1) > members) return `has more than ${members} members of objects`;
          break;
        case OPEN_ARRAY:
        case OPEN_OBJECT:
          if ((this.#values += 1) > values) return `has more than ${values} values`;
          if ((this.#levels += 1) > levels) return `is nested more than ${levels} levels deep`;
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          this.#levels -= 1;
          break;
        default:
        // Nothing that counts.
      }
    }
    return undefined;
  }

  /** The position of the quote that ends a text, or the end of the bytes. */
  #endOfText(bytes: Uint8Array, start: number): number {
    let at = start;
    for (const near = Math.min(bytes.length, start + SHORT); at < near; at += 1) {
      if (bytes[at] === QUOTE) return this.#textEnds(at);
      if (bytes[at] === BACKSLASH) at += 1;
    }
    for (let end = bytes.indexOf(QUOTE, at); end !== -1; end = bytes.indexOf(QUOTE, at)) {
      if (!isEscapedAt(bytes, at, end)) return this.#textEnds(end);
      at = end + 1;
    }
    this.#isInText = true;
    this.#isEscaped = at > bytes.length || isEscapedAt(bytes, at, bytes.length);
    return bytes.length;
  }

  #textEnds(at: number): number {
    this.#isInText = false;
    return at;
  }
}

/** Whether an odd number of backslashes ends there. None of them escapes the byte at `start`. */
function isEscapedAt(bytes: Uint8Array, start: number, end: number): boolean {
  let first = end;
  while (first > start && bytes[first - 1] === BACKSLASH) first -= 1;
  return (end - first) % 2 === 1;
}
