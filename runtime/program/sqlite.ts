import { resolve } from 'node:path';

import type { StorePart } from './parts.js';
import { text } from './setting-types.js';
import { openFirstFree } from './sqlite-files.js';

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
