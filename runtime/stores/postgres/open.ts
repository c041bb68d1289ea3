import type { Client, ClientConfig, QueryConfig } from 'pg';

import { loadOptional } from '../../optional/index.js';
import { addressOf, storeError } from '../../postgres/index.js';
import type { CompleteOptions } from './options.js';
import type { Row } from './rows.js';

/** One of the store's statements. Named ones are parsed once in each connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** What can run a statement: the pool, or the connection that listens. */
export interface Database {
  query(statement: Statement, values?: readonly unknown[]): Promise<readonly Row[]>;
}

export interface ConnectionPool extends Database {
  /** Resolves when every connection is closed. Statements that run are waited for. */
  close(): Promise<void>;
}

/**
 * Every statement of the store is served by an index in the index's order. Statistics that are out of
 * date must not lead the planner elsewhere: it would sort an owner's million tasks for one page.
 */
const PLANNER = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'jit']
  .map((name) => `-c ${name}=off`)
  .join(' ');

/** The client gives up later than the server, so that it learns what happened if the server can say. */
const ANSWER_GRACE_MS = 2_000;
const IDLE_MS = 30_000;

function queryOf({ name, text }: Statement, values: readonly unknown[]): QueryConfig {
  return { ...(name !== undefined && { name }), text, values: [...values] };
}

export function connectionConfig(options: CompleteOptions): ClientConfig {
  const { statementTimeoutMs } = options;
  return {
    ...addressOf(options),
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    keepAlive: true,
    options: PLANNER,
  };
}

/** @throws {MissingPackageError} */
const loadPg = () => loadOptional('pg', 'The PostgreSQL store', () => import('pg'));

export async function openPool(options: CompleteOptions): Promise<ConnectionPool> {
  const { Pool } = await loadPg();
  const pool = new Pool({
    ...connectionConfig(options),
    max: options.poolSize,
    idleTimeoutMillis: IDLE_MS,
  });
  // The pool replaces a connection that breaks while it is idle.
  pool.on('error', () => undefined);
  return {
    async query(statement, values = []) {
      try {
        return (await pool.query(queryOf(statement, values))).rows as Row[];
      } catch (error) {
        throw storeError(error);
      }
    },
    close: () => pool.end(),
  };
}

export interface Connection extends Database {
  readonly client: Client;
  /** Does not wait for what runs. */
  close(): void;
}

/** Connects a client. Throws a PostgresError, or a MissingPackageError. */
export async function connectClient(config: ClientConfig, onEnd?: () => void): Promise<Client> {
  const { Client } = await loadPg();
  try {
    const client = new Client(config);
    // Without a listener the error of a lost connection would end the process.
    client.on('error', () => undefined);
    if (onEnd !== undefined) client.once('end', onEnd);
    await client.connect();
    return client;
  } catch (error) {
    throw storeError(error, 'Cannot connect to PostgreSQL');
  }
}

/** The connection that listens. `onEnd` is called once, when it is lost. */
export async function connect(options: CompleteOptions, onEnd: () => void): Promise<Connection> {
  const name = `${options.applicationName} (listener)`;
  const config = { ...connectionConfig(options), application_name: name };
  const client = await connectClient(config, onEnd);
  return {
    client,
    async query(statement, values = []) {
      try {
        return (await client.query(queryOf(statement, values))).rows as Row[];
      } catch (error) {
        throw storeError(error);
      }
    },
    close: () => void client.end().catch(() => undefined),
  };
}
