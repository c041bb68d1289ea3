import { randomInt } from 'node:crypto';
import type { SqliteDatabase } from './driver.js';
import { OpenError } from './errors.js';
import type { TaskStatus } from '../../tasks/index.js';

/**
 * The `workStatus` of a task in SQL, read from the bytes of its summary. A condition searches for a member's text: no
 * text in the summary contains it, because its quotes would be escaped there.
 */

/** An entry of the history begins with its status, so it has no comma before it. */
function hasStatus(status: TaskStatus): string {
  return contains(`,"status":"${status}"`);
}

function contains(member: string): string {
  return `instr(CAST(summary AS BLOB), CAST('${member}' AS BLOB)) > 0`;
}

const HAS_MESSAGE = contains('"statusMessage":');

/** The condition of the index of failed work: a search has to repeat it as it is. */
export const IS_FAILED = `live = 0 AND (${hasStatus('failed')} OR ${hasStatus('completed')} AND ${HAS_MESSAGE})`;

/** The most frequent first: a search that fails reads the whole summary. */
export const WORK_STATUS = `CASE
    WHEN ${hasStatus('completed')} THEN CASE WHEN ${HAS_MESSAGE} THEN 'failed' ELSE 'completed' END
    ${(['working', 'failed', 'cancelled', 'input_required'] as const)
      .map((status) => `WHEN ${hasStatus(status)} THEN '${status}'`)
      .join(' ')} END`;

/**
 * Columns are what is searched by; everything else of a task is one JSON document. A new field of the
 * record therefore needs no migration. `PRAGMA user_version` counts the migrations that a file has had.
 *
 * Before another is added, `test/stores/fixtures/make.ts` keeps a file of the version before it.
 */
const MIGRATIONS: readonly (() => string)[] = [
  () => `
  CREATE TABLE tasks (
    owner TEXT NOT NULL,
    dialect TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    live INTEGER NOT NULL,
    worker TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    idempotency_key TEXT,
    summary TEXT NOT NULL,
    args TEXT NOT NULL,
    input TEXT NOT NULL,
    outcome TEXT
  ) STRICT;
  -- Ids sort by creation: this serves look-up by owner and pages of an owner's tasks alike.
  CREATE UNIQUE INDEX tasks_by_caller ON tasks (owner, dialect, id);
  CREATE INDEX tasks_by_expiry ON tasks (expires_at);
  CREATE INDEX tasks_live ON tasks (worker) WHERE live = 1;
  CREATE UNIQUE INDEX tasks_by_idempotency_key ON tasks (owner, dialect, idempotency_key)
    WHERE idempotency_key IS NOT NULL;

  CREATE TABLE leases (worker TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- Tasks without a worker have the empty name, whose lease is always expired.
  INSERT INTO leases VALUES ('', 0);

  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // Identifies a database by its header, in case its file is overwritten while it is open.
  () => `PRAGMA application_id = ${randomInt(1, 2 ** 31)};`,
  () => `ALTER TABLE tasks ADD COLUMN steps TEXT NOT NULL DEFAULT '[]';`,
  // Pages of the tasks of all owners.
  () => 'CREATE INDEX tasks_by_id ON tasks (id);',
  // Pages of failed work. The condition reads the summary, so rows of any age and writer are in it.
  () => `CREATE INDEX tasks_failed ON tasks (id) WHERE ${IS_FAILED};`,
];

/** The schema version that this code writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Columns of the first version, which every version has. */
const OWN_COLUMNS = `SELECT COUNT(*) AS n FROM pragma_table_info('tasks')
  WHERE name IN ('owner', 'dialect', 'summary')`;

/** Throws for a database of another program. Changes nothing of it. */
export function assertOwn(db: SqliteDatabase, file: string): void {
  const isNew = versionOf(db) === 0 && countOf(db, 'SELECT COUNT(*) AS n FROM sqlite_schema') === 0;
  if (isNew || countOf(db, OWN_COLUMNS) === 3) return;
  throw new OpenError(`${file} is a database of another program. Choose another file.`);
}

/** Throws for a database of another program, and for one that a newer version of this code has written. */
export function assertReadable(db: SqliteDatabase, file: string): void {
  assertOwn(db, file);
  const version = versionOf(db);
  if (version <= SCHEMA_VERSION) return;
  throw new OpenError(
    `${file} was written by a newer version (${version}, known: ${SCHEMA_VERSION}). ` +
      'Update the server, or restore a backup that this version wrote.',
  );
}

/** Migrates a file in one transaction. */
export function migrate(db: SqliteDatabase): void {
  const version = versionOf(db);
  if (version === SCHEMA_VERSION) return;
  db.exec('BEGIN IMMEDIATE');
  MIGRATIONS.slice(version).forEach((sql) => db.exec(sql()));
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  db.exec('COMMIT');
}

/** The migrations that the file has had; of another program anything. */
export function versionOf(db: SqliteDatabase): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}

function countOf(db: SqliteDatabase, sql: string): number {
  return Number(db.prepare(sql).get()?.['n']);
}
