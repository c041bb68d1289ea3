import { isUtf8 } from 'node:buffer';

import type { TaskRecord, TaskSummary } from '../../tasks/index.js';
import type { SqlRow } from './driver.js';
import { DamagedError } from './errors.js';
import { decodeText } from './text.js';

/** The part of a task without columns. */
export function summaryText(record: TaskRecord): string {
  const { args: _, input: __, steps: ___, outcome: ____, ...summary } = record;
  return JSON.stringify(summary);
}

export function toSummary(row: SqlRow): TaskSummary {
  return parse(row['summary']) as TaskSummary;
}

export function toRecord(row: SqlRow): TaskRecord {
  return Object.assign(toSummary(row), {
    args: textOf(row['args']),
    input: parse(row['input']) as TaskRecord['input'],
    steps: parse(row['steps']) as TaskRecord['steps'],
    ...(row['outcome'] !== null && { outcome: textOf(row['outcome']) }),
  });
}

/** Decodes text that was read as bytes. Throws for invalid UTF-8. */
export function textOf(value: unknown): string {
  // `libsql` returns a Buffer for one row and ArrayBuffers for several.
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  if (!(bytes instanceof Uint8Array) || !isUtf8(bytes)) throw damaged();
  return decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}

function damaged(): DamagedError {
  return new DamagedError('A stored task is damaged');
}

/** Checks the JSON, because SQLite has no checksums and a damaged page may change the text. */
function parse(text: unknown): unknown {
  try {
    return JSON.parse(textOf(text));
  } catch {
    // Not the parser's message, because it quotes user data.
    throw damaged();
  }
}
