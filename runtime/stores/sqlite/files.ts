import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { OpenError } from './errors.js';

/** Only the owner of the process may read the files, because tasks contain user data. */
const PRIVATE = 0o600;

/**
 * Creates an empty file that only its owner can read. An existing file keeps its permissions. SQLite
 * gives the files beside a database the permissions of the database.
 */
export function createPrivately(file: string): boolean {
  try {
    // Opens a new file only, because closing a descriptor releases the process's locks on the file.
    closeSync(openSync(file, 'wx', PRIVATE));
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Throws the system's error, because SQLite's says only that it cannot open the file. */
export function assertWritable(file: string): void {
  if (statSync(file).isDirectory()) {
    throw new OpenError(`Cannot open ${file}: it is a folder. Choose a file in it.`);
  }
  accessSync(dirname(file), constants.W_OK);
  accessSync(file, constants.R_OK | constants.W_OK);
}

/** An empty file would be read as a database without tasks. */
export function assertNotEmpty(file: string): void {
  if (statSync(file).size > 0) return;
  throw new OpenError(
    `Cannot open ${file}: it is empty. Restore a backup, or delete it to begin without tasks.`,
  );
}
