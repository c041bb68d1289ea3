import type { SqliteDatabase, SqliteDriver } from './driver.js';
import { isBusy, OpenError } from './errors.js';
import { createPrivately } from './files.js';

/**
 * Prevents other processes from opening the store until this process ends. It locks a file beside the
 * database, because a lock on the database itself would block backups.
 *
 * Throws when another process has it.
 */
export function lockOut(file: string, driver: SqliteDriver): { release(): void } {
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

export function lockFileOf(file: string): string {
  return `${file}-lock`;
}

export function inUse(file: string, cause: unknown): OpenError {
  return new OpenError(
    `${file} is in use by another process. Stop that process, or choose another file.`,
    { cause },
  );
}

function release(db: SqliteDatabase): void {
  db.exec('ROLLBACK');
  db.close();
}
