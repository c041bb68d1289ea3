import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder, and the folders above it. The option `recursive` of Node.js tries forever where a file
 * system refuses new folders with ENOENT, as `/proc` does.
 *
 * @throws {Error} that names the folder and the reason.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  if (await isThere(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolder(parent, mode);
  try {
    await mkdir(folder, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process may have made it meanwhile.
    if (code === 'EEXIST' && (await isThere(folder))) return;
    throw failure(folder, error);
  }
}

async function isThere(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw failure(folder, error);
  }
}

function failure(folder: string, cause: unknown): Error {
  const { code } = cause as NodeJS.ErrnoException;
  return new Error(
    `The folder ${folder} cannot be created (${String(code)}). Choose another one.`,
    { cause },
  );
}
