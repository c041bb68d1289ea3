/** Primary result codes of SQLite; extended codes use the upper bits. */
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

const CODES: Readonly<Record<string, number>> = {
  SQLITE_BUSY: BUSY,
  SQLITE_READONLY: READONLY,
  SQLITE_IOERR: IOERR,
  SQLITE_CORRUPT: CORRUPT,
  SQLITE_FULL: FULL,
  SQLITE_CANTOPEN: CANTOPEN,
  SQLITE_NOTADB: NOTADB,
};

const CHECK_PERMISSIONS =
  'Check that the folder exists and that this process may write the folder and the file.';
const RESTORE = 'Stop the server and restore a backup.';

const HINTS: Readonly<Record<string | number, string>> = {
  [READONLY]: CHECK_PERMISSIONS,
  [CANTOPEN]: CHECK_PERMISSIONS,
  EACCES: CHECK_PERMISSIONS,
  EPERM: CHECK_PERMISSIONS,
  ENOENT: 'Create its folder, or choose another file.',
  ENOTDIR: 'A part of the path is a file: choose another one.',
  EROFS: 'The file system is read-only: choose a file on a writable one.',
  [IOERR]: 'Check whether the disk is full or failing.',
  [FULL]: 'Free disk space.',
  ENOSPC: 'Free disk space.',
  [CORRUPT]: RESTORE,
  [NOTADB]: 'Stop the server and restore a backup, or choose another file.',
};

/** Damaged data: bytes that the store did not write. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

/** SQLite's primary result code, if the error is SQLite's. The drivers store it in different fields. */
function resultCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return errcode & 0xff;
  return typeof code === 'string' ? CODES[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''] : undefined;
}

/** Whether another connection holds the file. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === BUSY;
}

/** Whether the disk, or the file's permissions, kept SQLite from reading or writing. */
export function isDiskFault(error: unknown): boolean {
  const code = resultCode(error);
  return code === FULL || code === IOERR || code === READONLY || code === CANTOPEN;
}

/** Whether the file contains data that SQLite or the store did not write. */
export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return error instanceof DamagedError || code === CORRUPT || code === NOTADB;
}

/** The error for a file that cannot be opened. Its message names the file. */
export class OpenError extends Error {
  override readonly name = 'OpenError';
}

/** Whether `openSqliteStore` threw the error because another process has the file. */
export function isInUse(error: unknown): boolean {
  return error instanceof OpenError && isBusy(error.cause);
}

/** The error with the file's name and, if it is clear, with what to do. */
export function cannotOpen(file: string, error: unknown): OpenError {
  if (error instanceof OpenError) return error;
  return new OpenError(failure('open', file, error), { cause: error });
}

/** The same for a copy that cannot be written. The system names the file of the call, which is another one. */
export function cannotWrite(file: string, error: unknown): Error {
  const message = failure('write', file, error).replace(/, \w+ '.*'(?=\.)/s, '');
  return new Error(message, { cause: error });
}

function failure(what: string, file: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const { code: system } = error as { code?: unknown };
  const hint = HINTS[resultCode(error) ?? String(system)];
  const end = hint === undefined ? '' : ` ${hint}`;
  return `Cannot ${what} ${file}: ${message.replace(/\.$/, '')}.${end}`;
}
