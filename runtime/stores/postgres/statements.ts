import type { Statement } from './open.js';
import type { TaskStatus } from '../../tasks/index.js';

/**
 * The `workStatus` of a task in SQL, read from the bytes of its summary, which may be UTF-16. A condition searches for a
 * member's text: no text in the summary contains it, because its quotes would be escaped there.
 */

/** An entry of the history begins with its status, so it has no comma before it. */
function hasStatus(status: TaskStatus): string {
  return contains(`,"status":"${status}"`);
}

function contains(member: string): string {
  const has = (bytes: Buffer): string =>
    `position('\\x${bytes.toString('hex')}'::bytea in summary) > 0`;
  return `(${has(Buffer.from(member))} OR ${has(Buffer.from(member, 'utf16le'))})`;
}

const HAS_MESSAGE = contains('"statusMessage":');

/** The condition of the index of failed work: a search has to repeat it as it is. */
export const IS_FAILED = `NOT live AND (${hasStatus('failed')} OR ${hasStatus('completed')} AND ${HAS_MESSAGE})`;

/** The most frequent first: a search that fails reads the whole summary. */
const WORK_STATUS = `CASE
    WHEN ${hasStatus('completed')} THEN CASE WHEN ${HAS_MESSAGE} THEN 'failed' ELSE 'completed' END
    ${(['working', 'failed', 'cancelled', 'input_required'] as const)
      .map((status) => `WHEN ${hasStatus(status)} THEN '${status}'`)
      .join(' ')} END`;

const RECORD = 'summary, args, input, steps, outcome';
/** The server's time in milliseconds. */
const CLOCK = 'extract(epoch FROM clock_timestamp())::float8 * 1000 AS clock';
const KEY = 'owner = $1 AND dialect = $2 AND id = $3';

/** `narrow` is the condition of an index. */
function found(from: string, narrow = ''): string {
  return `SELECT summary FROM ${from}
      WHERE ${narrow}id < $1 AND expires_at > $2 AND ($3::bytea IS NULL OR id = $3)
        AND ($4::bytea IS NULL OR owner = $4)
        AND ($5::text IS NULL OR ${WORK_STATUS} = $5)
      ORDER BY id DESC LIMIT $6`;
}

/** The statements of a store whose tables are in schema `s`. */
function texts(s: string) {
  return {
    insert: `SELECT * FROM ${s}.insert_tasks($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
      $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
    get: `SELECT ${RECORD} FROM ${s}.tasks WHERE ${KEY}`,
    // Of several rivals in one call PostgreSQL takes one.
    update: `UPDATE ${s}.tasks t SET version = v.version, live = v.live, worker = v.worker,
        summary = v.summary, input = v.input, steps = v.steps,
        outcome = v.outcome, changed = pg_current_xact_id()
      FROM unnest($1::integer[], $2::bytea[], $3::text[], $4::bytea[], $5::integer[], $6::boolean[],
        $7::bytea[], $8::bytea[], $9::bytea[], $10::bytea[], $11::bytea[])
        AS v (n, owner, dialect, id, version, live, worker, summary, input, steps, outcome)
      WHERE t.owner = v.owner AND t.dialect = v.dialect AND t.id = v.id
        AND t.version = v.version - 1
      RETURNING v.n`,
    list: `SELECT summary FROM ${s}.tasks
      WHERE owner = $1 AND dialect = $2 AND id < $3 AND expires_at > $4
      ORDER BY id DESC LIMIT $5`,
    expire: `SELECT expire_tasks AS summary FROM ${s}.expire_tasks($1, $2)`,
    find: found(`${s}.tasks`),
    // OFFSET 0 keeps the planner from another index, which may find far more tasks than this one.
    findById: found(`(SELECT * FROM ${s}.tasks WHERE id = $3 OFFSET 0) AS t`),
    findByOwner: found(`(SELECT * FROM ${s}.tasks WHERE owner = $4 OFFSET 0) AS t`),
    findLive: found(`(SELECT * FROM ${s}.tasks WHERE live OFFSET 0) AS t`),
    findFailed: found(`${s}.tasks`, `${IS_FAILED} AND `),
    count: `SELECT ${WORK_STATUS} AS status, count(*)::text AS n
      FROM ${s}.tasks WHERE expires_at > $1 GROUP BY 1`,
    // Changes with every change that a transaction makes after all others.
    newest: `SELECT (SELECT changed::text FROM ${s}.tasks ORDER BY changed DESC LIMIT 1) AS changed,
      (SELECT changed::text FROM ${s}.removals ORDER BY changed DESC LIMIT 1) AS removed`,
    // `expire` then removes what is due at 0.
    due: `UPDATE ${s}.tasks t SET expires_at = 0
      FROM unnest($1::bytea[], $2::text[], $3::bytea[], $4::integer[]) AS v (owner, dialect, id, version)
      WHERE t.owner = v.owner AND t.dialect = v.dialect AND t.id = v.id AND t.version = v.version
        AND NOT t.live
      RETURNING 1 AS n`,
    nextDue: `SELECT expires_at::text AS next FROM ${s}.tasks ORDER BY expires_at LIMIT 1`,
    renew: `INSERT INTO ${s}.leases VALUES ($1, $2)
      ON CONFLICT (worker) DO UPDATE SET until = excluded.until RETURNING ${CLOCK}`,
    // Steps from worker to worker in the index, so that live tasks that are held cost nothing.
    orphans: `WITH RECURSIVE workers AS (
        (SELECT worker FROM ${s}.tasks WHERE live ORDER BY worker LIMIT 1)
        UNION ALL
        SELECT (SELECT t.worker FROM ${s}.tasks t WHERE t.live AND t.worker > w.worker
                ORDER BY t.worker LIMIT 1)
        FROM workers w WHERE w.worker IS NOT NULL
      )
      SELECT t.summary FROM workers w JOIN ${s}.tasks t ON t.worker = w.worker
      WHERE t.live AND t.expires_at > $1
        AND NOT EXISTS (SELECT FROM ${s}.leases l WHERE l.worker = w.worker AND l.until > $1)
      LIMIT $2`,
    // A lease that is missing counts as lapsed, so one that lapsed long ago is of no use.
    pruneLeases: `DELETE FROM ${s}.leases WHERE until < $1`,
    pruneRemovals: `DELETE FROM ${s}.removals WHERE removed_at < now() - interval '1 hour'`,
    writeSetting: `INSERT INTO ${s}.settings VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    addSetting: `INSERT INTO ${s}.settings VALUES ($1, $2) ON CONFLICT DO NOTHING`,
    readSetting: `SELECT value FROM ${s}.settings WHERE name = $1`,
    channel: `SELECT 'mcp_tasks_' || '${s}.tasks'::regclass::oid AS channel`,
    notify: `SELECT pg_notify($1, p) FROM unnest($2::text[]) AS p`,
    snapshot: `SELECT pg_current_snapshot()::text AS snapshot, ${CLOCK}`,
    // What is committed now and was not in the snapshot before, and the snapshot of now. A row of a
    // later time than now comes from a dump of another server.
    changes: `WITH now AS (SELECT pg_current_snapshot() AS snapshot)
      SELECT now.snapshot::text AS snapshot, ${CLOCK}, c.* FROM now LEFT JOIN (
        SELECT owner, dialect, id, version FROM ${s}.tasks
          WHERE changed >= pg_snapshot_xmin($1::pg_snapshot)
            AND changed < pg_snapshot_xmax(pg_current_snapshot())
            AND NOT pg_visible_in_snapshot(changed, $1::pg_snapshot) AND version > 1
        UNION ALL
        SELECT owner, dialect, id, NULL FROM ${s}.removals
          WHERE changed >= pg_snapshot_xmin($1::pg_snapshot)
            AND changed < pg_snapshot_xmax(pg_current_snapshot())
            AND NOT pg_visible_in_snapshot(changed, $1::pg_snapshot)
      ) AS c ON true`,
  } as const;
}

export type Statements = Readonly<Record<keyof ReturnType<typeof texts>, Statement>>;

export function statementsFor(schema: string): Statements {
  const named = Object.entries(texts(schema)).map(([name, text]) => [
    name,
    { name: `${schema}.${name}`, text },
  ]);
  return Object.fromEntries(named) as Statements;
}
