import { EXTENSION_ID } from '@mcp-codegen/runtime/ext-tasks/protocol';
import {
  bearer,
  ConfigError,
  createTaskServer,
  introspect,
  running,
  serveHttp,
  serveStdio,
} from '@mcp-codegen/runtime/server';
import { verifyJwt } from '@mcp-codegen/runtime/server/jwt';
import type {
  RunningServer,
  TaskCapabilities,
  TaskServer,
  TaskStore,
} from '@mcp-codegen/runtime/server';
import { createMemoryStore } from '@mcp-codegen/runtime/stores/memory';
import { openPostgresStore } from '@mcp-codegen/runtime/stores/postgres';
import type { PostgresStoreOptions } from '@mcp-codegen/runtime/stores/postgres';
import { openSqliteStore } from '@mcp-codegen/runtime/stores/sqlite';
import { feature } from './feature.js';
import { tools } from './tools/index.minimal.js';

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
   * @when core
   */
  core: {
    tasks: {
      // @when tasks-list
      list: {},
      // @when tasks-cancel
      cancel: {},
      requests: { tools: { call: {} } },
    },
  },
  /**
   * The tasks extension of revision 2026-07-28.
   *
   * @when ext
   */
  ext: { extensions: { [EXTENSION_ID]: {} } },
  /**
   * What tools, resources and prompts may ask clients for.
   *
   * @when asks
   */
  asks: {
    // @when elicitation
    elicitation: {
      // @when elicitation-form
      form: {},
      // @when elicitation-url
      url: {},
    },
    // @when sampling
    sampling: {},
    // @when roots
    roots: {},
  },
} as const satisfies TaskCapabilities;

/** What the server offers, over any transport. */
export function createServer(store: TaskStore): Promise<TaskServer> {
  return createTaskServer({
    name: 'my-mcp-server',
    version: VERSION,
    tools,
    store,
    capabilities: CAPABILITIES,
    revisions: [
      /** @when 2026-07-28 */
      '2026-07-28',
      /** @when 2025-11-25 */
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
    feature.postgres
      ? await openPostgresStore(databaseUrl())
      : feature.sqlite
        ? openSqliteStore({ file: process.env['DATABASE'] || 'tasks.db' })
        : createMemoryStore(),
  );
  if (feature.stdio) {
    return running(server, serveStdio(server));
  } else {
    const http = serveHttp(server, {
      host: process.env['HOST'] || '127.0.0.1',
      port: portIn(process.env['PORT'] || '3000'),
      ...(feature.authorized && { auth: authorization() }),
      // Anybody who reaches the address may use the server: keep it to this machine.
      ...(feature.none && { allowUnidentified: true }),
    });
    return running(server, http);
  }
}

/** @when http */
function portIn(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new ConfigError(`PORT is ${JSON.stringify(text)}: set a number from 0 to 65535.`);
}

/**
 * Without `DATABASE_URL`, `PGHOST`, `PGUSER`, `PGPASSWORD` and `PGDATABASE` decide.
 * @when postgres
 */
function databaseUrl(): PostgresStoreOptions {
  const connectionString = process.env['DATABASE_URL'];
  return connectionString ? { connectionString } : {};
}

/**
 * Which tokens are accepted. Each is checked by your authorization server (RFC 7662), or with its public keys.
 * @when authorized
 */
function authorization() {
  const setting = (name: string): string => {
    const value = process.env[name];
    if (value) return value;
    throw new ConfigError(`Set ${name}, for instance in the shell that starts the server.`);
  };
  return bearer({
    resource: setting('AUTH_RESOURCE'),
    issuer: setting('AUTH_ISSUER'),
    verify: feature.jwt
      ? verifyJwt({ jwks: setting('AUTH_JWKS') })
      : introspect({
          introspection: setting('AUTH_INTROSPECTION'),
          clientId: setting('AUTH_CLIENT_ID'),
          clientSecret: setting('AUTH_CLIENT_SECRET'),
        }),
  });
}
