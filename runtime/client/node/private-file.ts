import { randomUUID } from 'node:crypto';
import { chmod, open, rename, rm, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { withFileLock } from './file-lock.js';
import { makeFolder } from './make-folder.js';

/** A private file that cannot be used. The message names the file and what to do. */
export class PrivateFileError extends Error {
  override readonly name = 'PrivateFileError';
}

/** Bytes of a private file. */
const MOST = 1024 * 1024;

/**
 * Reads a JSON file that only its user may read. Resolves with undefined when there is none.
 *
 * @throws {PrivateFileError} when other users may read or change it, and when it is not JSON.
 */
export async function readPrivateFile(path: string): Promise<unknown> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new PrivateFileError(`${path} is not JSON. Mend it or delete it.`);
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { mode, size } = await file.stat();
      // Windows has no such modes.
      if (platform() !== 'win32' && (mode & 0o077) !== 0) {
        throw new PrivateFileError(
          `${path} may be used by other users of this machine, so it is not used. Run: chmod 600 ${path}`,
        );
      }
      if (size > MOST) throw new PrivateFileError(`${path} is larger than 1 MiB. Delete it.`);
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof PrivateFileError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new PrivateFileError(`${path} cannot be read (${String(code)}).`, { cause: error });
  }
}

/**
 * Writes a JSON file that only its user may read, and its folder if need be. Readers get the old or the new
 * content, never a part.
 *
 * @throws {PrivateFileError}
 */
export async function writePrivateFile(path: string, value: unknown): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  await makeFolder(folder, 0o700).catch((error: unknown) => {
    const { message } = error as Error;
    throw new PrivateFileError(`${path} cannot be written. ${message}`, { cause: error });
  });
  try {
    const text = `${JSON.stringify(value, null, 2)}\n`;
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
    // The mask of the process may have taken permissions from the user, too.
    await chmod(temporary, 0o600);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    const { code } = error as NodeJS.ErrnoException;
    throw new PrivateFileError(`${path} cannot be written (${String(code)}).`, { cause: error });
  }
}

/**
 * Changes a private file. Programs that change it at once do so one after another, each what the one before wrote.
 *
 * @throws {PrivateFileError} and what `change` throws: then the file stays as it is.
 */
export async function changePrivateFile(
  path: string,
  change: (value: unknown) => unknown,
): Promise<void> {
  await withPrivateLock(path, async () => {
    await writePrivateFile(path, change(await readPrivateFile(path)));
  });
}

/** As `withFileLock`, for a private file. @throws {PrivateFileError} */
export async function withPrivateLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  let isHeld = false;
  try {
    return await withFileLock(path, () => ((isHeld = true), work()), 0o700);
  } catch (error) {
    if (isHeld) throw error;
    const { message } = error as Error;
    throw new PrivateFileError(`${path} cannot be written. ${message}`, { cause: error });
  }
}
