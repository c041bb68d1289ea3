import { resolve, join } from 'node:path';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as passed } from 'node:timers/promises';
import type { StorePart, StorePlace } from './parts.js';
import { text } from './setting-types.js';
import { createMemoryStore } from '../stores/memory/index.js';
import type { TaskStore } from '../tasks/index.js';

/** URLs and `:memory:`, which would be names of files here. The drives of Windows have one letter. */
const NO_PATH = /^(?::memory:$|[a-z][a-z0-9+.-]+:)/i;

const settingsOf = () => ({
  DATABASE: text()
    .refine((path) => !NO_PATH.test(path), 'use the path of a file, and no URL')
    .optional()
    .describe(
      "The file that tasks are kept in; one process at a time may use it (default: tasks.db in the project's folder)",
    ),
});

/**
 * Tasks are kept in an SQLite file, which one process at a time uses: `DATABASE`, or `tasks.db` in the project's folder,
 * to which a relative path refers too. Over stdio each host starts a process of its own: while another one serves a
 * client from the default file, the process takes `tasks-2.db`, up to `tasks-8.db`.
 */
export function sqlite(): StorePart {
  const part: StorePart<ReturnType<typeof settingsOf>> = {
    settings: settingsOf(),
    hints: { OpenError: 'DATABASE sets the file.' },
    async open({ DATABASE }, place) {
      if (DATABASE === undefined && place.processPerClient) return openFirstFree(place);
      const { openSqliteStore } = await import('../stores/sqlite/index.js');
      return openSqliteStore({ file: fileIn(place.project, DATABASE) });
    },
    administration: {
      async open({ DATABASE }, project) {
        const { openSqliteBeside } = await import('../stores/sqlite/index.js');
        return openSqliteBeside({ file: fileIn(project, DATABASE) });
      },
      async backup({ DATABASE }, project, to) {
        const { backupSqlite } = await import('../stores/sqlite/index.js');
        backupSqlite({ file: fileIn(project, DATABASE), to });
      },
    },
  };
  return part;
}

/** Hosts start servers in any folder, so the working folder says nothing. */
function fileIn(project: string, database = 'tasks.db'): string {
  return resolve(project, database);
}

/** Tasks live in the memory of the process, and end with it. */
export function memory(): StorePart {
  return { settings: {}, hints: {}, open: () => createMemoryStore() };
}

/** Files of a project for processes that hosts start: `tasks.db`, `tasks-2.db`, … */
const FILES_OF_A_PROJECT = 8;

const nameOf = (number: number): string => (number === 1 ? 'tasks.db' : `tasks-${number}.db`);

/**
 * Opens the first file that no process serves a client from. A process whose client has gone may have the file for as
 * long as its tasks get to finish: the next one, which often serves the same client again, waits for it.
 *
 * @throws {OpenError} also when all files are in use.
 */
async function openFirstFree(place: StorePlace): Promise<TaskStore> {
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
