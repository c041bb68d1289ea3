import { isRecord } from '../../validate/index.js';
import type { Passing } from './watcher.js';

type Read = Pick<Passing, 'message' | 'isJson'>;

/** Characters that are kept of a text that is no message. */
const LONGEST_TEXT = 1_000;

/** What a line contains; undefined for a blank one. */
export function messageIn(line: string): Read | undefined {
  const text = line.trim();
  if (text === '') return undefined;
  try {
    return { message: JSON.parse(text) as unknown, isJson: true };
  } catch {
    return { message: text.slice(0, LONGEST_TEXT), isJson: false };
  }
}

/** The messages of an HTTP body; undefined for other content, such as that of OAuth. */
export function messageInBody(text: string): Read | undefined {
  const read = messageIn(text);
  return read?.isJson === true && isMessage(read.message) ? read : undefined;
}

function isMessage(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isMessage);
  return isRecord(value) && Object.hasOwn(value, 'jsonrpc');
}
