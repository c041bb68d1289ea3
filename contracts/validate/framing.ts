import { joined, textIn } from './bytes.js';
import { endsValue, isBlankLine, openList, piecesIn } from './pieces.js';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  CONTAINERS,
  isBlank,
  LINE_FEED,
  OPEN_ARRAY,
  OPEN_OBJECT,
  passBlank,
  QUOTE,
  ValueScanner,
  type Place,
} from './scanner.js';

/** A part of the input that should be one JSON value, or an error. */
export type Frame = {
  /** The line at which it begins, from 1. */
  readonly line: number;
  /** The index in the array that is the whole input. */
  readonly index?: number;
} & (
  | {
      readonly kind: 'text';
      /** Valid until the next frame is requested. */
      readonly bytes: Uint8Array;
    }
  | { readonly kind: 'broken'; readonly problem: string }
  /** `isNested`: it has too many objects and arrays. */
  | { readonly kind: 'too-large'; readonly isNested?: boolean }
  /** The array is not the whole input, so it was a batch. */
  | { readonly kind: 'batch'; readonly length: number }
);

/** Bytes of one line before its whole values are taken, so that only a value has a limit. Then twice as many. */
const FIRST_TAKE = 1024 * 1024;

/** Bytes that show whether a bracket begins a list. Longer blanks and keys count as those of one. */
const LOOKAHEAD = 400;
/** An array up to the first key of its first object, or to the end of its line. Logs begin lines with brackets too. */
const LIST = /^\[[ \t\r[]*(?:[\n,]|\{[ \t\r]*(?:\n|"(?:[^"\\\n]|\\.)*"[ \t\r]*[:\n])|\][ \t\r]*\n)/;
/** What may still become one. */
const OPEN_LIST = /^\[[ \t\r[]*(?:\{[ \t\r]*(?:"(?:[^"\\\n]|\\.)*(?:\\?|"[ \t\r]*))?|\][ \t\r]*)?$/;

/** Other bytes at the start of a line inside a value without indentation. */
const CONTINUATIONS: readonly number[] = [CLOSE_OBJECT, CLOSE_ARRAY, QUOTE, COMMA];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * What the next bytes are:
 * - `start`: white space, then something that tells the form of the input
 * - `first-line`: a line that holds values, or the beginning of a larger one
 * - `lines`: lines that hold values, since one did
 * - `open-line`: after a line of those that ends inside a value, which the next line continues or not
 * - `value`: a value that may take several lines
 * - `list`: between the elements of the array that is the whole input
 * - `resume`: after something broken, up to a line that begins with a value
 */
type Mode = 'start' | 'first-line' | 'lines' | 'open-line' | 'value' | 'list' | 'resume';

interface List {
  readonly line: number;
  /** The number of elements so far. */
  count: number;
  /** Whether the next element needs no comma. */
  separated: boolean;
  closed: boolean;
  /** Whether an element was broken, so that this may not be a list. */
  doubtful: boolean;
}

/**
 * Divides an input into JSON values by its content: JSON Lines, documents of several lines, or the
 * elements of an array. Chunks may end anywhere. It holds one value at a time, up to a limit in bytes.
 */
export class Framer {
  #mode: Mode = 'start';
  /** Where reading goes on after a value of several lines. */
  #home: 'start' | 'lines' = 'start';
  #nextTake = FIRST_TAKE;
  /** Whether there is no text before the value. */
  #isBare = true;
  #place: Place = { line: 1, indent: 0 };
  #scanner = new ValueScanner(this.#place);
  #gatherer: Gatherer;
  #list: List | undefined;
  /** The line and indent that the value began at. */
  #begin: Readonly<Place> = this.#place;
  #seen = 0;
  /** The beginning of a list, perhaps: from its bracket to the end of a chunk. */
  #held = new Uint8Array();

  constructor(readonly limit: number) {
    this.#gatherer = new Gatherer(limit);
  }

  *push(chunk: Uint8Array): Generator<Frame, void> {
    const start = this.#passByteOrderMark(chunk);
    if (this.#held.length === 0) {
      yield* this.#steps(chunk, start);
      return;
    }
    const bytes = joined([this.#held, chunk.subarray(start)]);
    this.#held = new Uint8Array();
    yield* this.#steps(bytes, 0);
  }

  *end(): Generator<Frame, void> {
    if (this.#held.length > 0) {
      const held = joined([this.#held, Uint8Array.of(LINE_FEED)]);
      this.#held = new Uint8Array();
      yield* this.#steps(held, 0);
    }
    if (this.#mode === 'value') {
      this.#scanner.end();
      if (this.#scanner.state === 'done') yield this.#take();
      else yield this.#unfinished('the input ends inside it');
    } else if (this.#gatherer.length > 0) {
      yield this.#take();
    }
    if (this.#list && !this.#list.closed) {
      yield this.#broken('the array does not end', this.#list.line);
    }
  }

  *#steps(chunk: Uint8Array, start: number): Generator<Frame, void> {
    let i = start;
    while (i < chunk.length) i = yield* this.#step(chunk, i);
  }

  *#step(chunk: Uint8Array, i: number): Generator<Frame, number> {
    switch (this.#mode) {
      case 'start':
        return yield* this.#start(chunk, i);
      case 'first-line':
      case 'lines':
        return yield* this.#line(chunk, i);
      case 'open-line':
        return yield* this.#openLine(chunk, i);
      case 'value':
        return yield* this.#value(chunk, i);
      case 'list':
        return yield* this.#element(chunk, i);
      case 'resume':
        return this.#resume(chunk, i);
    }
  }

  *#start(chunk: Uint8Array, start: number): Generator<Frame, number> {
    const i = this.#passBlanks(chunk, start);
    if (i === chunk.length) return i;
    if (this.#list) {
      yield { kind: 'batch', line: this.#list.line, length: this.#list.count };
      this.#list = undefined;
    }
    const isList = chunk[i] === OPEN_ARRAY && beginsList(textIn(chunk, i, i + LOOKAHEAD));
    if (isList === undefined) {
      this.#held = chunk.slice(i);
      return chunk.length;
    }
    this.#begin = { ...this.#place };
    if (isList) {
      this.#list = {
        line: this.#place.line,
        count: 0,
        separated: true,
        closed: false,
        doubtful: false,
      };
      this.#mode = 'list';
      this.#home = 'start';
      this.#place.indent = -1;
      return i + 1;
    }
    this.#mode = 'first-line';
    return i;
  }

  *#line(chunk: Uint8Array, start: number): Generator<Frame, number> {
    const feed = chunk.indexOf(LINE_FEED, start);
    const end = feed < 0 ? chunk.length : feed + 1;
    const isNew = this.#gatherer.length === 0;
    if (isNew && this.#mode === 'lines') this.#begin = { ...this.#place };
    if (isNew && feed >= 0 && end - start <= this.limit) {
      yield* this.#takeLine(chunk.subarray(start, end));
      return end;
    }
    this.#gatherer.add(chunk, start, end);
    if (feed >= 0) {
      this.#nextTake = FIRST_TAKE;
      if (this.#gatherer.tooLarge) yield this.#endLine(this.#take());
      else yield* this.#takeLine(this.#gatherer.take());
    } else if (this.#gatherer.length >= this.#nextTake && !this.#gatherer.tooLarge) {
      yield* this.#takeValues();
    }
    return end;
  }

  /** A whole line. What it begins and does not end may continue on the next line. */
  *#takeLine(line: Uint8Array): Generator<Frame, void> {
    const pieces = this.#mode === 'lines' && endsValue(line) ? [] : piecesIn(line);
    const last = pieces.at(-1);
    const opening = last?.state === 'open' ? last.start : openList(line);
    const frame = { kind: 'text', line: this.#begin.line } as const;
    if (opening === undefined) {
      if (this.#mode === 'first-line') {
        this.#mode = pieces.some(({ state }) => state === 'whole') ? 'lines' : 'start';
      }
      yield this.#endLine({ ...frame, bytes: line });
      return;
    }
    const before = pieces.findLast(({ state }) => state === 'whole')?.end ?? 0;
    if (before > 0) yield { ...frame, bytes: line.subarray(0, before) };
    this.#home = this.#mode === 'lines' ? 'lines' : 'start';
    this.#mode = this.#mode === 'lines' || last?.state !== 'open' ? 'open-line' : 'value';
    this.#scanner = new ValueScanner(this.#place);
    this.#scanner.scan(line, opening);
    this.#isBare = isBlankLine(line.subarray(before, opening));
    this.#gatherer.add(line, before, line.length);
  }

  #endLine(frame: Frame): Frame {
    this.#place.line = this.#begin.line + 1;
    this.#place.indent = 0;
    if (this.#mode === 'first-line' && frame.kind === 'too-large') this.#mode = 'start';
    return frame;
  }

  /** The whole values of a long line. */
  *#takeValues(): Generator<Frame, void> {
    const line = this.#gatherer.take();
    const before = piecesIn(line).findLast(({ state }) => state === 'whole')?.end ?? 0;
    if (before > 0) {
      if (this.#mode === 'first-line') this.#mode = 'lines';
      yield { kind: 'text', line: this.#begin.line, bytes: line.subarray(0, before) };
    }
    this.#gatherer.add(line, before, line.length);
    this.#nextTake = Math.max(FIRST_TAKE, 2 * (line.length - before));
  }

  /**
   * After a line that is cut off, the next one begins a value. A value of several lines is indented, unless it is
   * the elements of an array.
   */
  *#openLine(chunk: Uint8Array, start: number): Generator<Frame, number> {
    const byte = chunk[start] ?? 0;
    const isIndented = byte !== LINE_FEED && (isBlank(byte) || CONTINUATIONS.includes(byte));
    if (isIndented || (this.#scanner.isList && this.#isBare)) {
      this.#mode = 'value';
      return start;
    }
    this.#mode = this.#home;
    yield this.#endLine(this.#take());
    return start;
  }

  *#value(chunk: Uint8Array, start: number): Generator<Frame, number> {
    const end = this.#scanner.scan(chunk, start);
    this.#gatherer.add(chunk, start, end);
    if (this.#scanner.state === 'done') {
      this.#mode = this.#list ? 'list' : this.#home;
      yield this.#take();
    } else if (this.#scanner.state === 'broken') {
      this.#mode = 'resume';
      yield this.#unfinished(`line ${String(this.#place.line)} does not continue it`);
    }
    return end;
  }

  *#element(chunk: Uint8Array, start: number): Generator<Frame, number> {
    const list = this.#list;
    const i = this.#passBlanks(chunk, start);
    if (i === chunk.length || !list) return i;
    const byte = chunk[i];
    if (byte === COMMA || byte === CLOSE_ARRAY) {
      const dangling = list.separated && list.count > 0;
      const misplaced = byte === COMMA ? list.separated : dangling;
      list.separated = true;
      list.closed = byte === CLOSE_ARRAY;
      if (list.closed) this.#mode = 'start';
      this.#place.indent = -1;
      if (misplaced) yield this.#broken('an element is missing', this.#place.line);
      return i + 1;
    }
    if (!list.separated && list.doubtful && this.#place.indent >= 0) {
      this.#mode = 'start';
      this.#list = undefined;
      return i;
    }
    if (!list.separated) yield this.#broken('a comma is missing', this.#place.line);
    list.separated = false;
    list.count += 1;
    this.#begin = { ...this.#place };
    this.#scanner = new ValueScanner(this.#place);
    this.#mode = 'value';
    return i;
  }

  #resume(chunk: Uint8Array, start: number): number {
    for (let i = start; i < chunk.length; i += 1) {
      const byte = chunk[i] ?? 0;
      if (isBlank(byte)) {
        passBlank(this.#place, byte);
        continue;
      }
      if (this.#isBeginning(byte)) {
        if (this.#list) Object.assign(this.#list, { separated: true, doubtful: true });
        this.#mode = this.#list ? 'list' : this.#home;
        return i;
      }
      this.#place.indent = -1;
    }
    return chunk.length;
  }

  /** Only lines that are not indented deeper than the broken value, because others may be part of it. */
  #isBeginning(byte: number): boolean {
    const { indent, line } = this.#place;
    const atStart = indent >= 0 && indent <= Math.max(0, this.#begin.indent);
    if (line === this.#begin.line || !atStart) return false;
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) return true;
    return this.#list ? byte === CLOSE_ARRAY : indent === 0 && !CONTINUATIONS.includes(byte);
  }

  #take(): Frame {
    const at = this.#at();
    if (this.#gatherer.tooLarge) {
      this.#gatherer.take();
      return { ...at, kind: 'too-large' };
    }
    return { ...at, kind: 'text', bytes: this.#gatherer.take() };
  }

  /** A value that breaks off, or a line of text that ends with a bracket. */
  #unfinished(problem: string): Frame {
    const isNested = this.#scanner.containers > CONTAINERS;
    if (!isNested && !this.#list && !this.#isBare) return this.#take();
    this.#gatherer.take();
    return isNested ? { ...this.#at(), kind: 'too-large', isNested } : this.#broken(problem);
  }

  #broken(problem: string, line?: number): Frame {
    return line === undefined
      ? { ...this.#at(), kind: 'broken', problem }
      : { line, kind: 'broken', problem };
  }

  #at(): { readonly line: number; readonly index?: number } {
    const { line } = this.#begin;
    return this.#list ? { line, index: this.#list.count - 1 } : { line };
  }

  #passBlanks(chunk: Uint8Array, start: number): number {
    let i = start;
    for (; i < chunk.length && isBlank(chunk[i]); i += 1) passBlank(this.#place, chunk[i] ?? 0);
    return i;
  }

  #passByteOrderMark(chunk: Uint8Array): number {
    let i = 0;
    while (this.#seen < 3 && i < chunk.length && chunk[i] === BYTE_ORDER_MARK[this.#seen]) {
      this.#seen += 1;
      i += 1;
    }
    if (i < chunk.length) this.#seen = 3;
    return i;
  }
}

/** Whether a text that begins with a bracket begins an array of objects; `undefined` where more text decides. */
function beginsList(text: string): boolean | undefined {
  if (LIST.test(text)) return true;
  if (!OPEN_LIST.test(text)) return false;
  return text.length < LOOKAHEAD ? undefined : true;
}

const SEGMENT = 256 * 1024;

/** Joins the parts of a value from several chunks, up to a limit. It only counts bytes beyond it. */
class Gatherer {
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
