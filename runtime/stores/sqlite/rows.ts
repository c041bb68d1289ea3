import { isUtf8 } from 'node:buffer';

import type { TaskRecord, TaskSummary } from '../../tasks/index.js';
import type { SqlRow } from './driver.js';
import { DamagedError } from './errors.js';

/** The part of a task that has no column of its own. */
export function summaryText(record: TaskRecord): string {
  return JSON.stringify({
    ...record,
    args: undefined,
    input: undefined,
    steps: undefined,
    outcome: undefined,
  });
}

export function toSummary(row: SqlRow): TaskSummary {
  return parse(row['summary']) as TaskSummary;
}

export function toRecord(row: SqlRow): TaskRecord {
  return {
    ...toSummary(row),
    args: textOf(row['args']),
    input: parse(row['input']) as TaskRecord['input'],
    steps: parse(row['steps']) as TaskRecord['steps'],
    ...(row['outcome'] !== null && { outcome: textOf(row['outcome']) }),
  };
}

/** Text that was read as bytes. Throws for bytes that are no text. */
export function textOf(value: unknown): string {
  // `libsql` gives a buffer for a row and array buffers for rows.
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  if (!(bytes instanceof Uint8Array) || !isUtf8(bytes)) throw damaged();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

function damaged(): DamagedError {
  return new DamagedError('A stored task is damaged');
}

/** SQLite has no checksums: a damaged page may show as text that is no JSON. */
function parse(text: unknown): unknown {
  try {
    return JSON.parse(textOf(text));
  } catch {
    // The parser's own message quotes the text, which is a user's.
    throw damaged();
  }
}
