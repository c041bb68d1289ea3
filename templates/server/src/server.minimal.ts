import {
  bearer,
  createTaskServer,
  introspect,
  running,
  serveHttp,
  serveStdio,
} from '@mcp-codegen/runtime/server';
import type { RunningServer, TaskServer, TaskStore } from '@mcp-codegen/runtime/server';
import { createMemoryStore } from '@mcp-codegen/runtime/stores/memory';
import { openSqliteStore } from '@mcp-codegen/runtime/stores/sqlite';
import { feature } from './feature.js';
import { tools } from './tools/index.minimal.js';

/** What the server offers, over any transport. */
export function createServer(store: TaskStore): Promise<TaskServer> {
  return createTaskServer({
    name: 'my-mcp-server',
    version: '0.1.0',
    tools,
    store,
    dialects: [
      /** @when core */
      'core',
      /** @when ext */
      'ext',
    ],
    revisions: [
      '2026-07-28',
      '2025-11-25',
      /** @when 2025-06-18 */
      '2025-06-18',
      /** @when 2025-03-26 */
      '2025-03-26',
      /** @when 2024-11-05 */
      '2024-11-05',
    ],
  });
}

/** @throws when the port is taken, or the store cannot be opened. */
export async function startServer(): Promise<RunningServer> {
  const server = await createServer(
    feature.sqlite
      ? openSqliteStore({ file: process.env['DATABASE'] ?? 'tasks.db' })
      : createMemoryStore(),
  );
  if (feature.stdio) {
    return running(server, serveStdio(server));
  } else {
    const http = await serveHttp(server, {
      host: process.env['HOST'] ?? '127.0.0.1',
      port: Number(process.env['PORT'] ?? 3000),
      ...(feature.bearer && { auth: authorization() }),
      // Anybody who reaches the address may use the server: keep it to this machine.
      ...(feature.none && { allowUnidentified: true }),
    });
    return running(server, http);
  }
}

/**
 * Asks your authorization server about each token (RFC 7662).
 * @when bearer
 */
function authorization() {
  const setting = (name: string): string => {
    const value = process.env[name];
    if (!value) throw new Error(`Set ${name}, for instance in the shell that starts the server.`);
    return value;
  };
  return bearer({
    resource: setting('AUTH_RESOURCE'),
    issuer: setting('AUTH_ISSUER'),
    verify: introspect({
      introspection: setting('AUTH_INTROSPECTION'),
      clientId: setting('AUTH_CLIENT_ID'),
      clientSecret: setting('AUTH_CLIENT_SECRET'),
    }),
  });
}
