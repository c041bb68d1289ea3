import { isRecord } from './access.js';
import type { Path } from './access.js';
import { senderFromTag } from './direction.js';
import type { Party } from './direction.js';
import { recordedIn } from './exchange.js';
import type { RecordedWith } from './exchange.js';
import type { Frame } from './framing.js';
import { partsOf, TOO_MANY } from './line.js';
import type { Skipped } from './line.js';
import { CONTAINERS, ValueScanner, valueStart } from './scanner.js';

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

/** A text that is no message, and was not meant to be one. */
export interface Passed {
  readonly line: number;
  readonly skipped: Skipped;
}

/** Keys of a record that contain the message, as JSON or as text. */
const MESSAGE_KEYS = ['message', 'payload', 'data'] as const;
/** Keys of a record that contain the sender's tag. */
const SENDER_KEYS = ['direction', 'from', 'sender', 'source'] as const;
/** Keys of a record that contain the time. */
const TIME_KEYS = ['time', 'timestamp', 'ts', 'at', '@timestamp', 'date', 'startedAt'] as const;
/** Keys of a record that contain the session. */
const SESSION_KEYS = ['session', 'sessionId', 'session_id', 'mcp-session-id'] as const;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

export type Read = Unit | Unreadable | Passed;

/** Lines of an event stream (server-sent events) beside those with data. */
const STREAM_FIELD = /^(?:(?:event|id|retry): ?[^\s{]*|:[^{]*|data:)$/;

/** The messages of a frame; none for a blank line, and for a line that belongs to an event stream. */
export function read(frame: Exclude<Frame, { kind: 'batch' }>): readonly Read[] {
  const { line, index } = frame;
  const path = index === undefined ? [] : [index];
  const place = { line, path };
  if (frame.kind === 'broken') return [{ ...place, code: 'not-json', problem: frame.problem }];
  if (frame.kind === 'too-large') {
    const tooLong = { code: 'too-large', problem: 'the text is too long' } as const;
    return [{ ...place, ...(frame.isNested ? TOO_MANY : tooLong) }];
  }
  const { bytes } = frame;
  if (isHeavy(bytes)) return [{ ...place, ...TOO_MANY }];
  try {
    const text = UTF8.decode(bytes).trim();
    if (text === '' || (index === undefined && STREAM_FIELD.test(text))) return [];
    const parts =
      index === undefined
        ? partsOf(text)
        : [{ value: JSON.parse(text) as unknown, from: undefined }];
    return parts.flatMap((part): readonly Read[] => {
      if (!('value' in part)) return [{ ...place, ...part }];
      const unit = { ...place, size: bytes.length, ...part };
      return exchanges(unit) ?? unwrap(unit);
    });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return [{ ...place, code: 'not-json', problem }];
  }
}

function isHeavy(bytes: Uint8Array): boolean {
  if (bytes.length < 2 * CONTAINERS) return false;
  const scanner = new ValueScanner({ line: 1, indent: 0 });
  scanner.scan(bytes, Math.max(0, valueStart(bytes)));
  return scanner.containers > CONTAINERS;
}

/** The messages of a file or a record that contains requests with their responses. */
function exchanges({ value, line, path, size, record }: Unit): readonly Read[] | undefined {
  if (!isRecord(value) || Object.hasOwn(value, 'jsonrpc')) return undefined;
  return recordedIn(value, [line, ...path].join('.'))?.map((each): Read => {
    if ('skipped' in each) return { line, skipped: each.skipped };
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

/** Takes the messages out of the record that contains them with their sender, if there are any. */
function unwrap(unit: Unit): readonly Read[] {
  const { value, path } = unit;
  if (!isRecord(value) || Object.hasOwn(value, 'jsonrpc') || Object.hasOwn(value, 'method')) {
    return [unit];
  }
  const found = MESSAGE_KEYS.filter((key) => Object.hasOwn(value, key))
    .map((key) => ({ key, message: messageIn(value[key]) }))
    .filter(({ message }) => typeof message === 'object');
  // The first is the message. Another one beside it may be data of the log.
  const messages = found.filter(({ message }, index) => index === 0 || isEnvelope(message));
  if (messages.length === 0) {
    for (const key of MESSAGE_KEYS) if (Object.hasOwn(value, key)) parsed(value[key]);
    return [unit];
  }
  const from = unit.from ?? senderIn(value);
  const record = recordIn(value, unit);
  return messages.map(({ key, message }) => ({
    ...unit,
    value: message,
    path: [...path, key],
    from,
    record,
  }));
}

function isEnvelope(message: unknown): boolean {
  return isRecord(message) && Object.hasOwn(message, 'jsonrpc');
}

/** The time and the session beside a message. */
function recordIn(
  record: Readonly<Record<string, unknown>>,
  { record: outer }: Unit,
): RecordedWith {
  const first = (keys: readonly string[]): unknown => {
    const key = keys.find((each) => Object.hasOwn(record, each) && isStamp(record[each]));
    return key === undefined ? undefined : record[key];
  };
  const { masked } = record;
  return { time: first(TIME_KEYS) ?? outer?.time, session: first(SESSION_KEYS), masked };
}

function isStamp(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** As `parsed`; undefined for text that is not JSON. */
function messageIn(recorded: unknown): unknown {
  try {
    return parsed(recorded);
  } catch {
    return undefined;
  }
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
