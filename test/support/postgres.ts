import { Client } from 'pg';

import {
  type InstalledPostgres,
  startInstalled,
} from '../../runtime/testing/postgres/installed.js';

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

export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined) return serverAt(given, { stop: () => Promise.resolve() });
  const { durable = false, settings = {} } = options;
  const flush = durable ? 'on' : 'off';
  const server = await startInstalled({
    settings: { fsync: flush, synchronous_commit: flush, max_connections: '200', ...settings },
    variable: 'DATABASE_URL',
  });
  return serverAt(server.url, {
    async stop() {
      await server.end('SIGINT');
      server.remove();
    },
    async restart(how = 'fast') {
      await server.end(SIGNALS[how]);
      await startAgain(server);
    },
  });
}

/** After kill -9 the server refuses to start until the processes of its connections have ended. */
async function startAgain(server: InstalledPostgres): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      return await server.start();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
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
