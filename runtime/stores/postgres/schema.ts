import type { Client } from 'pg';

import { PostgresError, storeError } from './connection/index.js';
import { MIGRATIONS } from './migrations.js';
import { connectUnhurried } from './open.js';
import { completeOptions, type CompleteOptions, type PostgresStoreOptions } from './options.js';

/** The schema version that this code writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Any fixed number: all that migrate take this lock. */
const LOCK_CLASS = 0x6d6370;
const UNDEFINED_TABLE = ['42P01', '3F000'];

/**
 * Makes or updates the schema, for a role that may create it; `openPostgresStore` then needs no such
 * rights. Does nothing when it is up to date.
 *
 * Throws a PostgresError, also when a newer version of this package has written the schema.
 */
export async function migratePostgres(options: PostgresStoreOptions): Promise<void> {
  await migrate(completeOptions({ ...options, migrate: true }));
}

export async function migrate(options: CompleteOptions): Promise<void> {
  // A migration may take as long as it needs, and another node's too.
  const client = await connectUnhurried(options);
  try {
    const version = await versionOf(client, options.schema);
    if (version !== SCHEMA_VERSION) {
      if (!options.migrate) throw outdated(options.schema, version);
      await bringUpToDate(client, options.schema);
    }
  } catch (error) {
    throw storeError(error, `Cannot prepare schema ${options.schema}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** 0 when there is no schema yet. Throws for one of a newer version. */
async function versionOf(client: Client, schema: string): Promise<number> {
  const found = await client
    .query<{ version: number }>(
      `SELECT coalesce(max(version), 0)::integer AS version FROM ${schema}.migrations`,
    )
    .catch((error: unknown) => {
      if (UNDEFINED_TABLE.includes((error as { code?: string }).code ?? '')) return undefined;
      throw error;
    });
  const version = found?.rows[0]?.version ?? 0;
  if (version <= SCHEMA_VERSION) return version;
  throw new PostgresError(
    `Schema ${schema} was written by a newer version (${version}, known: ${SCHEMA_VERSION}). ` +
      'Update the server, or choose another schema.',
    undefined,
  );
}

function outdated(schema: string, version: number): PostgresError {
  const state = version === 0 ? 'does not exist' : `has version ${version}`;
  return new PostgresError(
    `Schema ${schema} ${state}, and this server needs version ${SCHEMA_VERSION}. ` +
      'Run migratePostgres first: npm run migrate in a project of mcp-codegen new server.',
    undefined,
  );
}

async function bringUpToDate(client: Client, schema: string): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK_CLASS, schema]);
  // Another node may have done it while this one waited. The lock ends with the connection.
  const version = await versionOf(client, schema);
  if (version === SCHEMA_VERSION) return;
  await client.query('BEGIN');
  const { rows } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rows.length === 0) await client.query(`CREATE SCHEMA ${schema}`);
  await client.query(`CREATE TABLE IF NOT EXISTS ${schema}.migrations
    (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`);
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue;
    await client.query(migration(schema));
    await client.query(`INSERT INTO ${schema}.migrations (version) VALUES ($1)`, [index + 1]);
  }
  await client.query('COMMIT');
}
