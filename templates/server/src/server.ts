import { readFileSync } from 'node:fs';
import { EXTENSION_ID } from '@mcp-codegen/runtime/ext-tasks/protocol';
import {
  bearer,
  createTaskServer,
  introspect,
  running,
  serveHealth,
  serveHttp,
  serveStdio,
} from '@mcp-codegen/runtime/server';
import { verifyJwt } from '@mcp-codegen/runtime/server/jwt';
import type { RunningServer, ServerLog, TaskCapabilities } from '@mcp-codegen/runtime/server';
import { createDbosExecutor } from '@mcp-codegen/runtime/executors/dbos';
import { createMemoryStore } from '@mcp-codegen/runtime/stores/memory';
import { openPostgresStore } from '@mcp-codegen/runtime/stores/postgres';
import { openSqliteStore } from '@mcp-codegen/runtime/stores/sqlite';
import { dbosSchemaOf } from './config.js';
import type { Config } from './config.js';
import { feature } from './feature.js';
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

/** @when none http */
const MINUTE = 60_000;

export interface StartOptions {
  readonly config: Config;
  readonly log?: ServerLog;
}

/** @throws when the port is taken, or the store cannot be opened. */
export async function startServer({
  // @when configured
  config,
  log,
}: StartOptions): Promise<RunningServer> {
  const server = await createTaskServer({
    name: 'my-mcp-server',
    version,
    instructions: feature.forms
      ? 'Counts words and primes, looks orders up and books rooms.'
      : 'Counts words and primes, and looks orders up.',
    tools,
    resources,
    prompts,
    store: feature.postgres
      ? await openPostgresStore({
          ...config.postgres,
          applicationName: 'my-mcp-server',
          onFault: (error) => log?.error({ event: 'fault' }, error.message),
        })
      : feature.sqlite
        ? openSqliteStore({ file: config.database })
        : createMemoryStore(),
    ...(feature.http &&
      feature.postgres && {
        executor: createDbosExecutor({
          ...config.postgres,
          schema: dbosSchemaOf(config.postgres),
          role: config.role,
          concurrency: config.concurrency,
        }),
      }),
    ...(log && { log }),
    // A client that knows the id of a task can read it, so tasks do not live long.
    ...(feature.http &&
      feature.none && { limits: { ttlDefault: 10 * MINUTE, ttlMax: 15 * MINUTE } }),
    capabilities: CAPABILITIES,
    // Revisions that clients may speak: only these are loaded.
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
    // For webhooks: called at the creation of a task and at each change of its status.
    onTaskStatus({ id, tool, status }) {
      log?.debug({ taskId: id, tool, status }, 'Status of a task');
    },
  });
  if (feature.stdio) {
    return running(server, serveStdio(server));
  } else {
    const { host, port, allowedHosts, allowedOrigins } = config;
    // @when postgres
    if (config.role === 'worker') {
      return running(server, serveHealth(server, { host, port }));
    }
    const http = serveHttp(server, {
      host,
      port,
      ...(allowedHosts && { allowedHosts }),
      ...(allowedOrigins && { allowedOrigins }),
      ...(feature.authorized && {
        auth: bearer({
          ...config.auth,
          verify: feature.jwt ? verifyJwt(config.auth) : introspect(config.auth),
        }),
      }),
      // Anybody who reaches the address may use the server: keep it to this machine.
      ...(feature.none && { allowUnidentified: true }),
      // The reverse proxy in deploy/nginx.conf routes sessions by it.
      ...(feature.postgres && { sessionKeyHeader: 'mcp-session-key' }),
    });
    return running(server, http);
  }
}
