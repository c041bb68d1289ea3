import type { SqliteDatabase, SqliteStatement, SqlValue } from './driver.js';
import { encodeText } from './rows.js';
import { IS_FAILED, WORK_STATUS } from './work-status.js';

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
