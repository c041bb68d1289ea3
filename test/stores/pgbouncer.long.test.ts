import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openPool as openDbosPool } from '../../runtime/executors/dbos/database.js';
import { createDbosExecutor, migrateDbos } from '../../runtime/executors/dbos/index.js';
import { completeOptions as dbosOptions } from '../../runtime/executors/dbos/options.js';
import { loadPackages } from '../../runtime/executors/dbos/packages.js';
import { createMemoryStore } from '../../runtime/stores/memory/index.js';
import {
  migratePostgres,
  openPostgresStore,
  PostgresError,
  type PostgresStoreOptions,
} from '../../runtime/stores/postgres/index.js';
import { connect, openPool } from '../../runtime/stores/postgres/open.js';
import { completeOptions } from '../../runtime/stores/postgres/options.js';
import { NO_CAPS, sampleTask, type StoreUnderTest } from '../../runtime/testing/testkit/index.js';
import { createTaskEngine, TaskError } from '../../runtime/tasks/index.js';
import { createCluster, type Cluster } from '../executors/cluster.js';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { startPostgres, type PostgresDatabase, type PostgresServer } from '../support/postgres.js';
import { describeStore } from '../testkit/describe.js';

/** What docs/postgres.md says about PgBouncer, with Debian's (`apt-get install pgbouncer`). */

let server: PostgresServer;
let database: PostgresDatabase;
beforeAll(async () => {
  if (!hasPgBouncer) return;
  server = await startPostgres();
  database = await server.newDatabase();
});
afterAll(async () => {
  await database?.remove();
  await server?.stop();
});

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Enough for every connection of the nodes of a test. */
const SESSION = { pool_mode: 'session', default_pool_size: '100' };

async function bounced(settings: Readonly<Record<string, string>>): Promise<PgBouncer> {
  const bouncer = await startPgBouncer(database, settings);
  cleanups.push(() => bouncer.stop());
  return bouncer;
}

let schemas = 0;
const newSchema = (): string => `tasks_${(schemas += 1)}`;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Ends connections as an administrator does. */
async function killConnections(): Promise<void> {
  await database.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`);
}

/** Whether an operation failed because PgBouncer or the server was away. */
function isOutage(error: unknown): boolean {
  if (error instanceof TaskError) return error.reason === 'internal';
  return error instanceof PostgresError;
}

const MOST_ATTEMPTS = 1_000;

/** Repeats what fails because PgBouncer or the server is away. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || attempt === MOST_ATTEMPTS) throw error;
      await sleep(20);
    }
  }
}

const SETTINGS = `SELECT pg_backend_pid() AS pid, current_setting('statement_timeout') AS timeout,
    current_setting('enable_seqscan') AS seqscan, current_setting('enable_bitmapscan') AS bitmapscan,
    current_setting('enable_sort') AS sort, current_setting('jit') AS jit,
    current_setting('synchronous_commit') AS commit
  FROM pg_sleep(0.2)`;
const AT_ONCE = Array.from({ length: 5 });
const PLANNED = { timeout: '7777ms', seqscan: 'off', bitmapscan: 'off', sort: 'off', jit: 'off' };

describe.runIf(hasPgBouncer).each(['PgBouncer', 'PostgreSQL'])('the settings through %s', (by) => {
  let url: string;
  beforeEach(async () => {
    url = by === 'PgBouncer' ? (await bounced(SESSION)).url : database.url;
  });

  const options = (): ReturnType<typeof completeOptions> =>
    completeOptions({ connectionString: url, statementTimeoutMs: 7_777 });

  it('hold for every connection of the pool, also for those that replace broken ones', async () => {
    const pool = await openPool(options());
    cleanups.push(() => pool.close());
    for (const _ of AT_ONCE.slice(2)) {
      const all = await Promise.all(AT_ONCE.map(() => pool.query({ text: SETTINGS })));
      expect(new Set(all.map(([row]) => row?.['pid'])).size).toBe(AT_ONCE.length);
      for (const rows of all) expect(rows).toMatchObject([PLANNED]);
      await killConnections();
      // The pool notices a lost connection when it is used at the latest.
      await persistently(() => pool.query({ text: 'SELECT 1' }));
    }
  });

  it('hold for the connection that listens', async () => {
    const listening = await connect(options(), () => undefined);
    cleanups.push(() => listening.close());
    expect(await listening.query({ text: SETTINGS })).toMatchObject([PLANNED]);
  });

  it('hold for the connections of the DBOS executor, but not for its migrations', async () => {
    await loadPackages();
    for (const unhurried of [false, true]) {
      const pool = openDbosPool(dbosOptions({ connectionString: url }), unhurried);
      cleanups.push(() => pool.end());
      const all = await Promise.all(AT_ONCE.map(() => pool.query(SETTINGS)));
      const expected = { timeout: unhurried ? '0' : '10s' };
      for (const { rows } of all) expect(rows).toMatchObject([expected]);
      if (!unhurried) for (const { rows } of all) expect(rows).toMatchObject([{ commit: 'off' }]);
    }
  });

  it('end a statement that takes too long', async () => {
    const pool = await openPool({ ...options(), statementTimeoutMs: 200 });
    cleanups.push(() => pool.close());
    const slow = pool.query({ text: 'SELECT pg_sleep(60)' });
    await expect(slow).rejects.toMatchObject({ code: '57014' });
  });
});

/** A PgBouncer of its own for each check, and a schema in the one database. */
interface Place {
  readonly bouncer: PgBouncer;
  readonly schema: string;
}

const NOTIFY = 'ON FUNCTION pg_notify(text, text)';

const storeBehindPgBouncer: StoreUnderTest<Place> = {
  create: async () => ({ bouncer: await startPgBouncer(database, SESSION), schema: newSchema() }),
  open: ({ bouncer, schema }) =>
    openPostgresStore({ connectionString: bouncer.url, schema, pollMs: 300 }),
  async remove({ bouncer }) {
    await database.sql(`GRANT EXECUTE ${NOTIFY} TO PUBLIC`);
    await bouncer.stop();
  },
  administration: true,
  durable: 'The kit tries the files and processes of PostgreSQL without PgBouncer.',
  shared: {
    async loseNotifications() {
      await database.sql(`REVOKE EXECUTE ${NOTIFY} FROM PUBLIC`);
    },
  },
};

describe.runIf(hasPgBouncer)('PgBouncer that pools sessions', () => {
  describeStore('serves the store', storeBehindPgBouncer);

  it('loses no task of two nodes when it is killed, or loses its connections, while tasks run', async () => {
    const bouncer = await bounced(SESSION);
    const cluster: Cluster = await createCluster(
      { ...database, url: bouncer.url },
      { leaseMs: 3_000, pollMs: 50 },
    );
    cleanups.push(() => cluster.remove());
    await cluster.worker('w1');
    await cluster.worker('w2');
    const acknowledged: Awaited<ReturnType<Cluster['create']>>[] = [];
    let creating = true;
    async function createTasks(): Promise<void> {
      while (creating) {
        try {
          acknowledged.push(await cluster.create('quick'));
        } catch (error) {
          // What was not acknowledged may run, and is not asked for.
          if (!isOutage(error)) throw error;
        }
        await sleep(5);
      }
    }
    const creator = createTasks().finally(() => (creating = false));
    const tenMore = async (): Promise<void> => {
      const before = acknowledged.length;
      while (creating && acknowledged.length < before + 10) await sleep(20);
    };
    // The creator ends early only by an error, which fails the test.
    const more = (): Promise<unknown> => Promise.race([creator, tenMore()]);
    for (const harm of ['kill', 'connections', 'kill', 'kill', 'connections']) {
      await more();
      if (harm === 'connections') await killConnections();
      else {
        await bouncer.kill();
        await sleep(300);
        await bouncer.start();
      }
    }
    await more();
    creating = false;
    await creator;
    for (const task of acknowledged) {
      expect(await persistently(() => cluster.completedOn(task))).toMatch(/^w[12]$/);
    }
  });

  it('that has too few connections is named when the store is opened', async () => {
    const { url } = await bounced({ ...SESSION, default_pool_size: '1' });
    const opening = openPostgresStore({ connectionString: url, connectTimeoutMs: 1_000 });
    await expect(opening).rejects.toThrow(/^Cannot connect to PostgreSQL: .*default_pool_size/);
  });

  it('refuses a startup parameter of the connection string, and the error says where it is', async () => {
    const { url } = await bounced(SESSION);
    const opening = openPostgresStore({ connectionString: `${url}?options=-c%20jit%3Doff` });
    await expect(opening).rejects.toThrow(
      /unsupported startup parameter: options\. PgBouncer refuses it\. Remove it from the connection string/,
    );
  });
});

/** Runs short statements through a pooler until the function is called. */
function busy(url: string, count: number): () => Promise<unknown> {
  let ended = false;
  const clients = Array.from({ length: count }, async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    while (!ended) await client.query('SELECT pg_sleep(0.001)');
    await client.end();
  });
  return () => {
    ended = true;
    return Promise.all(clients);
  };
}

const STARTS: [what: string, start: (options: PostgresStoreOptions) => Promise<unknown>][] = [
  ['openPostgresStore', openPostgresStore],
  ['migratePostgres', migratePostgres],
  ['migrateDbos', ({ connectionString = '' }) => migrateDbos({ connectionString })],
  [
    'the DBOS executor',
    async ({ connectionString = '' }) => {
      const store = createMemoryStore();
      const executor = createDbosExecutor({ connectionString });
      return createTaskEngine({ store, executor, handlers: () => undefined });
    },
  ],
];

describe.runIf(hasPgBouncer).each(['transaction', 'statement'])(
  'PgBouncer that pools by %s',
  (mode) => {
    it.each(STARTS)('is refused in one line by %s, and nothing is changed', async (_, start) => {
      const { url } = await bounced({ pool_mode: mode });
      const schema = newSchema();
      const error: unknown = await start({ connectionString: url, schema }).catch(
        (e: unknown) => e,
      );
      expect(error).toBeInstanceOf(PostgresError);
      const { message } = error as PostgresError;
      expect(message).toContain(`at 127.0.0.1:${new URL(url).port}: a pooler such as PgBouncer`);
      expect(message).toMatch(/Set pool_mode = session for this database there.*\.$/);
      expect(message).not.toContain('\n');
      const made = 'SELECT 1 FROM pg_namespace WHERE nspname = $1';
      expect(await database.sql(made, [schema])).toEqual([]);
      // Connections of others got no settings.
      const other = new Client({ connectionString: url });
      await other.connect();
      const { rows } = await other.query('SHOW statement_timeout');
      await other.end();
      expect(rows).toEqual([{ statement_timeout: '0' }]);
    });

    it.each([0, 1].flatMap((roundRobin) => [0, 1, 3, 8].map((others) => ({ roundRobin, others }))))(
      'is refused beside $others other clients (server_round_robin = $roundRobin)',
      async ({ roundRobin, others }) => {
        const { url } = await bounced({
          pool_mode: mode,
          server_round_robin: String(roundRobin),
        });
        const stop = busy(url, others);
        const opening = openPostgresStore({ connectionString: url, schema: newSchema() });
        await expect(opening).rejects.toThrow(/pool_mode = session/);
        await stop();
      },
    );
  },
);

it.runIf(hasPgBouncer)(
  'PostgreSQL itself is not taken for a pooler, however busy it is',
  async () => {
    const stop = busy(database.url, 8);
    for (const _ of AT_ONCE) {
      const store = await openPostgresStore({
        connectionString: database.url,
        schema: newSchema(),
      });
      await store.insert(sampleTask(1), NO_CAPS);
      await store.close();
    }
    await stop();
  },
);
