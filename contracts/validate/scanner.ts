/** Objects and arrays of one value, because each takes many times the memory of its text. */
export const CONTAINERS = 4_000_000;
/** Levels of objects and arrays before a value counts as broken: it has too many of them then. */
const DEEPEST = CONTAINERS + 1;

/** The allowed next token, besides white space. */
const VALUE = 0;
const VALUE_OR_END = 1;
const KEY = 2;
const KEY_OR_END = 3;
const COLON = 4;
const COMMA_OR_END = 5;

export const LINE_FEED = 0x0a;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
const COLON_BYTE = 0x3a;
const BACKSLASH = 0x5c;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** The position of a reader. */
export interface Place {
  /** From 1. */
  line: number;
  /** The number of blanks at the start of the line; -1 after any other byte. */
  indent: number;
}

export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === LINE_FEED;
}

/** Moves a place over white space. */
export function passBlank(place: Place, byte: number): void {
  if (byte === LINE_FEED) {
    place.line += 1;
    place.indent = 0;
  } else if (place.indent >= 0) {
    place.indent += 1;
  }
}

/** The start of the value on a line with a prefix: its first object, or the array around it. */
export function valueStart(bytes: Uint8Array): number {
  const opening = bytes.indexOf(OPEN_OBJECT);
  let before = opening - 1;
  while (before >= 0 && isBlank(bytes[before])) before -= 1;
  return before >= 0 && bytes[before] === OPEN_ARRAY ? before : opening;
}

/**
 * Finds the end of one JSON value in chunks of bytes without building the value. It follows brackets,
 * strings, colons and commas; `JSON.parse` checks numbers and words.
 */
export class ValueScanner {
  /** `more`: the value continues in the next chunk; `broken`: the bytes are not JSON. */
  state: 'more' | 'done' | 'broken' = 'more';
  /** Objects and arrays so far. */
  containers = 0;
  #expected = VALUE;
  #inString = false;
  #isKey = false;
  #escaped = false;
  #inWord = false;
  #depth = 0;
  /** The brackets that are open. */
  #stack = new Uint8Array(64);

  constructor(readonly place: Place) {}

  /** Whether only the bracket of an array was read. */
  get isList(): boolean {
    return this.containers === 1 && this.#expected === VALUE_OR_END;
  }

  /**
   * Returns the index after the value if it ends in this chunk, the index of the invalid byte if it is
   * broken, else the chunk's length.
   */
  scan(bytes: Uint8Array, start: number, end = bytes.length): number {
    let i = start;
    while (i < end && this.state === 'more') {
      if (this.#inString) {
        i = this.#string(bytes, i, end);
        continue;
      }
      const byte = bytes[i] ?? 0;
      if (isBlank(byte)) {
        if (this.#inWord && this.#endWord()) return i;
        passBlank(this.place, byte);
      } else if (this.#inWord && isDelimiter(byte)) {
        if (this.#endWord()) return i;
        continue;
      } else if (!this.#token(byte)) {
        this.state = 'broken';
        return i;
      } else {
        this.place.indent = -1;
      }
      i += 1;
    }
    return i;
  }

  /** Call it at the end of the input, which also ends a number or a word. */
  end(): void {
    if (this.#inWord) this.#endWord();
  }

  /** Ends at the closing quote; no line ends inside a string. */
  #string(bytes: Uint8Array, start: number, end: number): number {
    let i = start;
    for (; i < end; i += 1) {
      const byte = bytes[i] ?? 0;
      if (byte === LINE_FEED) {
        this.state = 'broken';
        return i;
      }
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        if (this.#isKey) this.#expected = COLON;
        else this.#close();
        return i + 1;
      }
    }
    return i;
  }

  /** Takes a byte that is not blank; false if it is not allowed here. */
  #token(byte: number): boolean {
    if (this.#inWord) return isWordByte(byte);
    switch (byte) {
      case QUOTE:
        return this.#openString();
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        return this.#open(byte);
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        return this.#closeContainer(byte);
      case COMMA:
        if (this.#expected !== COMMA_OR_END) return false;
        this.#expected = this.#stack[this.#depth - 1] === OPEN_OBJECT ? KEY : VALUE;
        return true;
      case COLON_BYTE:
        if (this.#expected !== COLON) return false;
        this.#expected = VALUE;
        return true;
      default:
        this.#inWord = this.#expected <= VALUE_OR_END && isWordByte(byte);
        return this.#inWord;
    }
  }

  #openString(): boolean {
    if (this.#expected >= COLON) return false;
    this.#isKey = this.#expected >= KEY;
    this.#inString = true;
    return true;
  }

  #open(byte: number): boolean {
    if (this.#expected > VALUE_OR_END || this.#depth >= DEEPEST) return false;
    if (this.#depth === this.#stack.length) {
      const larger = new Uint8Array(this.#depth * 2);
      larger.set(this.#stack);
      this.#stack = larger;
    }
    this.#stack[this.#depth] = byte;
    this.#depth += 1;
    this.containers += 1;
    this.#expected = byte === OPEN_OBJECT ? KEY_OR_END : VALUE_OR_END;
    return true;
  }

  #closeContainer(byte: number): boolean {
    const opened = this.#stack[this.#depth - 1];
    const empty = opened === OPEN_OBJECT ? KEY_OR_END : VALUE_OR_END;
    const matches = opened === (byte === CLOSE_OBJECT ? OPEN_OBJECT : OPEN_ARRAY);
    if (this.#depth === 0 || !matches) return false;
    if (this.#expected !== COMMA_OR_END && this.#expected !== empty) return false;
    this.#depth -= 1;
    this.#close();
    return true;
  }

  /** Whether the whole value ended with this word. */
  #endWord(): boolean {
    this.#inWord = false;
    return this.#close();
  }

  /** Ends a value; returns whether it was the whole value. */
  #close(): boolean {
    this.#expected = COMMA_OR_END;
    if (this.#depth === 0) this.state = 'done';
    return this.#depth === 0;
  }
}

function isDelimiter(byte: number): boolean {
  return (
    byte === COMMA ||
    byte === COLON_BYTE ||
    byte === QUOTE ||
    byte === OPEN_ARRAY ||
    byte === CLOSE_ARRAY ||
    byte === OPEN_OBJECT ||
    byte === CLOSE_OBJECT
  );
}

/** Of numbers, `true`, `false` and `null`. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e
  );
}
