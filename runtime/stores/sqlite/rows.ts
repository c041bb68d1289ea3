import { isUtf8 } from 'node:buffer';
import type { TaskKey, TaskRecord, TaskSummary } from '../../tasks/index.js';
import type { SqlRow, SqliteDatabase, SqliteStatement, SqlValue } from './driver.js';
import { DamagedError } from './errors.js';
import { IS_FAILED, WORK_STATUS } from './schema.js';

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

/** Tasks as they are stored, in memory: a poll of one of them reads no row. */
interface RecordCache {
  get(key: TaskKey): TaskRecord | undefined;
  /** Without effect when a newer version is there. */
  set(record: TaskRecord): void;
  delete(key: TaskKey): void;
}

/** Characters of all tasks together. */
const CAPACITY = 4_000_000;
/** Larger tasks are read from the file each time. */
const LARGEST = 100_000;
/** About what a task without payloads takes. */
const FIXED = 1_000;

/**
 * Beyond its capacity it drops the tasks that were stored longest ago. `dataVersion` changes when another
 * connection has written: then it drops them all.
 */
export function createRecordCache(dataVersion: () => unknown, capacity = CAPACITY): RecordCache {
  // Ids are unique among all owners and dialects.
  const records = new Map<string, TaskRecord>();
  let size = 0;
  let version = dataVersion();
  let checked = false;

  /** Once a turn of the event loop: the requests that a turn handles had arrived when it began. */
  function check(): void {
    if (checked) return;
    checked = true;
    setImmediate(() => (checked = false));
    const found = dataVersion();
    if (found === version) return;
    version = found;
    records.clear();
    size = 0;
  }

  function remove(id: string): void {
    const record = records.get(id);
    if (record === undefined) return;
    records.delete(id);
    size -= sizeOf(record);
  }

  return {
    get({ owner, dialect, id }) {
      check();
      const record = records.get(id);
      return record?.owner === owner && record.dialect === dialect ? record : undefined;
    },
    set(record) {
      if ((records.get(record.id)?.version ?? 0) > record.version) return;
      remove(record.id);
      const added = sizeOf(record);
      if (added > LARGEST) return;
      records.set(record.id, record);
      size += added;
      for (const id of records.keys()) {
        if (size <= capacity) return;
        remove(id);
      }
    },
    delete: ({ id }) => remove(id),
  };
}

function sizeOf({ args, input, steps, outcome = '', statusMessage = '' }: TaskRecord): number {
  let size = FIXED + args.length + outcome.length + statusMessage.length;
  for (const { params, answer = '' } of input) size += FIXED + params.length + answer.length;
  for (const { result = '' } of steps) size += FIXED + result.length;
  return size;
}

/**
 * Texts for a database that keeps UTF-8. A string with a lone surrogate has no UTF-8: two such owners would
 * become one. It is kept as a mark and JSON, which escapes the surrogate; so is a string that begins with the mark.
 */
const MARK = '\u0001json:';

export function encodeText(text: string): string {
  const plain = !text.startsWith(MARK) && isWellFormed(text);
  return plain ? text : MARK + JSON.stringify(text);
}

function decodeText(text: string): string {
  return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as string) : text;
}

/** Node.js has it; the declarations of ES2023 do not. */
function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}

/** Reads text as bytes, because `libsql` ends the process for text that is not UTF-8 on a damaged page. */
const SUMMARY = 'CAST(summary AS BLOB) AS summary';
const RECORD = `${SUMMARY}, CAST(args AS BLOB) AS args, CAST(input AS BLOB) AS input,
    CAST(steps AS BLOB) AS steps, CAST(outcome AS BLOB) AS outcome`;

const FIND = `SELECT ${SUMMARY} FROM tasks`;
const FOUND = `id < ? AND expires_at > ? AND (? IS NULL OR id = ?) AND (? IS NULL OR owner = ?)
      AND (? IS NULL OR ${WORK_STATUS} = ?) ORDER BY id DESC LIMIT ?`;

const SQL = {
  insert: `INSERT INTO tasks (owner, dialect, id, version, live, worker, expires_at, idempotency_key,
      summary, args, input, steps) VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)`,
  byIdempotencyKey: `SELECT ${RECORD} FROM tasks WHERE owner = ? AND dialect = ? AND idempotency_key = ?`,
  freeIdempotencyKey: `UPDATE tasks SET idempotency_key = NULL
    WHERE owner = ? AND dialect = ? AND idempotency_key = ? AND expires_at <= ?`,
  byKey: `SELECT ${RECORD} FROM tasks WHERE owner = ? AND dialect = ? AND id = ?`,
  update: `UPDATE tasks SET version = ?, live = ?, worker = ?, summary = ?, input = ?, steps = ?, outcome = ?
    WHERE owner = ? AND dialect = ? AND id = ? AND version = ?`,
  isLive: 'SELECT 1 FROM tasks WHERE owner = ? AND dialect = ? AND id = ? AND live = 1',
  page: `SELECT ${SUMMARY} FROM tasks
    WHERE owner = ? AND dialect = ? AND id < ? AND expires_at > ? ORDER BY id DESC LIMIT ?`,
  due: `SELECT rowid AS row, ${SUMMARY} FROM tasks
    WHERE expires_at <= ? ORDER BY expires_at LIMIT ?`,
  remove: 'DELETE FROM tasks WHERE rowid = ?',
  nextDue: 'SELECT MIN(expires_at) AS next FROM tasks',
  find: `${FIND} INDEXED BY tasks_by_id WHERE ${FOUND}`,
  findById: `${FIND} INDEXED BY tasks_by_id WHERE id = ? AND ${FOUND}`,
  findByOwner: `${FIND} INDEXED BY tasks_by_caller WHERE owner = ? AND ${FOUND}`,
  findLive: `${FIND} INDEXED BY tasks_live WHERE live = 1 AND ${FOUND}`,
  findFailed: `${FIND} INDEXED BY tasks_failed WHERE ${IS_FAILED} AND ${FOUND}`,
  // Part of the table, so that a process with a million tasks does other work in between.
  count: `SELECT status, COUNT(*) AS n, MAX(row) AS last FROM (
      SELECT rowid AS row, CASE WHEN expires_at <= ? THEN 'expired' ELSE ${WORK_STATUS} END AS status
      FROM tasks WHERE rowid > ? ORDER BY rowid LIMIT ?)
    GROUP BY status`,
  removeEnded: `DELETE FROM tasks
    WHERE owner = ? AND dialect = ? AND id = ? AND version = ? AND live = 0`,
  dataVersion: 'PRAGMA data_version',
  addChange: 'INSERT INTO settings VALUES (?, ?)',
  changes: `SELECT name, CAST(value AS BLOB) AS value FROM settings
    WHERE name >= 'change ' AND name < 'change!'`,
  removeChange: 'DELETE FROM settings WHERE name = ?',
  renew: 'INSERT OR REPLACE INTO leases VALUES (?, ?)',
  orphans: `SELECT ${SUMMARY} FROM tasks
    WHERE live = 1 AND worker IN (SELECT worker FROM leases WHERE until <= ?) AND expires_at > ?
    LIMIT ?`,
  writeProbe: `INSERT OR REPLACE INTO settings VALUES ('probe', ?)`,
  readProbe: `SELECT CAST(value AS BLOB) AS value FROM settings WHERE name = 'probe'`,
  readSecret: `SELECT CAST(value AS BLOB) AS value FROM settings WHERE name = 'cursor secret'`,
  // Counts by the index alone, and reads one task of each owner.
  storedByOwner: `SELECT CAST(o.owner AS BLOB) AS owner, o.n, ${SUMMARY}
    FROM (SELECT owner, COUNT(*) AS n, MAX(rowid) AS newest FROM tasks GROUP BY owner) AS o
    JOIN tasks ON tasks.rowid = o.newest`,
  liveOwners: 'SELECT CAST(owner AS BLOB) AS owner FROM tasks WHERE live = 1',
} as const;

export type Statements = Readonly<Record<keyof typeof SQL, SqliteStatement>>;

export function prepareStatements(db: SqliteDatabase): Statements {
  return Object.fromEntries(
    Object.entries(SQL).map(([name, sql]) => [name, takingAnyText(db.prepare(sql))]),
  ) as Statements;
}

function takingAnyText(statement: SqliteStatement): SqliteStatement {
  const encode = (value: SqlValue): SqlValue =>
    typeof value === 'string' ? encodeText(value) : value;
  return {
    run: (...values) => statement.run(...values.map(encode)),
    get: (...values) => statement.get(...values.map(encode)),
    all: (...values) => statement.all(...values.map(encode)),
  };
}
