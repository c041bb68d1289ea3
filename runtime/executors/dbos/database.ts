import type { DLogger } from '@dbos-inc/dbos-sdk';
import { Client, Pool, type PoolClient } from 'pg';

import type { CompleteOptions } from './options.js';

/** Connections to DBOS's tables, for the client and the worker of one node. */
export function openPool({ connectionString, ssl, poolSize, name }: CompleteOptions): Pool {
  const pool = new Pool({
    ...(connectionString !== undefined && { connectionString }),
    ...(ssl !== undefined && { ssl }),
    max: poolSize,
    application_name: `${name} (dbos)`,
    keepAlive: true,
  });
  // The pool replaces a connection that breaks while it is idle.
  pool.on('error', () => undefined);
  return pool;
}

/** The database that `PGHOST`, `PGUSER` and so on name, for functions that take a URL only. */
export function urlOfEnvironment(): string {
  const { user = '', password = '', host, port, database = '' } = new Client();
  const [name, secret, path] = [user, password, database].map((part) =>
    encodeURIComponent(part ?? ''),
  );
  // A host may be an IPv6 address, or the folder of a socket.
  const place = host.includes(':') ? `[${host}]` : encodeURIComponent(host);
  return `postgres://${name}:${secret}@${place}:${port}/${path}`;
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
