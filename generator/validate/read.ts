import { isRecord } from './access.js';
import type { Path } from './access.js';
import { senderFromPrefix, senderFromTag } from './direction.js';
import type { Party } from './direction.js';
import { recordedIn } from './exchange.js';
import type { RecordedWith } from './exchange.js';
import type { Frame } from './framing.js';
import { ValueScanner, valueStart } from './scanner.js';

/** A message or a batch, with its place. */
export interface Unit {
  readonly value: unknown;
  /** The sender in its tag, if it has one. */
  readonly from: Party | undefined;
  readonly line: number;
  readonly path: Path;
  /** Of its text, in bytes. */
  readonly size: number;
  /** What was recorded with it. */
  readonly record?: RecordedWith | undefined;
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
/** Keys of a record that contain the time. */
const TIME_KEYS = ['time', 'timestamp', 'ts', 'at', '@timestamp', 'date', 'startedAt'] as const;
/** Keys of a record that contain the session. */
const SESSION_KEYS = ['session', 'sessionId', 'session_id', 'mcp-session-id'] as const;
/** The longest prefix of a line that may contain a time, in characters. */
const PREFIX = 80;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** A line of a log without a message. */
export const SKIPPED = 'skipped';

export type Read = Unit | Unreadable | typeof SKIPPED;

/** The messages of a frame; none for a blank line, and for a line that belongs to an event stream. */
export function read(frame: Exclude<Frame, { kind: 'batch' }>): Read | readonly Read[] | undefined {
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
    if (text === '' || (index === undefined && STREAM_FIELD.test(text))) return undefined;
    const parsed = index === undefined ? parseLine(text) : { value: JSON.parse(text) as unknown };
    if (parsed === SKIPPED) return SKIPPED;
    const unit = { from: undefined, line, path, size: bytes.length, ...parsed };
    return exchanges(unit) ?? unwrap(unit);
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

/** Lines of an event stream (server-sent events) beside those with data. */
const STREAM_FIELD = /^(?:(?:event|id|retry): ?\S*|:.*|data:)$/;
/** What begins, ends or continues JSON. Other lines are text. */
const LIKE_JSON = /^(?:[{}\]",]|\[\s*(?:[[{"\]]|-?\d[\d.eE+-]*\s*[,\]]|(?:true|false|null)\b))/;

/**
 * A line: a value, or a message with text before and after it, as logs have them.
 *
 * @throws {SyntaxError} for something that was meant to be a message.
 */
function parseLine(text: string): Pick<Unit, 'value' | 'from' | 'record'> | typeof SKIPPED {
  const start = messageStart(text);
  // Logs are text: this is a damaged file, or no recording at all.
  if (text.includes('\0')) throw new SyntaxError('it contains zero bytes');
  const isJson = LIKE_JSON.test(text);
  if (start < 0) return isJson ? { value: JSON.parse(text), from: undefined } : parseWord(text);
  if (start === 0) return { value: parseValue(text), from: undefined };
  const prefix = text.slice(0, start);
  const from = /^data: *$/.test(prefix) ? 'server' : senderFromPrefix(prefix);
  const record = { time: prefix.slice(0, PREFIX) };
  if (from) return { value: parseValue(text.slice(start)), from, record };
  if (isJson) return { value: JSON.parse(text) as unknown, from };
  if (!text.includes('"jsonrpc"')) return SKIPPED;
  return { value: parseValue(text.slice(start)), from, record };
}

/** Where the message of a line begins: at its envelope, if there are several objects. */
function messageStart(text: string): number {
  const opening = text.indexOf('{');
  const envelope = text.startsWith('{') ? -1 : /\{\s*"jsonrpc"/.exec(text)?.index;
  const start = envelope === undefined || envelope < 0 ? opening : envelope;
  return /\[\s*$/.exec(text.slice(0, Math.max(0, start)))?.index ?? start;
}

/** A number or a word of JSON; all other words are text. */
function parseWord(text: string): { value: unknown; from: undefined } | typeof SKIPPED {
  try {
    return { value: JSON.parse(text) as unknown, from: undefined };
  } catch {
    return SKIPPED;
  }
}

/**
 * A value, with text after it if the value is a message.
 *
 * @throws {SyntaxError}
 */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const bytes = Buffer.from(text);
    const scanner = new ValueScanner({ line: 1, indent: 0 });
    const end = scanner.scan(bytes, 0);
    const value = scanner.state === 'done' ? bytes.toString('utf8', 0, end) : '';
    if (!value.includes('"jsonrpc"') || end === bytes.length) throw error;
    return JSON.parse(value) as unknown;
  }
}

/** The messages of a file or a record that contains requests with their responses. */
function exchanges({ value, line, path, size, record }: Unit): readonly Read[] | undefined {
  if (!isRecord(value) || Object.hasOwn(value, 'jsonrpc')) return undefined;
  return recordedIn(value, [line, ...path].join('.'))?.map((each): Read => {
    const at = { line, path: [...path, ...each.path] };
    try {
      return {
        ...at,
        value: parsed(each.message),
        from: each.from,
        size,
        record: each.record ?? record,
      };
    } catch (error) {
      return { ...at, code: 'not-json', problem: String(error) };
    }
  });
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
  const from = unit.from ?? senderIn(value);
  return { ...unit, value: message, path: [...path, key], from, record: recordIn(value, unit) };
}

/** The time and the session beside a message. */
function recordIn(
  record: Readonly<Record<string, unknown>>,
  { record: outer }: Unit,
): RecordedWith {
  const first = (keys: readonly string[]): unknown =>
    keys.map((key) => (Object.hasOwn(record, key) ? record[key] : undefined)).find(isStamp);
  return { time: first(TIME_KEYS) ?? outer?.time, session: first(SESSION_KEYS) };
}

function isStamp(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
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
