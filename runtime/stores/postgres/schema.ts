import type { Client } from 'pg';

import { PostgresError, storeError } from '../../postgres/index.js';
import { connectClient, connectionConfig } from './open.js';
import { completeOptions, type CompleteOptions, type PostgresStoreOptions } from './options.js';

/**
 * Columns are what is searched by; everything else of a task is one JSON document, so a new field of the
 * record needs no migration. `s` is the name of the schema.
 */
const MIGRATIONS: readonly ((s: string) => string)[] = [
  (s) => `
  CREATE TABLE ${s}.tasks (
    owner bytea NOT NULL,
    dialect text COLLATE "C" NOT NULL,
    id bytea NOT NULL,
    version integer NOT NULL,
    live boolean NOT NULL,
    worker bytea NOT NULL,
    expires_at bigint NOT NULL,
    idempotency_key bytea,
    -- The transaction of the last change: what a snapshot has not seen is found by it.
    changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
    summary bytea NOT NULL,
    args bytea NOT NULL,
    input bytea NOT NULL,
    steps bytea NOT NULL,
    outcome bytea,
    -- Ids sort by creation: this serves look-up by owner and pages of an owner's tasks alike.
    PRIMARY KEY (owner, dialect, id)
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
  CREATE INDEX tasks_by_expiry ON ${s}.tasks (expires_at);
  CREATE INDEX tasks_by_change ON ${s}.tasks (changed);
  CREATE INDEX tasks_live_by_owner ON ${s}.tasks (owner) WHERE live;
  CREATE INDEX tasks_live_by_worker ON ${s}.tasks (worker) WHERE live;
  CREATE UNIQUE INDEX tasks_by_idempotency_key ON ${s}.tasks (owner, dialect, idempotency_key)
    WHERE idempotency_key IS NOT NULL;

  -- Tasks of each owner. Its row is the lock under which the owner's caps are checked.
  CREATE TABLE ${s}.owners (owner bytea PRIMARY KEY, stored bigint NOT NULL)
    WITH (fillfactor = 50);

  -- Tasks that were removed lately, for nodes that missed the notification.
  CREATE TABLE ${s}.removals (
    owner bytea NOT NULL,
    dialect text COLLATE "C" NOT NULL,
    id bytea NOT NULL,
    changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
    removed_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX removals_by_change ON ${s}.removals (changed);
  CREATE INDEX removals_by_time ON ${s}.removals (removed_at);

  CREATE TABLE ${s}.leases (worker bytea PRIMARY KEY, until bigint NOT NULL);

  CREATE TABLE ${s}.settings (name text COLLATE "C" PRIMARY KEY, value bytea NOT NULL);

  -- Inserts tasks in the order given, all owners in ascending order. Returns no row when the cap for
  -- all owners is so near that the call has to be repeated alone.
  CREATE FUNCTION ${s}.insert_tasks(
    alone boolean, caps_live bigint[], caps_live_per_owner bigint[], caps_stored_per_owner bigint[],
    created_ats bigint[], owners_ bytea[], dialects text[], ids bytea[], versions integer[],
    workers bytea[], expiries bigint[], keys bytea[], summaries bytea[], argss bytea[], inputs bytea[],
    stepss bytea[]
  ) RETURNS TABLE (room boolean, verdict text, summary bytea, args bytea, input bytea, steps bytea,
    outcome bytea)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    class constant integer := '${s}.tasks'::regclass::oid::bigint::bit(32)::integer;
    tickets constant integer := 16;
    batch constant integer := 64;
    lowest_cap constant bigint := (SELECT min(c) FROM unnest(caps_live) AS c);
    highest_cap constant bigint := (SELECT max(c) FROM unnest(caps_live) AS c);
    live_total bigint;
    live_own bigint;
    stored_own bigint;
    added bigint := 0;
    who bytea;
    earlier record;
  BEGIN
    IF alone THEN
      PERFORM pg_advisory_xact_lock(class, 0);
    ELSE
      -- At most 16 calls insert at a time, so at most 16 batches are unseen by the count below.
      PERFORM pg_advisory_xact_lock_shared(class, 0);
      PERFORM pg_advisory_xact_lock(class, 1 + pg_backend_pid() % tickets);
    END IF;
    SELECT count(*) INTO live_total
      FROM (SELECT 1 FROM ${s}.tasks WHERE live LIMIT highest_cap) AS t;
    room := live_total + tickets * batch <= lowest_cap;
    IF NOT alone AND NOT room THEN RETURN; END IF;

    FOR i IN 1 .. array_length(ids, 1) LOOP
      IF who IS DISTINCT FROM owners_[i] THEN
        IF added > 0 THEN
          UPDATE ${s}.owners SET stored = stored + added WHERE owner = who;
        END IF;
        who := owners_[i];
        added := 0;
        LOOP
          SELECT stored INTO stored_own FROM ${s}.owners WHERE owner = who FOR UPDATE;
          EXIT WHEN FOUND;
          INSERT INTO ${s}.owners VALUES (who, 0) ON CONFLICT DO NOTHING;
        END LOOP;
        SELECT count(*) INTO live_own FROM ${s}.tasks WHERE live AND owner = who;
      END IF;

      IF keys[i] IS NOT NULL THEN
        UPDATE ${s}.tasks SET idempotency_key = NULL
          WHERE owner = who AND dialect = dialects[i] AND idempotency_key = keys[i]
            AND expires_at <= created_ats[i];
        SELECT t.summary, t.args, t.input, t.steps, t.outcome INTO earlier FROM ${s}.tasks t
          WHERE owner = who AND dialect = dialects[i] AND idempotency_key = keys[i];
        IF FOUND THEN
          verdict := 'existing';
          summary := earlier.summary;
          args := earlier.args;
          input := earlier.input;
          steps := earlier.steps;
          outcome := earlier.outcome;
          RETURN NEXT;
          CONTINUE;
        END IF;
      END IF;
      summary := NULL;
      args := NULL;
      input := NULL;
      steps := NULL;
      outcome := NULL;

      verdict := CASE
        WHEN live_total >= caps_live[i] THEN 'live'
        WHEN live_own >= caps_live_per_owner[i] THEN 'livePerOwner'
        WHEN stored_own >= caps_stored_per_owner[i] THEN 'storedPerOwner'
        ELSE 'inserted' END;
      IF verdict = 'inserted' THEN
        INSERT INTO ${s}.tasks (owner, dialect, id, version, live, worker, expires_at,
            idempotency_key, summary, args, input, steps)
          VALUES (who, dialects[i], ids[i], versions[i], true, workers[i], expiries[i],
            keys[i], summaries[i], argss[i], inputs[i], stepss[i]);
        live_total := live_total + 1;
        live_own := live_own + 1;
        stored_own := stored_own + 1;
        added := added + 1;
      END IF;
      RETURN NEXT;
    END LOOP;
    IF added > 0 THEN
      UPDATE ${s}.owners SET stored = stored + added WHERE owner = who;
    END IF;
  END $$;

  -- Removes up to max_ tasks that are due, and says so in removals. One call at a time.
  CREATE FUNCTION ${s}.expire_tasks(due_ bigint, max_ integer) RETURNS SETOF bytea
  LANGUAGE plpgsql AS $$
  DECLARE
    class constant integer := '${s}.tasks'::regclass::oid::bigint::bit(32)::integer;
    owners_ bytea[];
    each_ record;
  BEGIN
    PERFORM pg_advisory_xact_lock(class, -1);
    SELECT array_agg(DISTINCT d.owner ORDER BY d.owner) INTO owners_
      FROM (SELECT t.owner FROM ${s}.tasks t WHERE t.expires_at <= due_
            ORDER BY t.expires_at LIMIT max_) AS d;
    IF owners_ IS NULL THEN RETURN; END IF;
    -- Owners first and in order, as in insert_tasks: two calls never wait for each other.
    PERFORM 1 FROM ${s}.owners o WHERE o.owner = ANY (owners_) ORDER BY o.owner FOR UPDATE;
    FOR each_ IN
      WITH doomed AS (
        SELECT t.owner, t.dialect, t.id FROM ${s}.tasks t WHERE t.expires_at <= due_
          ORDER BY t.expires_at LIMIT max_
      ), gone AS (
        DELETE FROM ${s}.tasks t USING doomed d
          WHERE t.owner = d.owner AND t.dialect = d.dialect AND t.id = d.id
          RETURNING t.owner, t.dialect, t.id, t.summary
      ), logged AS (
        INSERT INTO ${s}.removals (owner, dialect, id) SELECT g.owner, g.dialect, g.id FROM gone g
      )
      SELECT g.owner, count(*) AS n, array_agg(g.summary) AS summaries FROM gone g
        GROUP BY g.owner ORDER BY g.owner
    LOOP
      UPDATE ${s}.owners o SET stored = o.stored - each_.n WHERE o.owner = each_.owner;
      DELETE FROM ${s}.owners o WHERE o.owner = each_.owner AND o.stored <= 0;
      RETURN QUERY SELECT unnest(each_.summaries);
    END LOOP;
  END $$;
  `,
  // Pages of the tasks of all owners.
  (s) => `CREATE INDEX tasks_by_id ON ${s}.tasks (id);`,
];

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
  const unhurried = { statement_timeout: 0, query_timeout: 0 };
  const client = await connectClient({ ...connectionConfig(options), ...unhurried });
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
