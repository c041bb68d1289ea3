import { createTaskServer, running, runUntilStopped, serveHttp } from '@mcp-codegen/runtime/server';
import { openSqliteStore } from '@mcp-codegen/runtime/stores/sqlite';
import { renderFilm } from './render-film.js';

const HOUR_MS = 3_600_000;

const { PORT = '3000', DATABASE = 'tasks.db', FILMS = 'films' } = process.env;

await runUntilStopped(async () => {
  const server = await createTaskServer({
    name: 'films',
    version: '1.0.0',
    tools: [renderFilm(FILMS)],
    // Keeps tasks and their steps across restarts.
    store: openSqliteStore({ file: DATABASE }),
    limits: { ttlDefault: HOUR_MS },
  });
  // Without authorization any client that knows a task's id can use the task, so keep to this machine.
  return running(server, await serveHttp(server, { port: Number(PORT), allowUnidentified: true }));
});
