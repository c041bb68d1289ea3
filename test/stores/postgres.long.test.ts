import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';

import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import {
  migratePostgres,
  openPostgresStore,
  PostgresError,
  type PostgresStoreOptions,
} from '../../runtime/stores/postgres/index.js';
import { NO_CAPS, sampleTask } from '../../runtime/testing/testkit/index.js';
import { IDEMPOTENCY_META_KEY } from '../../runtime/tasks/index.js';
import type { TaskChange, TaskRecord, TaskStore } from '../../runtime/tasks/index.js';
import { SCHEMA_VERSION } from '../../runtime/stores/postgres/schema.js';
import { startPostgres, type PostgresDatabase, type PostgresServer } from '../support/postgres.js';
import { tracked, type StoreKind } from '../support/stores.js';
import { checkRollingDeploy } from '../server/rolling.js';
import { checkFairness } from '../tasks/fairness.js';
import { checkAgainstModel } from '../tasks/model.js';
import { simulate } from '../tasks/simulation.js';
import { ANN, heldTool, refusal, rig } from '../tasks/support.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function newDatabase(): Promise<PostgresDatabase> {
  const database = await server.newDatabase();
  cleanups.push(() => database.remove());
  return database;
}

async function open(
  { url }: Pick<PostgresDatabase, 'url'>,
  options: PostgresStoreOptions = {},
): Promise<TaskStore> {
  const store = await openPostgresStore({ connectionString: url, pollMs: 300, ...options });
  cleanups.push(() => store.close());
  return store;
}

async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Ends connections as an administrator does; returns how many there were. */
async function killConnections(database: PostgresDatabase, which = 'true'): Promise<number> {
  const killed = await database.sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${which}`,
  );
  return killed.length;
}

const LISTENS = "application_name LIKE '%(listener)'";
/** Longer than any test: what is reported was notified. */
const NEVER_MS = 2 ** 31 - 1;

function next(task: TaskRecord): TaskRecord {
  return { ...task, version: task.version + 1 };
}

it('servers of a new version leave tasks of an old one to others', async () => {
  await checkRollingDeploy(await open(await newDatabase()));
});

describe('the contract', () => {
  it('keeps the caps of the model, and leaves every subject its reserve', async () => {
    const store = await open(await newDatabase());
    await checkFairness(() => Promise.resolve(store), 30);
  });

  it('gives back any strings', async () => {
    const store = await open(await newDatabase());
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('\0', '\ud800', '\udfff\ud800', '\\x00', '\u00ff', '\\', '{,"}', 'NULL'),
    );
    let n = 0;
    const strings = fc.record({ owner: text, key: text, worker: text, args: text, more: text });
    await fc.assert(
      fc.asyncProperty(strings, async ({ owner, key, worker, args, more }) => {
        n += 1;
        const task = sampleTask(n, {
          ...{ owner: `${owner}${n}`, worker, args, tool: more, statusMessage: more },
          idempotency: { key, digest: more },
          input: [{ key, method: more, params: more, answer: more }],
          steps: [{ name: key, attempt: 1, result: more }],
          trace: { traceparent: more },
        });
        expect(await store.insert(task, NO_CAPS)).toEqual({ kind: 'inserted' });
        expect(await store.get(task)).toEqual(task);
        const again = sampleTask(n + 1e5, { owner: task.owner, idempotency: { key, digest: '' } });
        expect(await store.insert(again, NO_CAPS)).toEqual({ kind: 'existing', record: task });
        const ended = { ...next(task), status: 'completed', outcome: more } as const;
        expect(await store.update(ended)).toBe(true);
        expect(await store.get(task)).toEqual(ended);
      }),
      { numRuns: 150 },
    );
  });

  it('SEC-1 CORE-LST-2 CORE-LIFE-1 the engine answers random commands as the model does', async () => {
    const databases: PostgresDatabase[] = [];
    const kind: StoreKind = {
      name: 'postgres',
      durable: true,
      place() {
        const database = server.newDatabase();
        return {
          async open() {
            databases.push(await database);
            return tracked(await openPostgresStore({ connectionString: (await database).url }));
          },
          remove: async () => (await database).remove(),
        };
      },
    };
    await checkAgainstModel(kind, 8);
  });
});

describe('the simulation', () => {
  it.each(Array.from({ length: 20 }, (_, n) => n + 1))(
    'of two nodes that crash, stall and come back, seed %d',
    async (seed) => {
      const store = await open(await newDatabase());
      expect((await simulate(seed, { ...store })).events).toBeGreaterThan(0);
    },
  );
});

describe('notifications', () => {
  it('reach other stores without a poll', async () => {
    const database = await newDatabase();
    const one = await open(database, { pollMs: NEVER_MS });
    const other = await open(database, { pollMs: NEVER_MS });
    const changes: TaskChange[] = [];
    other.watch?.((change) => changes.push(change));
    await eventually(async () => (await countOf(database, LISTENS)) === 1);
    const { owner, dialect, id } = sampleTask(1);
    await one.insert(sampleTask(1), NO_CAPS);
    await one.update(next(sampleTask(1)));
    await eventually(() => changes.length > 0);
    // The store reads what changed while it began to listen, which a notification may report as well.
    const change = { kind: 'changed', key: { owner, dialect, id }, version: 2 };
    expect(changes).toEqual(changes.map(() => change));
  });

  it('of all tasks reach those who observe another store, new tasks too', async () => {
    const database = await newDatabase();
    const [one, other] = [await open(database), await open(database)];
    let reports = 0;
    const end = other.administration?.observe(() => (reports += 1));
    // A task that was only created is found by a look at the newest change.
    let n = 0;
    await eventually(async () => {
      if (reports === 0) await one.insert(sampleTask((n += 1)), NO_CAPS);
      return reports > 0;
    });
    end?.();
  });

  it('are caught up with when the connection that listens is back', async () => {
    const database = await newDatabase();
    const faults: Error[] = [];
    const one = await open(database, { pollMs: NEVER_MS });
    const other = await open(database, {
      pollMs: NEVER_MS,
      onFault: (error) => faults.push(error),
    });
    const tasks = Array.from({ length: 50 }, (_, n) => sampleTask(n));
    await Promise.all(tasks.map((task) => one.insert(task, NO_CAPS)));
    const seen = new Set<string>();
    other.watch?.(({ key }) => seen.add(key.id));
    for (const task of tasks) {
      if (Number(task.id.slice(-2)) % 10 === 0) {
        await eventually(async () => (await killConnections(database, LISTENS)) > 0);
      }
      await one.update(next(task));
    }
    await eventually(() => seen.size === tasks.length);
    // One that is killed while it is being opened is another fault.
    expect(faults.map(({ message }) => message).join('\n')).toContain(
      'The connection that listens for changes was lost',
    );
  });

  it('that a node did not send before it ended are made up for by the next poll', async () => {
    const database = await newDatabase();
    const store = await open(database);
    await store.insert(sampleTask(1), NO_CAPS);
    const changes: TaskChange[] = [];
    store.watch?.((change) => changes.push(change));
    // What such a node leaves: a committed change.
    await database.sql('UPDATE mcp_tasks.tasks SET version = 7, changed = pg_current_xact_id()');
    await eventually(() => changes.some((c) => c.kind === 'changed' && c.version === 7));
  });

  it('a poll reports a change that was committed after younger ones', async () => {
    const database = await newDatabase();
    const store = await open(database);
    for (const n of [1, 2]) await store.insert(sampleTask(n), NO_CAPS);
    const versions = new Map<string, number>();
    store.watch?.((change) => {
      if (change.kind === 'changed') versions.set(change.key.id, change.version);
    });
    const update = (n: number): string =>
      `UPDATE mcp_tasks.tasks SET version = 5, changed = pg_current_xact_id()
        WHERE convert_from(id, 'UTF8') = '${sampleTask(n).id}'`;
    const slow = database.sql(`DO $$ BEGIN ${update(1)}; PERFORM pg_sleep(2); END $$`);
    await database.sql(update(2));
    await eventually(() => versions.get(sampleTask(2).id) === 5);
    expect(versions.has(sampleTask(1).id)).toBe(false);
    await slow;
    await eventually(() => versions.get(sampleTask(1).id) === 5);
  });
});

async function countOf(database: PostgresDatabase, which: string): Promise<number> {
  const rows = await database.sql(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND ${which}
      AND pid <> pg_backend_pid()`,
  );
  return rows.length;
}

describe('two engines on one database', () => {
  it('a task is created on one, awaited on the other, and its end reported', async () => {
    const database = await newDatabase();
    const tool = heldTool({ content: [] });
    const here = await rig({ slow: tool.run }, { store: await open(database) });
    const there = await rig({}, { store: await open(database) });
    const { id } = await here.start('slow');
    const waiter = there.engine.wait(ANN, id);
    await eventually(() => tool.contexts.length === 1);
    tool.release();
    expect((await waiter).status).toBe('completed');
  });

  it('a cancel on one stops the handler on the other', async () => {
    const database = await newDatabase();
    const tool = heldTool();
    const here = await rig({ slow: tool.run }, { store: await open(database) });
    const there = await rig({}, { store: await open(database) });
    const { id } = await here.start('slow');
    await eventually(() => tool.contexts.length === 1);
    await there.engine.cancel(ANN, id);
    await eventually(() => tool.contexts[0]?.task.signal.aborted === true);
    tool.release();
  });

  it('a waiter on one is told when the other expires the task', async () => {
    const database = await newDatabase();
    const tool = heldTool();
    const here = await rig({ slow: tool.run }, { store: await open(database) });
    const there = await rig({}, { store: await open(database) });
    const { id } = await here.start('slow', { ttl: 1_000 });
    expect((await refusal(there.engine.wait(ANN, id))).reason).toBe('unknown_task');
    tool.release();
  });

  it('tasks end, and their waiters are told, while connections are killed', async () => {
    const database = await newDatabase();
    const here = await rig(
      { slow: () => new Promise((resolve) => setTimeout(() => resolve({ content: [] }), 300)) },
      { store: await open(database) },
    );
    const there = await rig({}, { store: await open(database) });
    let killed = 0;
    let over = false;
    const killing = (async () => {
      while (!over) {
        killed += await killConnections(database);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })();
    const insisting = async <T>(work: () => Promise<T>): Promise<T> => {
      for (;;) {
        try {
          return await work();
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    };
    const ends = Array.from({ length: 30 }, async (_, n) => {
      const meta = { [IDEMPOTENCY_META_KEY]: `task ${n}` };
      const { id } = await insisting(() => here.start('slow', { meta }));
      const task = await insisting(() => there.engine.wait(ANN, id));
      return task.status;
    });
    const statuses = await Promise.all(ends);
    over = true;
    await killing;
    expect(statuses).toEqual(statuses.map(() => 'completed'));
    expect((await here.engine.list(ANN)).tasks).toHaveLength(30);
    expect(killed).toBeGreaterThan(0);
  });

  it('1,000 retried creations with one idempotency key give one task', async () => {
    const database = await newDatabase();
    const tool = heldTool();
    const one = await rig({ slow: tool.run }, { store: await open(database) });
    const other = await rig({ slow: tool.run }, { store: await open(database) });
    const meta = { [IDEMPOTENCY_META_KEY]: 'key' };
    const created = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => (n % 2 === 0 ? one : other).start('slow', { meta })),
    );
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    expect((await one.engine.list(ANN)).tasks).toHaveLength(1);
    tool.release();
  });
});

describe('faults', () => {
  it('of every connection: operations reject or succeed as they say, and later ones work', async () => {
    const database = await newDatabase();
    const store = await open(database, { poolSize: 4 });
    const acknowledged: TaskRecord[] = [];
    let rejected = 0;
    for (let round = 0; round < 20; round += 1) {
      const work = Array.from({ length: 20 }, async (_, n) => {
        const task = sampleTask(round * 100 + n);
        await store.insert(task, NO_CAPS);
        acknowledged.push(task);
        await store.update(next(task));
        acknowledged.push(next(task));
      });
      const killing = killConnections(database);
      const results = await Promise.allSettled(work);
      await killing;
      for (const result of results) {
        if (result.status === 'fulfilled') continue;
        expect(result.reason).toBeInstanceOf(PostgresError);
        rejected += 1;
      }
    }
    expect(rejected).toBeGreaterThan(0);
    // A connection that was ended last may read so only with its next statement.
    await eventually(() =>
      store.probe().then(
        () => true,
        () => false,
      ),
    );
    for (const task of acknowledged) {
      expect((await store.get(task))?.version).toBeGreaterThanOrEqual(task.version);
    }
  });

  it('a busy pool and a statement that takes too long are errors with a hint', async () => {
    const database = await newDatabase();
    const store = await open(database, {
      ...{ poolSize: 1, connectTimeoutMs: 300, statementTimeoutMs: 1_000 },
    });
    await store.insert(sampleTask(1), NO_CAPS);
    const blocked = database.sql('BEGIN; LOCK TABLE mcp_tasks.tasks; SELECT pg_sleep(3); COMMIT');
    await eventually(async () => (await countOf(database, "query LIKE 'BEGIN; LOCK%'")) === 1);
    const reads = [1, 2].map(() => store.get(sampleTask(1)));
    const messages = (await Promise.allSettled(reads)).map((result) =>
      result.status === 'rejected' ? String(result.reason) : 'found',
    );
    expect(messages.join('\n')).toMatch(/statementTimeoutMs/);
    expect(messages.join('\n')).toMatch(/Raise poolSize/);
    await blocked;
    expect(await store.get(sampleTask(1))).toEqual(sampleTask(1));
  });

  it('the server is restarted: the store works again without being opened again', async (context) => {
    if (server.restart === undefined) return context.skip('not on the server of DATABASE_URL');
    const database = await newDatabase();
    const [one, other] = [await open(database), await open(database)];
    await one.insert(sampleTask(1), NO_CAPS);
    const changes: TaskChange[] = [];
    other.watch?.((change) => changes.push(change));
    await server.restart();
    await eventually(async () => {
      const updated = await one.update(next(sampleTask(1))).catch(() => false);
      return updated || (await one.get(sampleTask(1)))?.version === 2;
    });
    await eventually(() => changes.some((c) => c.kind === 'changed' && c.version === 2));
  });

  it.each([
    ['nothing listens', 'postgres://ann:hunter2@127.0.0.1:1/tasks', /Check host and port/],
    ['an unknown host', 'postgres://ann:hunter2@postgres.invalid/tasks', /Check host and port/],
    ['what is no URL', 'postgres://ann:hunter2@:::/tasks', /percent-encoded/],
  ])('%s: an error that says what to do, without the password', async (_, url, hint) => {
    const error = await openPostgresStore({ connectionString: url, connectTimeoutMs: 2_000 }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(PostgresError);
    expect(String(error)).toMatch(hint);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hunter2');
  });

  it('a wrong password and a database that does not exist are said, without the password', async () => {
    const database = await newDatabase();
    const [wrong, absent] = [new URL(database.url), new URL(database.url)];
    wrong.password = 'hunter2';
    absent.pathname = '/absent';
    for (const [url, hint] of [
      [wrong, 'Check user and password'],
      [absent, 'Create the database'],
    ] as const) {
      const error = await openPostgresStore({ connectionString: url.href }).catch(
        (reason: unknown) => reason,
      );
      expect(String(error)).toContain(hint);
      const inspected = inspect(error, { depth: 9, showHidden: true });
      expect(inspected).not.toContain(url.password);
    }
  });

  it('many large results are written, however many come at once', async () => {
    const store = await open(await newDatabase(), { statementTimeoutMs: 5_000 });
    const tasks = Array.from({ length: 72 }, (_, n) => sampleTask(n));
    await Promise.all(tasks.map((task) => store.insert(task, NO_CAPS)));
    // Together they are longer than a text of JavaScript may be.
    const outcome = JSON.stringify({ result: { text: 'x'.repeat(4_000_000) } });
    const updates = tasks.map((task) => store.update({ ...next(task), outcome }));
    expect(await Promise.all(updates)).toEqual(tasks.map(() => true));
  });

  it('one bad record fails alone in its batch', async () => {
    const store = await open(await newDatabase());
    const bad = sampleTask(2, { version: 2 ** 40 });
    const insertions = await Promise.allSettled(
      [sampleTask(1), bad, sampleTask(3)].map((task) => store.insert(task, NO_CAPS)),
    );
    expect(insertions.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await store.get(sampleTask(3))).toEqual(sampleTask(3));
  });

  it('of a closed store: what was waiting is committed, and nothing is taken any more', async () => {
    const database = await newDatabase();
    const store = await open(database);
    const inserting = store.insert(sampleTask(1), NO_CAPS);
    await store.close();
    expect(await inserting).toEqual({ kind: 'inserted' });
    await expect(store.get(sampleTask(1))).rejects.toThrow('The task store is closed');
    expect(await (await open(database)).get(sampleTask(1))).toEqual(sampleTask(1));
    await eventually(async () => (await countOf(database, LISTENS)) === 0);
  });

  it.each([
    { schema: 'Tasks' },
    { schema: 'a; DROP TABLE x' },
    { poolSize: 0 },
    { statementTimeoutMs: 0.5 },
    { pollMs: Infinity },
  ])('%o is refused', async (options) => {
    await expect(openPostgresStore(options)).rejects.toThrow(RangeError);
  });
});

describe('the schema', () => {
  it('is made once when many nodes start at the same time', async () => {
    const database = await newDatabase();
    const stores = await Promise.all(Array.from({ length: 8 }, () => open(database)));
    const secrets = await Promise.all(stores.map((store) => store.secret()));
    expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1);
    const versions = await database.sql('SELECT version FROM mcp_tasks.migrations');
    expect(versions).toEqual(
      Array.from({ length: SCHEMA_VERSION }, (_, index) => ({ version: index + 1 })),
    );
  });

  it('of a newer version is refused', async () => {
    const database = await newDatabase();
    await open(database);
    await database.sql('INSERT INTO mcp_tasks.migrations VALUES (99)');
    await expect(open(database)).rejects.toThrow(
      `was written by a newer version (99, known: ${SCHEMA_VERSION})`,
    );
  });

  it('is left alone with migrate: false, and refused while it is of an older version', async () => {
    const database = await newDatabase();
    const unmigrated = (): Promise<TaskStore> =>
      openPostgresStore({ connectionString: database.url, migrate: false });
    await expect(unmigrated()).rejects.toThrow(
      `Schema mcp_tasks does not exist, and this server needs version ${SCHEMA_VERSION}. Run migratePostgres first: npm run migrate`,
    );
    expect(await database.sql("SELECT 1 FROM pg_namespace WHERE nspname = 'mcp_tasks'")).toEqual(
      [],
    );
    await migratePostgres({ connectionString: database.url, migrate: false });
    const store = await unmigrated();
    await store.probe();
    await store.close();
  });

  it('is made in a schema that an administrator made, empty', async () => {
    const database = await newDatabase();
    const { adminUrl } = database;
    await database.sql('CREATE SCHEMA mcp_tasks');
    await migratePostgres({ connectionString: adminUrl });
    const store = await open({ url: adminUrl });
    expect(await store.insert(sampleTask(1), NO_CAPS)).toEqual({ kind: 'inserted' });
    expect(await store.get(sampleTask(1))).toEqual(sampleTask(1));
  });

  it('has stores of their own in one database', async () => {
    const database = await newDatabase();
    const one = await open(database, { schema: 'one' });
    const other = await open(database, { schema: 'other' });
    await one.insert(sampleTask(1), NO_CAPS);
    expect(await other.get(sampleTask(1))).toBeUndefined();
    expect(await other.secret()).not.toEqual(await one.secret());
  });

  it('can be used by the role of docs/postgres.md, which cannot change it', async () => {
    const database = await newDatabase();
    await migratePostgres({ connectionString: database.url });
    const role = `app_${new URL(database.url).username}`;
    const page = readFileSync(new URL('../../docs/postgres.md', import.meta.url), 'utf8');
    const [, sql = ''] = /```sql\n([^`]*)```/.exec(page) ?? [];
    await database.sql(sql.replaceAll('tasks_app', role));
    cleanups.push(() => database.sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`));
    const url = new URL(database.url);
    [url.username, url.password] = [role, 'change me'];
    const limited = { url: url.href };
    const [one, other] = [await open(limited), await open(limited)];
    const changes: TaskChange[] = [];
    other.watch?.((change) => changes.push(change));
    await one.probe();
    await one.renew('worker', 1);
    await one.insert(sampleTask(1), NO_CAPS);
    expect(await one.update(next(sampleTask(1)))).toBe(true);
    expect((await other.orphans(2, 9)).length).toBe(1);
    expect((await other.list(ANN, { limit: 9, now: 0 })).length).toBe(1);
    await eventually(() => changes.length > 0);
    expect((await one.expire(2 ** 45, 9)).removed).toHaveLength(1);
    await expect(open(limited, { schema: 'another' })).rejects.toThrow(/permission denied.*Grant/);
  });
});
