import { readFileSync } from 'node:fs';
import { EXTENSION_ID } from '@mcp-codegen/runtime/ext-tasks/protocol';
import {
  bearer,
  createTaskServer,
  running,
  serveHealth,
  serveHttp,
} from '@mcp-codegen/runtime/server';
import { verifyJwt } from '@mcp-codegen/runtime/server/jwt';
import type { RunningServer, ServerLog, TaskCapabilities } from '@mcp-codegen/runtime/server';
import { createDbosExecutor } from '@mcp-codegen/runtime/executors/dbos';
import { openPostgresStore } from '@mcp-codegen/runtime/stores/postgres';
import { dbosSchemaOf } from './config.js';
import type { Config } from './config.js';
import { prompts, resources } from './resources.js';
import { tools } from './tools/index.js';

export const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

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
      list: {},

      cancel: {},
      requests: { tools: { call: {} } },
    },
  },
  /**
   * The tasks extension of revision 2026-07-28.
   *
   */
  ext: { extensions: { [EXTENSION_ID]: {} } },
  /**
   * What tools, resources and prompts may ask clients for.
   *
   */
  asks: {
    elicitation: {
      form: {},
    },
  },
} as const satisfies TaskCapabilities;

export interface StartOptions {
  readonly config: Config;
  readonly log?: ServerLog;
}

/** @throws when the port is taken, or the store cannot be opened. */
export async function startServer({ config, log }: StartOptions): Promise<RunningServer> {
  const server = await createTaskServer({
    name: 'http-postgres-jwt',
    version,
    instructions: 'Counts words and primes, looks orders up and books rooms.',
    tools,
    resources,
    prompts,
    store: await openPostgresStore({
      ...config.postgres,
      applicationName: 'http-postgres-jwt',
      onFault: (error) => log?.error({ event: 'fault' }, error.message),
    }),
    executor: createDbosExecutor({
      ...config.postgres,
      schema: dbosSchemaOf(config.postgres),
      role: config.role,
      concurrency: config.concurrency,
    }),
    ...(log && { log }),

    capabilities: CAPABILITIES,
    // Revisions that clients may speak: only these are loaded.
    revisions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
    // For webhooks: called at the creation of a task and at each change of its status.
    onTaskStatus({ id, tool, status }) {
      log?.debug({ taskId: id, tool, status }, 'Status of a task');
    },
  });
  const { host, port, allowedHosts, allowedOrigins } = config;

  if (config.role === 'worker') {
    return running(server, serveHealth(server, { host, port }));
  }
  const http = serveHttp(server, {
    host,
    port,
    ...(allowedHosts && { allowedHosts }),
    ...(allowedOrigins && { allowedOrigins }),
    auth: bearer({
      ...config.auth,
      verify: verifyJwt(config.auth),
    }),

    // The reverse proxy in deploy/nginx.conf routes sessions by it.
    sessionKeyHeader: 'mcp-session-key',
  });
  return running(server, http);
}
