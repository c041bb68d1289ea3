import {
  existsSync,
  realpathSync,
  renameSync,
  rmSync,
  closeSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SqliteDatabase, SqliteDriver } from './driver.js';
import { cannotOpen, isBusy, OpenError } from './errors.js';
import { assertNotEmpty, assertWritable, createPrivately } from './files.js';
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

/**
 * Prevents other processes from opening the store until this process ends. It locks a file beside the
 * database, because a lock on the database itself would block backups.
 *
 * Throws when another process has it.
 */
function lockOut(file: string, driver: SqliteDriver): { release(): void } {
  const lockFile = lockFileOf(file);
  createPrivately(lockFile);
  const db = driver(lockFile);
  try {
    // Never committed: the transaction is the lock. It writes nothing.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw isBusy(error) ? inUse(file, error) : error;
  }
  return { release: () => release(db) };
}

function lockFileOf(file: string): string {
  return `${file}-lock`;
}

function inUse(file: string, cause: unknown): OpenError {
  return new OpenError(
    `${file} is in use by another process. Stop that process, or choose another file.`,
    { cause },
  );
}

function release(db: SqliteDatabase): void {
  db.exec('ROLLBACK');
  db.close();
}

/** Checks that an open database is still the one at its path. */
interface FileIdentity {
  /** Throws an Error that names the file that was deleted or replaced. */
  check(): void;
  /** The same, unless the last check was a moment ago. */
  checkAgain(): void;
  /**
   * Call it after the database was closed, because closing any descriptor of a file releases the
   * process's locks on it.
   */
  close(): void;
}

/** Milliseconds in which a file that was just checked counts as the same. */
const MOMENT_MS = 5;
const HEADER_BYTES = 100;
/**
 * The parts of SQLite's header that identify the file and its schema. They stay the same while the store
 * is open; the counters between them change.
 */
const CONSTANT_RANGES = [
  [0, 18],
  [40, 72],
] as const;

/**
 * Detects files that were deleted, replaced, or overwritten by another database. It costs a look-up by
 * path for each file and a read of 100 bytes.
 *
 * `companions` are the files beside the database without which it cannot be written safely. The
 * header has to be on disk: take the identity after a checkpoint.
 */
function identityOf(file: string, companions: readonly string[]): FileIdentity {
  const watched = [file, ...companions].map((path) => ({ path, inode: inodeOf(path) }));
  const descriptor = openSync(file, 'r');
  const header = readHeader(descriptor);
  let checkedAt = -Infinity;

  function check(): void {
    for (const { path, inode } of watched) {
      const found = inodeOf(path);
      if (found === inode) continue;
      const what = found === undefined ? 'deleted' : 'replaced';
      throw new Error(`${path} was ${what} while it was open. Restart the server.`);
    }
    if (!readHeader(descriptor).equals(header)) {
      throw new Error(`${file} was overwritten while it was open. Restart the server.`);
    }
    checkedAt = performance.now();
  }

  return {
    check,
    checkAgain() {
      if (performance.now() - checkedAt > MOMENT_MS) check();
    },
    close: () => closeSync(descriptor),
  };
}

function inodeOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

function readHeader(descriptor: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  readSync(descriptor, header, 0, HEADER_BYTES, 0);
  return Buffer.concat(CONSTANT_RANGES.map(([start, end]) => header.subarray(start, end)));
}
