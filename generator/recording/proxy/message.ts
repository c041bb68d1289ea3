import { isRecord } from '../../validate/index.js';
import { boundsFor } from '../../../runtime/transport/reading/bounds.js';
import { readJson, TOO_HEAVY } from '../../../runtime/transport/reading/read-json.js';
import { LONGEST_MESSAGE } from './watcher.js';
import type { Passing } from './watcher.js';

/** A message, or why it is not looked at. */
type Read =
  | (Pick<Passing, 'message' | 'isJson' | 'json'> & { readonly unread?: undefined })
  | { readonly unread: string };

/** Characters that are kept of a text that is no message. */
const LONGEST_TEXT = 1_000;

/** More levels than an end takes: `guard` refuses those with the id of their request. */
const BOUNDS = { ...boundsFor(LONGEST_MESSAGE), levels: 100_000 };

/** What a line contains; undefined for a blank one. */
export function messageIn(line: Buffer): Read | undefined {
  const read = readJson(line, BOUNDS);
  if (read.code === undefined) return { message: read.value, isJson: true, json: read.text };
  if (read.code === TOO_HEAVY) return { unread: read.why };
  const text = line.subarray(0, LONGEST_TEXT).toString().trim();
  return text === '' ? undefined : { message: text, isJson: false };
}

/** The messages of an HTTP body; undefined for other content, such as that of OAuth. */
export function messageInBody(body: Buffer): Read | undefined {
  const read = messageIn(body);
  if (read?.unread !== undefined) return read;
  return read?.isJson === true && isMessage(read.message) ? read : undefined;
}

/** Why a message of so many bytes is not looked at. */
export function sizeOf(bytes: number): string {
  return `has ${String(bytes)} bytes`;
}

function isMessage(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isMessage);
  return isRecord(value) && Object.hasOwn(value, 'jsonrpc');
}
