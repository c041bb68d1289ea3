import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';

import type { TaskStore } from '../tasks/index.js';
import type { StorePlace } from './parts.js';

/** Files of a project for processes that hosts start: `tasks.db`, `tasks-2.db`, … */
const FILES_OF_A_PROJECT = 8;

const nameOf = (number: number): string => (number === 1 ? 'tasks.db' : `tasks-${number}.db`);

/**
 * Opens the first file that no process serves a client from. A process whose client has gone may have the file for as
 * long as its tasks get to finish: the next one, which often serves the same client again, waits for it.
 *
 * @throws {OpenError} also when all files are in use.
 */
export async function openFirstFree(place: StorePlace): Promise<TaskStore> {
  const { project, leaving, log } = place;
  const noticed = performance.now() + NOTICING_MS;
  for (let number = 1; ; number += 1) {
    const file = join(project, nameOf(number));
    const isLast = number === FILES_OF_A_PROJECT;
    const store = await openUnlessServed(file, noticed, isLast);
    if (store === undefined) continue;
    markServed(file, leaving);
    if (number > 1) log.warn({ event: 'database', file }, taken(join(project, nameOf(1)), file));
    return store;
  }
}

/** Milliseconds that a process gets to give a file back after its client has gone: more than it has by default. */
const GIVING_BACK_MS = 10_000;
/** Milliseconds in which a busy process notices that its client has gone. */
const NOTICING_MS = 1_500;
const PAUSE_MS = 50;

/** Undefined when a process serves a client from the file after `noticed`, unless that has to be an error. */
async function openUnlessServed(
  file: string,
  noticed: number,
  isLast: boolean,
): Promise<TaskStore | undefined> {
  const { isInUse, openSqliteStore } = await import('../stores/sqlite/index.js');
  const end = performance.now() + GIVING_BACK_MS;
  for (;;) {
    try {
      return openSqliteStore({ file });
    } catch (error) {
      if (!isInUse(error)) throw error;
      const now = performance.now();
      const isLeft = now < noticed || (now < end && !isServed(file));
      if (!isLeft && isLast) throw error;
      if (!isLeft) return undefined;
    }
    await passed(PAUSE_MS);
  }
}

/** Names the process that serves a client from the database. It is gone as soon as the client is. */
const markOf = (file: string): string => `${file}-serving`;

/** A mark that cannot be written costs the next process a wait. */
function markServed(file: string, leaving: AbortSignal): void {
  try {
    writeFileSync(markOf(file), String(process.pid));
  } catch {
    return;
  }
  leaving.addEventListener('abort', () => rmSync(markOf(file), { force: true }), { once: true });
}

function isServed(file: string): boolean {
  try {
    return isAlive(Number(readFileSync(markOf(file), 'utf8')));
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user, which may not be told anything.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function taken(first: string, file: string): string {
  return `${first} is in use by another process, so tasks of this one are kept in ${file}. DATABASE sets the file.`;
}
