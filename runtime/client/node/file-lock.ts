import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeFolder } from './make-folder.js';

/** Another process keeps a file to itself for too long. */
export class FileLockError extends Error {
  override readonly name = 'FileLockError';
}

/** Milliseconds without a sign of life, after which the holder of a lock is dead: it shows one each fifth of them. */
const STALE = 10_000;
/** Milliseconds that a lock is waited for. */
const PATIENCE = 60_000;

/**
 * Runs `work` while no other process does so for this path: each change of a file that depends on what was in it. The
 * file beside it, `….lock`, names the process. The lock of a process that was killed is taken over, at once on the same machine.
 *
 * @throws {FileLockError} when another process keeps it for a minute.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T> | T,
  folderMode?: number,
): Promise<T> {
  const lock = `${path}.lock`;
  const own = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  await makeFolder(dirname(path), folderMode);
  for (const end = Date.now() + PATIENCE; !created(lock, own);) {
    if (isStale(lock)) takeAway(lock);
    else if (Date.now() > end) {
      throw new FileLockError(
        `${path} is in use by another process. If no mcp-codegen runs, delete ${lock}`,
      );
    } else await setTimeout(10 + Math.random() * 30);
  }
  const alive = setInterval(() => {
    const now = new Date();
    if (textOf(lock) === own) utimesSync(lock, now, now);
  }, STALE / 5).unref();
  try {
    return await work();
  } finally {
    clearInterval(alive);
    if (textOf(lock) === own) rmSync(lock, { force: true });
  }
}

function created(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** What a lock says, if it is there and no link, which a stranger's folder may have in its place. */
function textOf(path: string): string | undefined {
  try {
    return lstatSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

function isStale(lock: string): boolean {
  return isOld(lock) || isDead(textOf(lock));
}

/** A lock that is gone is not old. */
function isOld(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) > STALE;
}

/** Whether the process that wrote it has ended, as far as this machine can say. */
function isDead(text = ''): boolean {
  const [, pid, host] = /^\{"pid":(\d+),"host":("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  if (host !== JSON.stringify(hostname())) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Only one process at a time takes stale locks away: a second one would take the fresh lock of the first. */
function takeAway(lock: string): void {
  const guard = `${lock}.stale`;
  if (!created(guard, '')) {
    if (isOld(guard)) rmSync(guard, { force: true, recursive: true });
    return;
  }
  try {
    if (isStale(lock)) rmSync(lock, { force: true, recursive: true });
  } finally {
    rmSync(guard, { force: true });
  }
}
