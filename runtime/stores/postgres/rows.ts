import { isUtf8 } from 'node:buffer';

import type { TaskKey, TaskRecord, TaskSummary } from '../../tasks/index.js';

/**
 * Strings are stored as bytes: PostgreSQL's text holds neither U+0000 nor, in other encodings than
 * UTF-8, every character.
 */

/** No UTF-8 text begins with this byte. */
const UTF_16 = 0xff;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Different bytes for different strings, lone surrogates included. */
export function bytesOf(text: string): Buffer {
  if (!LONE_SURROGATE.test(text)) return Buffer.from(text);
  return Buffer.concat([Buffer.from([UTF_16]), Buffer.from(text, 'utf16le')]);
}

export function textOf(bytes: unknown): string {
  if (!Buffer.isBuffer(bytes)) throw damaged();
  if (bytes[0] === UTF_16) return bytes.toString('utf16le', 1);
  if (!isUtf8(bytes)) throw damaged();
  return bytes.toString();
}

/** The part of a task that has no column of its own, as JSON. */
export function summaryBytes(record: TaskRecord): Buffer {
  const { args: _, input: __, steps: ___, outcome: ____, ...summary } = record;
  return bytesOf(JSON.stringify(summary));
}

export type Row = Readonly<Record<string, unknown>>;

export function toSummary(row: Row): TaskSummary {
  return parse(row['summary']) as TaskSummary;
}

export function toRecord(row: Row): TaskRecord {
  return Object.assign(toSummary(row), {
    args: textOf(row['args']),
    input: parse(row['input']) as TaskRecord['input'],
    steps: parse(row['steps']) as TaskRecord['steps'],
    ...(row['outcome'] !== null && { outcome: textOf(row['outcome']) }),
  });
}

export function toKey(row: Row): TaskKey {
  return {
    owner: textOf(row['owner']),
    dialect: row['dialect'] as TaskKey['dialect'],
    id: textOf(row['id']),
  };
}

/** The server's time in the first row, in milliseconds. */
export function timeIn([row]: readonly Row[]): number {
  return Number(row?.['clock']);
}

function parse(bytes: unknown): unknown {
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    // The parser's own message quotes the text, which is a user's.
    throw damaged();
  }
}

function damaged(): Error {
  return new Error('A stored task is damaged');
}
