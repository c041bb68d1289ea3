import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, resolve } from 'node:path';

import { availableDriver, type SqliteDatabase, type SqliteDriver } from './driver.js';
import { cannotOpen, cannotWrite, isDiskFault } from './errors.js';
import { createPrivately } from './files.js';

export interface SqliteBackupOptions {
  /** The store's database file. A server may be using it. */
  readonly file: string;
  /** The path of the copy. It must not exist yet. */
  readonly to: string;
  /** Default: `node:sqlite` if this Node has it, else the package `libsql`. */
  readonly driver?: SqliteDriver;
}

/**
 * Copies a store at one moment, while a server uses it. It blocks this process until the copy is written
 * and checked, so call it in a separate process.
 *
 * Throws an Error when the database does not exist or is damaged, when there is a file at `to`
 * already, and when the copy cannot be written. What is at `to` is always a whole copy.
 */
export function backupSqlite({ file, to, driver = availableDriver() }: SqliteBackupOptions): void {
  const [source, target] = [resolve(file), resolve(to)];
  if (!existsSync(source)) throw new Error(`There is no database at ${source}`);
  if (existsSync(target)) throw new Error(`${target} exists already. Choose another name.`);
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  try {
    createPrivately(partial);
    copy(source, partial, driver);
    assertSound(partial, driver);
    // Windows flushes only files that are open for writing.
    sync(partial, 'r+');
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw isWriteFault(error) ? cannotWrite(target, error) : error;
  }
  // Windows cannot flush a folder.
  if (platform() !== 'win32') sync(dirname(target), 'r');
}

function copy(source: string, target: string, driver: SqliteDriver): void {
  const db = opened(source, driver);
  try {
    db.prepare('VACUUM INTO ?').run(target);
  } catch (error) {
    // The database itself is only read.
    throw isDiskFault(error) ? error : cannotOpen(source, error);
  } finally {
    db.close();
  }
}

function opened(file: string, driver: SqliteDriver): SqliteDatabase {
  try {
    return driver(file);
  } catch (error) {
    throw cannotOpen(file, error);
  }
}

/** Whether the copy could not be written. */
function isWriteFault(error: unknown): boolean {
  return isDiskFault(error) || (error instanceof Error && 'syscall' in error);
}

function assertSound(file: string, driver: SqliteDriver): void {
  const db = driver(file);
  try {
    const verdict = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
    if (verdict !== 'ok') throw new Error(`The copy is damaged: ${String(verdict)}`);
  } finally {
    db.close();
  }
}

function sync(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
