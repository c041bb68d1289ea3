import { EXTENSION_ID } from '@mcp-codegen/runtime/ext-tasks/protocol';
import { ConfigError, createTaskServer, running, serveHttp } from '@mcp-codegen/runtime/server';
import type {
  RunningServer,
  TaskCapabilities,
  TaskServer,
  TaskStore,
} from '@mcp-codegen/runtime/server';
import { openSqliteStore } from '@mcp-codegen/runtime/stores/sqlite';
import { tools } from './tools/index.js';

/** As in package.json. */
export const VERSION = '0.1.0';

/**
 * What this server declares to clients: it serves what is named here, and asks clients for nothing else.
 * What contradicts the tools does not compile; what contradicts the authorization does not start.
 */
const CAPABILITIES = {
  /**
   * Tasks of revision 2025-11-25.
   *
   */
  core: {
    tasks: {
      cancel: {},
      requests: { tools: { call: {} } },
    },
  },
  /**
   * The tasks extension of revision 2026-07-28.
   *
   */
  ext: { extensions: { [EXTENSION_ID]: {} } },
} as const satisfies TaskCapabilities;

/** What the server offers, over any transport. */
export function createServer(store: TaskStore): Promise<TaskServer> {
  return createTaskServer({
    name: 'minimal',
    version: VERSION,
    tools,
    store,
    capabilities: CAPABILITIES,
    revisions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
  });
}

/** @throws when the port is taken, or the store cannot be opened. */
export async function startServer(): Promise<RunningServer> {
  const server = await createServer(
    openSqliteStore({ file: process.env['DATABASE'] || 'tasks.db' }),
  );
  const http = serveHttp(server, {
    host: process.env['HOST'] || '127.0.0.1',
    port: portIn(process.env['PORT'] || '3000'),

    // Anybody who reaches the address may use the server: keep it to this machine.
    allowUnidentified: true,
  });
  return running(server, http);
}

function portIn(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new ConfigError(`PORT is ${JSON.stringify(text)}: set a number from 0 to 65535.`);
}
