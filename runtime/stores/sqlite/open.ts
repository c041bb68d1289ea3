import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import type { SqliteDatabase, SqliteDriver } from './driver.js';
import { cannotOpen, isBusy } from './errors.js';
import { assertNotEmpty, assertWritable, createPrivately } from './files.js';
import { type FileIdentity, identityOf } from './identity.js';
import { inUse, lockFileOf, lockOut } from './lock.js';
import { assertReadable, migrate } from './schema.js';

/** A database that this process alone writes. */
export interface OpenDatabase {
  /** The path with resolved links. */
  readonly file: string;
  readonly db: SqliteDatabase;
  readonly identity: FileIdentity;
  /** Releases the file to other processes. `intact` means that the file was not replaced. */
  readonly close: (intact: boolean) => void;
}

/** Large enough for the indexes of a million tasks. */
const CACHE_KIB = 64 * 1_024;
/**
 * Milliseconds to wait for a program that writes the file despite the lock. A backup blocks the start alone, which changes
 * how the file is written; a server that runs does not wait for it.
 */
const BUSY_TIMEOUT_MS = 1_000;

/** Throws an Error that says what is wrong with the file, and what to do. */
export function openDatabase(path: string, driver: SqliteDriver): OpenDatabase {
  const opened: (() => void)[] = [];
  try {
    // The lock beside the file has to be the same one for every link to the file.
    const file = existsSync(path)
      ? realpathSync(path)
      : join(realpathSync(dirname(path)), basename(path));
    const lock = lockOut(file, driver);
    opened.push(() => lock.release());
    if (!existsSync(file)) createDatabase(file, driver);
    assertWritable(file);
    assertNotEmpty(file);
    const db = driver(file);
    opened.push(() => db.close());
    setUp(db, file);
    const companions = [`${file}-wal`, `${file}-shm`, lockFileOf(file)];
    const identity = identityOf(file, companions);
    return { file, db, identity, close: (intact) => close({ db, identity, lock }, intact) };
  } catch (error) {
    for (const undo of opened.reverse()) undo();
    throw isBusy(error) ? inUse(path, error) : cannotOpen(path, error);
  }
}

/** Under another name first: a file of the store's name is never empty, unless something emptied it. */
function createDatabase(file: string, driver: SqliteDriver): void {
  const draft = `${file}-new`;
  rmSync(draft, { force: true });
  createPrivately(draft);
  const db = driver(draft);
  try {
    migrate(db);
  } finally {
    db.close();
  }
  renameSync(draft, file);
}

function setUp(db: SqliteDatabase, file: string): void {
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // Before the next line, which changes the file.
  assertReadable(db, file);
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('PRAGMA synchronous = FULL');
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  migrate(db);
  // All leases have ended, because this process has the lock.
  db.exec(`UPDATE leases SET until = 0;
    DELETE FROM leases WHERE worker NOT IN (SELECT worker FROM tasks WHERE live = 1) AND worker <> ''`);
  // They were for the process that had the lock.
  db.exec("DELETE FROM settings WHERE name >= 'change ' AND name < 'change!'");
  // Writes the header, and the log of a killed process, to the database file.
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

function close(
  {
    db,
    identity,
    lock,
  }: Pick<OpenDatabase, 'db' | 'identity'> & { readonly lock: { release(): void } },
  intact: boolean,
): void {
  // The connection of `libsql` stays open until its last statement is collected. Without a log it holds
  // no lock. After the file was replaced, the log at its path belongs to another database.
  if (intact) leaveWal(db);
  db.close();
  identity.close();
  lock.release();
}

function leaveWal(db: SqliteDatabase): void {
  try {
    db.exec('PRAGMA journal_mode = DELETE');
  } catch {
    // A backup reads the file. The next process to open it reads the log.
  }
}
