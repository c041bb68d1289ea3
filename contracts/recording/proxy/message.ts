import { ERROR_CODES } from '../../../runtime/protocol.js';
import { ambiguityIn } from '../../../runtime/transport/reading/ambiguity.js';
import { boundsFor } from '../../../runtime/transport/reading/bounds.js';
import { addressIn } from '../../../runtime/transport/reading/envelope.js';
import { jsonOfChanged } from '../../../runtime/transport/reading/numbers.js';
import { readJson, textOf, TOO_HEAVY } from '../../../runtime/transport/reading/read-json.js';
import { isRecord } from '../../validate/index.js';
import { LONGEST_MESSAGE } from './watcher.js';
import type { Fault, Passing } from './watcher.js';

type Read = Pick<Passing, 'message' | 'json' | 'fault'>;

/** Characters that are kept of a text that is no message. */
const LONGEST_TEXT = 1_000;

const BOUNDS = boundsFor(LONGEST_MESSAGE);

/**
 * What a line, an event or a body contains; undefined for a blank one. `isStrict`: a message that two programs may read
 * differently is none.
 */
export function messageIn(bytes: Uint8Array, isStrict: boolean): Read | undefined {
  const read = readJson(bytes, BOUNDS);
  if (read.code !== undefined) {
    const text = textOf(bytes);
    const kind = read.code === TOO_HEAVY ? 'too-large' : 'not-json';
    return text.trim() === '' ? undefined : faulty(text, kind, read.why);
  }
  const why = isStrict ? ambiguityIn(read.text, read.value) : undefined;
  if (why !== undefined) return faulty(read.text, 'ambiguous', why);
  return { message: read.value, json: read.text };
}

/** What stands for a message of more bytes than are kept. */
export function tooLong(begun: Uint8Array): Read {
  const why = `has more than ${String(LONGEST_MESSAGE)} bytes`;
  return faulty(textOf(begun.subarray(0, LONGEST_BEGINNING)), 'too-large', why);
}

/** Bytes in which the id of a message is searched that is not kept. */
const LONGEST_BEGINNING = 65_536;

const CODES: Readonly<Record<Fault['kind'], number>> = {
  'not-json': ERROR_CODES.ParseError,
  'too-large': ERROR_CODES.InvalidRequest,
  ambiguous: ERROR_CODES.InvalidRequest,
};

function faulty(text: string, kind: Fault['kind'], why: string): Read {
  const fault = { kind, code: CODES[kind], why, address: addressIn(text) };
  return { message: text.trim().slice(0, LONGEST_TEXT), fault };
}

/** The messages of an HTTP body that passes in any case; undefined for other content, such as that of OAuth. */
export function messageInBody(body: Uint8Array): Read | undefined {
  const read = messageIn(body, false);
  const isOther = read?.fault ? read.fault.kind === 'not-json' : !isMessage(read?.message);
  return isOther ? undefined : read;
}

function isMessage(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isMessage);
  return isRecord(value) && Object.hasOwn(value, 'jsonrpc');
}

/** Characters beyond ASCII at which some programs end a line. */
const LINE_ENDS = /[\u0080-\u009f\u2028\u2029]/g;

/**
 * The JSON of a message that was judged: one line for every reader, with its numbers as they were written. `changed` stands
 * in its place.
 */
export function writtenAnew(
  { message, json }: Pick<Passing, 'message' | 'json'>,
  changed = message,
): string {
  const text = jsonOfChanged(changed, message, json);
  return text.replace(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
