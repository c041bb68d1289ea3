import { join, resolve } from 'node:path';

import type { TaskStore } from '../tasks/index.js';
import type { StorePart, StorePlace } from './parts.js';
import { Text } from './setting-types.js';

const SETTINGS = {
  DATABASE: Text.optional().describe(
    "The file that tasks are kept in; one process at a time may use it (default: tasks.db in the project's folder)",
  ),
};

/** Files of a project for processes that hosts start: `tasks.db`, `tasks-2.db`, … */
const FILES_OF_A_PROJECT = 8;

/**
 * Tasks are kept in an SQLite file, which one process at a time uses: `DATABASE`, or `tasks.db` in the project's folder,
 * to which a relative path refers too. Over stdio each host starts a process of its own: when the default file is in
 * use, the process takes `tasks-2.db`, up to `tasks-8.db`.
 */
export function sqlite(): StorePart {
  const part: StorePart<typeof SETTINGS> = {
    settings: SETTINGS,
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

/** @throws {OpenError} also when all files are in use. */
async function openFirstFree({ project, log }: StorePlace): Promise<TaskStore> {
  const { isInUse, openSqliteStore } = await import('../stores/sqlite/index.js');
  const first = fileIn(project);
  for (let number = 1; ; number += 1) {
    const file = number === 1 ? first : join(project, `tasks-${number}.db`);
    try {
      const store = openSqliteStore({ file });
      if (number > 1) log.warn({ event: 'database', file }, taken(first, file));
      return store;
    } catch (error) {
      if (!isInUse(error) || number === FILES_OF_A_PROJECT) throw error;
    }
  }
}

function taken(first: string, file: string): string {
  return `${first} is in use by another process, so tasks of this one are kept in ${file}. DATABASE sets the file.`;
}
