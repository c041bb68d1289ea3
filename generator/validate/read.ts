import { senderFromPrefix, senderFromTag } from './direction.js';
import type { Party } from './direction.js';
import type { Frame } from './framing.js';
import { ValueScanner, valueStart } from './scanner.js';

/** The keys and indices from a frame's value to a part. */
export type Path = readonly (string | number)[];

/** A message or a batch, with its place. */
export interface Unit {
  readonly value: unknown;
  /** The sender in its tag, if it has one. */
  readonly from: Party | undefined;
  readonly line: number;
  readonly path: Path;
  /** Of its text, in bytes. */
  readonly size: number;
}

/** A text that is not a message. */
export interface Unreadable {
  readonly line: number;
  readonly path: Path;
  readonly code: 'not-json' | 'too-large';
  readonly problem: string;
}

/** Objects and arrays of one value, because each takes many times the memory of its text. */
const CONTAINERS = 4_000_000;

/** Keys of a record that contain the message, as JSON or as text. */
const MESSAGE_KEYS = ['message', 'payload', 'data'] as const;
/** Keys of a record that contain the sender's tag. */
const SENDER_KEYS = ['direction', 'from', 'sender', 'source'] as const;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The messages of a frame; none for a blank line. */
export function read(frame: Exclude<Frame, { kind: 'batch' }>): Unit | Unreadable | undefined {
  const { line, index } = frame;
  const path = index === undefined ? [] : [index];
  const refuse = (code: Unreadable['code'], problem: string): Unreadable => ({
    line,
    path,
    code,
    problem,
  });
  if (frame.kind === 'broken') return refuse('not-json', frame.problem);
  if (frame.kind === 'too-large') return refuse('too-large', 'the text is too long');
  const { bytes } = frame;
  if (isHeavy(bytes)) return refuse('too-large', 'it holds too many objects and arrays');
  try {
    const text = UTF8.decode(bytes).trim();
    if (text === '') return undefined;
    const { value, from } = parse(text, index === undefined);
    return unwrap({ value, from, line, path, size: bytes.length });
  } catch (error) {
    return refuse('not-json', error instanceof Error ? error.message : String(error));
  }
}

function isHeavy(bytes: Uint8Array): boolean {
  if (bytes.length < 2 * CONTAINERS) return false;
  const scanner = new ValueScanner({ line: 1, indent: 0 });
  scanner.scan(bytes, Math.max(0, valueStart(bytes)));
  return scanner.containers > CONTAINERS;
}

/** @throws {SyntaxError} */
function parse(text: string, mayHavePrefix: boolean): Pick<Unit, 'value' | 'from'> {
  const opening = text.indexOf('{');
  const start = /\[\s*$/.exec(text.slice(0, Math.max(0, opening)))?.index ?? opening;
  const from = mayHavePrefix && start > 0 ? senderFromPrefix(text.slice(0, start)) : undefined;
  return { value: JSON.parse(from ? text.slice(start) : text) as unknown, from };
}

/** Takes a message out of the record that contains it with its sender, if there is one. */
function unwrap(unit: Unit): Unit {
  const { value, path } = unit;
  if (!isRecord(value) || Object.hasOwn(value, 'jsonrpc') || Object.hasOwn(value, 'method')) {
    return unit;
  }
  const key = MESSAGE_KEYS.find((each) => Object.hasOwn(value, each));
  const message = key && parsed(value[key]);
  if (key === undefined || typeof message !== 'object') return unit;
  return { ...unit, value: message, path: [...path, key], from: unit.from ?? senderIn(value) };
}

/** @throws {SyntaxError} */
function parsed(message: unknown): unknown {
  const isText = typeof message === 'string' && /^\s*[[{]/.test(message);
  return isText ? (JSON.parse(message) as unknown) : message;
}

function senderIn(record: Readonly<Record<string, unknown>>): Party | undefined {
  for (const key of SENDER_KEYS) {
    const tag = Object.hasOwn(record, key) ? record[key] : undefined;
    const sender = typeof tag === 'string' ? senderFromTag(tag) : undefined;
    if (sender) return sender;
  }
  return undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
