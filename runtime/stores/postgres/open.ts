import type { Client, ClientConfig, QueryConfig } from 'pg';

import { missing } from '../../optional.js';
import { addressOf, assertOwnSession, clientWith, storeError } from './connection/index.js';
import type { SessionSettings } from './connection/index.js';
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
const PLANNER: SessionSettings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  jit: 'off',
};

/** The client gives up later than the server, so that it learns what happened if the server can say. */
const ANSWER_GRACE_MS = 2_000;
const IDLE_MS = 30_000;

function queryOf({ name, text }: Statement, values: readonly unknown[]): QueryConfig {
  return { ...(name !== undefined && { name }), text, values: [...values] };
}

function plainConfig(options: CompleteOptions): ClientConfig {
  return {
    ...addressOf(options),
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs,
    keepAlive: true,
  };
}

function connectionConfig(options: CompleteOptions): ClientConfig {
  return {
    ...plainConfig(options),
    query_timeout: options.statementTimeoutMs + ANSWER_GRACE_MS,
  };
}

/** @throws {MissingPackageError} */
const loadPg = () => import('pg').catch(missing('pg', 'The PostgreSQL store'));

/** The class of every client that runs the store's statements. */
async function clientClass(options: CompleteOptions): Promise<typeof Client> {
  const { statementTimeoutMs: statement_timeout, connectTimeoutMs } = options;
  return clientWith(await loadPg(), { ...PLANNER, statement_timeout }, connectTimeoutMs);
}

export async function openPool(options: CompleteOptions): Promise<ConnectionPool> {
  const { Pool } = await loadPg();
  const pool = new Pool({
    ...connectionConfig(options),
    Client: await clientClass(options),
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

const CONNECTING = 'Cannot connect to PostgreSQL';

async function connectClient(
  ClientClass: typeof Client,
  config: ClientConfig,
  onEnd?: () => void,
): Promise<Client> {
  try {
    const client = new ClientClass(config);
    // Without a listener the error of a lost connection would end the process.
    client.on('error', () => undefined);
    if (onEnd !== undefined) client.once('end', onEnd);
    await client.connect();
    return client;
  } catch (error) {
    throw storeError(error, CONNECTING);
  }
}

/**
 * Connects a client whose statements may take as long as they need. It is the first of a store: throws a PostgresError
 * when a pooler changes the server process of connections, or a MissingPackageError.
 */
export async function connectUnhurried(options: CompleteOptions): Promise<Client> {
  const pg = await loadPg();
  const config = plainConfig(options);
  await assertOwnSession(pg, config, options.connectTimeoutMs).catch((error: unknown) => {
    throw storeError(error, CONNECTING);
  });
  return connectClient(pg.Client, config);
}

/** The connection that listens. `onEnd` is called once, when it is lost. */
export async function connect(options: CompleteOptions, onEnd: () => void): Promise<Connection> {
  const name = `${options.applicationName} (listener)`;
  const config = { ...connectionConfig(options), application_name: name };
  const client = await connectClient(await clientClass(options), config, onEnd);
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
