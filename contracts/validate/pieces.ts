import { bytesOf, hasBytesAt, indexOfBytes } from './bytes.js';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  isBlank,
  OPEN_ARRAY,
  OPEN_OBJECT,
  valueStart,
  ValueScanner,
} from './scanner.js';

/** An object, or an array of objects, in a line of text; by the indices of its bytes. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  /** `open`: the line ends inside it. `broken`: it begins like JSON, and is not. */
  readonly state: 'whole' | 'open' | 'broken';
  /** The number of objects and arrays in it. */
  readonly containers: number;
}

/** Pieces of one line. The rest of a line with more counts as one that holds too many objects. */
const MOST_PIECES = 50_000;

const ENVELOPE = bytesOf('"jsonrpc"');

/**
 * The objects of a line, one after another, with any text between them. Text that begins like JSON may contain a
 * message (`{note --> {"jsonrpc": …`). Each byte is read twice at most, because lines may have millions of brackets.
 */
export function piecesIn(bytes: Uint8Array): Piece[] {
  const pieces: Piece[] = [];
  /** The end of text that begins like JSON: before it, only messages are looked for. */
  let covered = 0;
  for (let from = 0; ;) {
    const start = envelopeIn(bytes, from, covered) ?? valueFrom(bytes, Math.max(from, covered));
    if (start === undefined) return pieces;
    if (pieces.length === MOST_PIECES) {
      return [...pieces, { start, end: bytes.length, state: 'broken', containers: Infinity }];
    }
    const scanner = new ValueScanner({ line: 1, indent: 0 });
    const stop = Math.max(scanner.scan(bytes, start), start + 1);
    const { state, containers } = scanner;
    if (state === 'broken' && !isEnvelope(bytes, start)) {
      covered = Math.max(covered, stop);
      from = start + 1;
      const end = envelopeIn(bytes, from, covered) ?? stop;
      pieces.push({ start, end, state, containers });
    } else {
      from = stop;
      pieces.push({ start, end: stop, state: STATES[state], containers });
    }
  }
}

const STATES = { done: 'whole', more: 'open', broken: 'broken' } as const;

function valueFrom(bytes: Uint8Array, from: number): number | undefined {
  const found = valueStart(bytes.subarray(from));
  return found < 0 ? undefined : from + found;
}

/** The brace of the first envelope that begins in a part of the bytes. */
function envelopeIn(bytes: Uint8Array, from: number, to: number): number | undefined {
  const part = bytes.subarray(0, to + ENVELOPE.length);
  for (let key = from; key < to + 1;) {
    key = indexOfBytes(part, ENVELOPE, key);
    if (key < 0) return undefined;
    let i = key - 1;
    while (i > from && isBlank(bytes[i])) i -= 1;
    if (i >= from && bytes[i] === OPEN_OBJECT) return i;
    key += 1;
  }
  return undefined;
}

function isEnvelope(bytes: Uint8Array, start: number): boolean {
  let i = passBlanks(bytes, start + 1);
  if (bytes[start] === OPEN_ARRAY && bytes[i] === OPEN_OBJECT) i = passBlanks(bytes, i + 1);
  return hasBytesAt(bytes, ENVELOPE, i);
}

function passBlanks(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length && isBlank(bytes[i])) i += 1;
  return i;
}

/** Whether a line ends with a bracket, as most lines of JSON do; others may end inside a value. */
export function endsValue(line: Uint8Array): boolean {
  const last = line[lastByte(line)];
  return last === CLOSE_OBJECT || last === CLOSE_ARRAY;
}

/** The bracket at the end of a line, with which an array of several lines begins. */
export function openList(line: Uint8Array): number | undefined {
  const last = lastByte(line);
  return line[last] === OPEN_ARRAY ? last : undefined;
}

export function isBlankLine(line: Uint8Array): boolean {
  return lastByte(line) < 0;
}

function lastByte(line: Uint8Array): number {
  let last = line.length - 1;
  while (last >= 0 && isBlank(line[last])) last -= 1;
  return last;
}
