import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { startInstalled } from './installed-postgres.js';

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
  const settings = { fsync: 'off' };
  const server = await startInstalled({ settings, variable: 'TEST_DATABASE_URL' });
  return serverAt(server.url, async () => {
    await server.end('SIGINT');
    server.remove();
  });
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
