import { Pool } from 'pg';

import { openPostgresStore } from '../../runtime/stores/postgres/index.js';
import { NO_CAPS, sampleTask } from '../../runtime/testing/testkit/index.js';
import type { TaskStore } from '../../runtime/tasks/index.js';
import { startPostgres, type PostgresDatabase } from '../../test/support/postgres.js';
import { ms, percentile, timed, type Bench, type Row } from '../bench.js';
import { ANN } from './sqlite-engine.js';

const SIZES = [10_000, 100_000, 1_000_000];
const SAMPLES = 500;
const EXPIRED = 500;

/** How the PostgreSQL store grows, on a server that flushes to disk. */
export const growth: Bench = {
  name: 'tasks/growth',
  async run() {
    const server = await startPostgres({ durable: true });
    try {
      const database = await server.newDatabase();
      const store = await openPostgresStore({ connectionString: database.url });
      const rows: Row[] = [];
      let filled = 0;
      for (const size of SIZES) {
        await fill(database, filled, size);
        filled = size;
        rows.push(...(await measure(store, database, size)));
      }
      await store.close();
      return rows;
    } finally {
      await server.stop();
    }
  },
};

/** Ended tasks. Half of them are ann's; the others belong to a thousand other owners. */
async function fill(database: PostgresDatabase, from: number, to: number): Promise<void> {
  await database.sql(`INSERT INTO mcp_tasks.tasks (owner, dialect, id, version, live, worker, expires_at,
      summary, args, input, steps, outcome)
    SELECT convert_to(CASE WHEN n % 2 = 0 THEN 'ann' ELSE 'owner-' || n % 1000 END, 'UTF8'), 'core',
      convert_to(lpad(to_hex(1700000000000 + n), 11, '0') || substr(md5(n::text), 1, 24), 'UTF8'),
      2, false, '', 4000000000000, convert_to(rpad('{"tool":"tool"', 400) || '}', 'UTF8'), '{}', '[]', '[]',
      convert_to(rpad('{"result":{"content":[]', 100) || '}}', 'UTF8')
    FROM generate_series(${from + 1}, ${to}) AS n`);
  // The writes of the filling must not count.
  await database.sql('VACUUM (ANALYZE) mcp_tasks.tasks');
  await database.sql('CHECKPOINT');
}

async function measure(
  store: TaskStore,
  database: PostgresDatabase,
  size: number,
): Promise<readonly Row[]> {
  const [pages, empty] = await pageTimes(store, database);
  const [inserts, completions] = await lifeTimes(store, size);
  const expiry = await expiryTime(store, database);
  const [sizes] = await database.sql(`SELECT pg_table_size('mcp_tasks.tasks')::float8 AS heap,
    pg_indexes_size('mcp_tasks.tasks')::float8 AS indexes`);
  const mib = (bytes: unknown): string => `${(Number(bytes) / 2 ** 20).toFixed(0)} MiB`;
  const both = (times: readonly number[]): string =>
    `${ms(percentile(times, 0.5))} (p95 ${ms(percentile(times, 0.95))})`;
  const p95 = percentile(pages, 0.95);
  const tasks = size.toLocaleString('en');
  return [
    {
      row: `PostgreSQL: a 50-task page among ${tasks} tasks, p95`,
      goal: '≤ 1 ms, owner-scoped',
      ours:
        `${ms(p95)} anywhere (p50 ${ms(percentile(pages, 0.5))}); ` +
        `an empty query: p95 ${ms(percentile(empty, 0.95))} (p50 ${ms(percentile(empty, 0.5))})`,
      peer: 'see the SQLite row',
      met: p95 <= 1,
    },
    {
      row: `PostgreSQL: with ${tasks} tasks stored`,
      goal: 'informs',
      ours:
        `create ${both(inserts)}, complete ${both(completions)}, ` +
        `expire ${EXPIRED} in ${ms(expiry)}; table ${mib(sizes?.['heap'])}, indexes ${mib(sizes?.['indexes'])}`,
      peer: 'keeps nothing: its store is a Map',
      met: null,
    },
  ];
}

/** Pages, and by turns queries that do nothing: what those take is the machine's. */
async function pageTimes(
  store: TaskStore,
  database: PostgresDatabase,
): Promise<readonly [pages: readonly number[], empty: readonly number[]]> {
  const ids = await database.sql(
    `SELECT convert_from(id, 'UTF8') AS id FROM mcp_tasks.tasks WHERE owner = 'ann'::bytea AND dialect = 'core'
      ORDER BY random() LIMIT ${SAMPLES}`,
  );
  const pool = new Pool({ connectionString: database.url, max: 1 });
  const now = Date.now();
  const [pages, empty]: [number[], number[]] = [[], []];
  for (const row of ids) {
    const before = String(row['id']);
    pages.push(await timed(() => store.list(ANN, { before, limit: 51, now })));
    empty.push(await timed(() => pool.query({ name: 'empty', text: 'SELECT' })));
  }
  await pool.end();
  return [pages.slice(10), empty.slice(10)];
}

/** Milliseconds of each creation and each completion, one at a time. */
async function lifeTimes(
  store: TaskStore,
  size: number,
): Promise<readonly [readonly number[], readonly number[]]> {
  const [inserts, completions]: [number[], number[]] = [[], []];
  for (let n = 0; n < SAMPLES; n += 1) {
    const task = sampleTask(size + n, { owner: `grown-${n % 50}`, ttl: 1e12 });
    inserts.push(await timed(() => store.insert(task, NO_CAPS)));
    const ended = { ...task, version: 2, status: 'completed', outcome: '{"result":{}}' } as const;
    completions.push(await timed(() => store.update(ended)));
  }
  return [inserts, completions];
}

async function expiryTime(store: TaskStore, database: PostgresDatabase): Promise<number> {
  await database.sql(`INSERT INTO mcp_tasks.owners VALUES ('due', ${EXPIRED})
    ON CONFLICT (owner) DO UPDATE SET stored = ${EXPIRED}`);
  await database.sql(`INSERT INTO mcp_tasks.tasks (owner, dialect, id, version, live, worker, expires_at,
      summary, args, input, steps)
    SELECT 'due', 'core', convert_to('due-' || n, 'UTF8'), 2, false, '', 1,
      convert_to('{"id":"due-' || n || '"}', 'UTF8'), '{}', '[]', '[]' FROM generate_series(1, ${EXPIRED}) AS n`);
  return timed(() => store.expire(2, EXPIRED));
}
