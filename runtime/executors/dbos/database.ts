import type { DLogger } from '@dbos-inc/dbos-sdk';
import type { ClientConfig, Pool, PoolClient } from 'pg';

import { addressOf, assertOwnSession, clientWith } from '../../stores/postgres/connection/index.js';
import type { CompleteOptions } from './options.js';
import { pg } from './packages.js';

/** What a crash of the server takes from DBOS's tables is made again from the records, so commits need no flush. */
const COMMIT_WITHOUT_FLUSH = { synchronous_commit: 'off' };
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const SETTINGS = { ...COMMIT_WITHOUT_FLUSH, statement_timeout: STATEMENT_TIMEOUT_MS };
/** The client gives up later than the server, so that it learns what happened if the server can say. */
const ANSWER_GRACE_MS = 2_000;

function plainConfig(options: CompleteOptions): ClientConfig {
  return {
    ...addressOf(options),
    application_name: `${options.name} (dbos)`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
}

/** Throws a PostgresError when a pooler changes the server process of connections between transactions. */
export async function assertSessions(options: CompleteOptions): Promise<void> {
  await assertOwnSession(pg, plainConfig(options), CONNECT_TIMEOUT_MS);
}

/**
 * Connections to DBOS's tables, for the client and the worker of one node. `unhurried` ones are for
 * migrations, which may take as long as they need.
 */
export function openPool(options: CompleteOptions, unhurried = false): Pool {
  const pool = new pg.Pool({
    ...plainConfig(options),
    max: Math.max(options.poolSize, 2),
    ...(!unhurried && {
      Client: clientWith(pg, SETTINGS, CONNECT_TIMEOUT_MS),
      query_timeout: STATEMENT_TIMEOUT_MS + ANSWER_GRACE_MS,
    }),
  });
  // The pool replaces a connection that breaks while it is idle.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    // Nor may one end the process that breaks between two queries of DBOS.
    client.on('error', () => undefined);
    breakWhenStuck(client);
  });
  return pool;
}

/** Lets a role use the tables of a schema, also those of later migrations. */
export async function grantTables(pool: Pool, schema: string, role: string): Promise<void> {
  const to = `TO ${pg.escapeIdentifier(role)}`;
  await pool.query(`GRANT USAGE ON SCHEMA ${schema} ${to}`);
  for (const kind of ['TABLES', 'SEQUENCES', 'FUNCTIONS']) {
    await pool.query(`GRANT ALL ON ALL ${kind} IN SCHEMA ${schema} ${to}`);
    await pool.query(`ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT ALL ON ${kind} ${to}`);
  }
}

/**
 * DBOS gives a connection back to the pool although a query on it got no answer, and every later query would wait
 * behind that. So the connection is broken instead.
 */
function breakWhenStuck(client: PoolClient): void {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown;
  const watched = (...values: unknown[]): unknown => {
    const result = query(...values);
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (error instanceof Error && error.message === 'Query read timeout') void client.end();
      });
    }
    return result;
  };
  Object.assign(client, { query: watched });
}

/** Warnings of DBOS that report a fault. The others describe what recovery does anyway. */
const FAULT = /^(error|could not|database connection|unexpected)/i;

/** DBOS prints nothing; its faults are reported as those of the store are. */
export function quietLogger(report: (error: unknown) => void): DLogger {
  const fault = (entry: unknown): void => report(new Error(`DBOS: ${String(entry)}`));
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (entry) => FAULT.test(String(entry)) && fault(entry),
    error: fault,
  };
}

const RETRY_MS = 100;

/**
 * Calls `work` while no other node does. DBOS builds indexes concurrently, which waits for every transaction
 * of the database: nodes that wait inside one, for DBOS's own lock, end in a deadlock.
 */
export async function oneAtATime<T>(
  pool: Pool,
  schema: string,
  work: () => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    while (!(await tryLock(client, schema))) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return await work();
  } finally {
    // With the connection goes its lock.
    client.release(true);
  }
}

async function tryLock(client: PoolClient, schema: string): Promise<boolean> {
  const text = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked';
  const { rows } = await client.query<{ locked: boolean }>(text, [`mcp-codegen dbos ${schema}`]);
  return rows[0]?.locked === true;
}
