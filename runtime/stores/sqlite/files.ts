import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Tasks hold what users sent: only the owner of the process may read them. */
const PRIVATE = 0o600;

/**
 * Makes an empty file that only its owner can read, unless there is one already, which keeps its
 * permissions. SQLite gives the files beside a database the permissions of the database.
 */
export function createPrivately(file: string): boolean {
  try {
    // Only a file that is new is opened: closing a descriptor gives up the process's locks on the file.
    closeSync(openSync(file, 'wx', PRIVATE));
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Throws the system's error where SQLite would say only that it cannot open the file. */
export function assertWritable(file: string): void {
  accessSync(dirname(file), constants.W_OK);
  accessSync(file, constants.R_OK | constants.W_OK);
}
