import { Gatherer } from './gather.js';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  isBlank,
  LINE_FEED,
  OPEN_ARRAY,
  OPEN_OBJECT,
  passBlank,
  QUOTE,
  valueStart,
  ValueScanner,
} from './scanner.js';
import type { Place } from './scanner.js';

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
  | { readonly kind: 'too-large' }
  /** The array is not the whole input, so it was a batch. */
  | { readonly kind: 'batch'; readonly length: number }
);

/** Other bytes at the start of a line inside a value without indentation. */
const CONTINUATIONS: readonly number[] = [CLOSE_OBJECT, CLOSE_ARRAY, QUOTE, COMMA];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * What the next bytes are:
 * - `start`: white space, then something that tells the form of the input
 * - `first-line`: a line that holds a value, or the beginning of a larger one
 * - `lines`: every line is a value of its own, since one was; the input stays so
 * - `value`: a value that may take several lines
 * - `list`: between the elements of the array that is the whole input
 * - `resume`: after something broken, up to a line that begins with a value
 */
type Mode = 'start' | 'first-line' | 'lines' | 'value' | 'list' | 'resume';

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
  #place: Place = { line: 1, indent: 0 };
  #scanner = new ValueScanner(this.#place);
  #gatherer: Gatherer;
  #list: List | undefined;
  /** The line and indent that the value began at. */
  #begin: Readonly<Place> = this.#place;
  #seen = 0;

  constructor(readonly limit: number) {
    this.#gatherer = new Gatherer(limit);
  }

  *push(chunk: Uint8Array): Generator<Frame, void> {
    let i = this.#passByteOrderMark(chunk);
    while (i < chunk.length) i = yield* this.#step(chunk, i);
  }

  *end(): Generator<Frame, void> {
    if (this.#mode === 'value') {
      this.#scanner.end();
      if (this.#scanner.state === 'done') yield this.#take();
      else yield this.#broken('the input ends inside it');
    } else if (this.#mode === 'first-line' || this.#mode === 'lines') {
      if (this.#gatherer.length > 0) yield this.#take();
    }
    if (this.#list && !this.#list.closed) {
      yield this.#broken('the array does not end', this.#list.line);
    }
  }

  *#step(chunk: Uint8Array, i: number): Generator<Frame, number> {
    switch (this.#mode) {
      case 'start':
        return yield* this.#start(chunk, i);
      case 'first-line':
        return yield* this.#firstLine(chunk, i);
      case 'lines':
        return yield* this.#line(chunk, i);
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
    const byte = chunk[i];
    this.#begin = { ...this.#place };
    if (byte === OPEN_ARRAY) {
      this.#list = {
        line: this.#place.line,
        count: 0,
        separated: true,
        closed: false,
        doubtful: false,
      };
      this.#mode = 'list';
      this.#place.indent = -1;
      return i + 1;
    }
    this.#mode = 'first-line';
    return i;
  }

  *#firstLine(chunk: Uint8Array, start: number): Generator<Frame, number> {
    const feed = chunk.indexOf(LINE_FEED, start);
    const end = feed < 0 ? chunk.length : feed + 1;
    this.#gatherer.add(chunk, start, end);
    if (feed < 0) return end;
    const line = this.#gatherer.take();
    const opening = valueStart(line);
    this.#scanner = new ValueScanner(this.#place);
    if (opening >= 0) this.#scanner.scan(line, opening);
    if (opening >= 0 && this.#scanner.state === 'more') {
      this.#gatherer.add(line, 0, line.length);
      this.#mode = 'value';
      return end;
    }
    this.#place.line = this.#begin.line + 1;
    this.#place.indent = 0;
    this.#mode = this.#scanner.state === 'done' ? 'lines' : 'start';
    yield line.length > 0
      ? { kind: 'text', line: this.#begin.line, bytes: line }
      : { kind: 'too-large', line: this.#begin.line };
    return end;
  }

  *#line(chunk: Uint8Array, start: number): Generator<Frame, number> {
    const feed = chunk.indexOf(LINE_FEED, start);
    const end = feed < 0 ? chunk.length : feed + 1;
    if (this.#gatherer.length === 0) this.#begin = { ...this.#place };
    if (feed < 0) {
      this.#gatherer.add(chunk, start, end);
      return end;
    }
    this.#place.line += 1;
    if (this.#gatherer.length === 0 && end - start <= this.limit) {
      yield { kind: 'text', line: this.#begin.line, bytes: chunk.subarray(start, end) };
    } else {
      this.#gatherer.add(chunk, start, end);
      yield this.#take();
    }
    return end;
  }

  *#value(chunk: Uint8Array, start: number): Generator<Frame, number> {
    const end = this.#scanner.scan(chunk, start);
    this.#gatherer.add(chunk, start, end);
    if (this.#scanner.state === 'done') {
      this.#mode = this.#list ? 'list' : 'start';
      yield this.#take();
    } else if (this.#scanner.state === 'broken') {
      this.#gatherer.take();
      this.#mode = 'resume';
      yield this.#broken(`line ${String(this.#place.line)} does not continue it`);
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
    const isFirst = list.count === 0 && this.#place.line === list.line;
    if (isFirst && byte !== OPEN_OBJECT && byte !== OPEN_ARRAY) return this.#noList(i);
    if (!list.separated && list.doubtful && this.#place.indent >= 0) return this.#noList(i);
    if (!list.separated) yield this.#broken('a comma is missing', this.#place.line);
    list.separated = false;
    list.count += 1;
    this.#begin = { ...this.#place };
    this.#scanner = new ValueScanner(this.#place);
    this.#mode = 'value';
    return i;
  }

  /** Stops reading a list: the bracket began a line of text, or the list is too broken. */
  #noList(i: number): number {
    if (this.#list?.count === 0) this.#gatherer.add(Uint8Array.of(OPEN_ARRAY), 0, 1);
    this.#mode = this.#list?.count === 0 ? 'first-line' : 'start';
    this.#list = undefined;
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
        this.#mode = this.#list ? 'list' : 'start';
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
