import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { inspect } from 'node:util';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import {
  createDbosExecutor,
  migrateDbos,
  type DbosOptions,
} from '../../runtime/executors/dbos/index.js';
import { openPool } from '../../runtime/executors/dbos/database.js';
import { Dispatch } from '../../runtime/executors/dbos/dispatch.js';
import type { WorkflowQueue } from '../../runtime/executors/dbos/queue.js';
import { loadPackages } from '../../runtime/executors/dbos/packages.js';
import { completeOptions } from '../../runtime/executors/dbos/options.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import type { ExecutorHost, TaskHandler, TaskRecord } from '../../runtime/tasks/index.js';
import { sampleTask } from '../../runtime/testing/testkit/index.js';
import { startPostgres, type PostgresDatabase, type PostgresServer } from '../support/postgres.js';
import { heldTool, manualClock, rig } from '../tasks/support.js';
import { ANN, BEN, createCluster, eventually, kill, type Cluster } from './cluster.js';
import { describeExecutor, LEASE_MS } from './contract.js';
import { MinimalExecutor } from './minimal.js';

let server: PostgresServer;
let database: PostgresDatabase;
beforeAll(async () => {
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

async function cluster(options?: DbosOptions, where = database): Promise<Cluster> {
  const made = await createCluster(where, options);
  cleanups.push(() => made.remove());
  return made;
}

async function newDatabase(): Promise<PostgresDatabase> {
  const database = await server.newDatabase();
  cleanups.push(() => database.remove());
  return database;
}

async function statusOf(id: string): Promise<unknown> {
  const text = 'SELECT status FROM dbos.workflow_status WHERE workflow_uuid = $1';
  const [row] = await database.sql(text, [id]);
  return row?.['status'];
}

/** Longer than any test: what happens without a lease that ends. */
const NEVER_MS = 600_000;

describeExecutor('DBOS', () =>
  createDbosExecutor({ connectionString: database.url, leaseMs: LEASE_MS, pollMs: 50 }),
);

describe('workers of a cluster', () => {
  it('know who called a task, also that of a killed node', async () => {
    const made = await cluster({ leaseMs: LEASE_MS, pollMs: 50 });
    const user = {
      issuer: 'https://issuer.example',
      subject: 'ann',
      client: 'app',
      scopes: ['mcp'],
    };
    const request = { method: 'tools/call', tool: 'held', args: {}, ttl: 600_000, caller: user };
    const first = await made.worker('w1');
    const task = await made.engine.create(ANN, request);
    await eventually(() => made.lines('caller', task.id).length > 0);
    await kill(first);
    await made.worker('w2');
    made.open('held');
    expect(await made.completedOn(task)).toBe('w2');
    const told = JSON.stringify(user);
    expect(made.lines('caller', task.id)).toEqual([
      ['caller', task.id, 'w1', told],
      ['caller', task.id, 'w2', told],
    ]);
  });

  it('that start at the same time on an empty database make its tables once', async () => {
    const { worker, create, completedOn } = await cluster({}, await newDatabase());
    await Promise.all(['w1', 'w2', 'w3'].map((node) => worker(node)));
    expect(await completedOn(await create('quick'))).toMatch(/^w/);
  });

  it('run what was created while there was none, each task once, and listen on no port', async () => {
    const { create, worker, completedOn, lines } = await cluster();
    const tasks = await Promise.all(Array.from({ length: 20 }, () => create('quick')));
    await worker('w1');
    for (const task of tasks) expect(await completedOn(task)).toBe('w1');
    expect(lines('start')).toHaveLength(20);
    // Otherwise the server that listens on it would follow.
    expect(lines('ready', 'w1')).toEqual([['ready', 'w1']]);
    expect(lines('fault')).toEqual([]);
  });

  it('go on after a kill -9 where the task was: a finished step runs once, and DBOS shows it', async () => {
    const { create, worker, completedOn, lines, open } = await cluster({
      leaseMs: 3_000,
    });
    const first = await worker('w1');
    const task = await create('steps');
    await eventually(() => lines('step', task.id, 'three').length === 1);
    await worker('w2');
    await kill(first);
    open('three');
    expect(await completedOn(task)).toBe('w2');
    const steps = lines('step', task.id).map(([, , name, node]) => `${name} on ${node}`);
    expect(steps).toEqual(['one on w1', 'two on w1', 'three on w1', 'three on w2']);
    const shown = await database.sql(
      'SELECT function_name FROM dbos.operation_outputs WHERE workflow_uuid = $1 ORDER BY function_id',
      [task.id],
    );
    expect(shown.map((row) => row['function_name'])).toEqual([
      'one',
      'two',
      expect.stringMatching(/^three \(fence \d+\)$/),
    ]);
    await eventually(async () => (await statusOf(task.id)) === 'SUCCESS');
  });

  it('start a tool of steps again that was lost before its first step', async () => {
    const { create, worker, completedOn, lines, open } = await cluster({ leaseMs: 3_000 });
    const first = await worker('w1');
    const task = await create('stepped');
    await eventually(() => lines('start', task.id).length === 1);
    await worker('w2');
    await kill(first);
    open('stepped');
    expect(await completedOn(task)).toBe('w2');
    expect(lines('start', task.id)).toHaveLength(2);
  });

  it('hand their tasks over at once when they close, and then end by themselves', async () => {
    const { create, worker, completedOn, lines, open } = await cluster({ leaseMs: NEVER_MS });
    const first = await worker('w1');
    const task = await create('held');
    await eventually(() => lines('start', task.id).length === 1);
    await worker('w2');
    const exited = once(first, 'exit');
    first.kill('SIGTERM');
    await eventually(() => lines('start', task.id).length === 2);
    open('held');
    expect(await completedOn(task)).toBe('w2');
    expect(await exited).toEqual([0, null]);
    expect(lines('fault')).toEqual([]);
  });

  it('abort a handler whose task is cancelled on another node', async () => {
    const { create, worker, engine, lines } = await cluster();
    await worker('w1');
    const task = await create('held');
    await eventually(() => lines('start', task.id).length === 1);
    await engine.cancel(ANN, task.id);
    await eventually(() => lines('abort', task.id).length === 1);
    await eventually(async () => (await statusOf(task.id)) === 'SUCCESS');
  });
});

describe('a rolling deployment', () => {
  it('leaves tasks of a new tool to the new nodes, and runs those of old nodes on both', async () => {
    const { create, worker, completedOn, lines } = await cluster();
    const old = await worker('old');
    const early = [await create('brand-new'), await create('quick')];
    const [fresh, plain] = early as [(typeof early)[0], (typeof early)[0]];
    expect(await completedOn(plain)).toBe('old');
    // The old node has met the new tool's task, or will.
    await worker('new', { newTools: ['brand-new'] });
    expect(await completedOn(fresh)).toBe('new');
    const tasks = await Promise.all(Array.from({ length: 8 }, () => create('brand-new')));
    for (const task of tasks) expect(await completedOn(task)).toBe('new');
    await kill(old);
    expect(await completedOn(await create('quick'))).toBe('new');
    expect(lines('fault')).toEqual([]);
  });

  it('leaves tasks whose stored arguments new nodes refuse to the old nodes', async () => {
    const { create, worker, completedOn, lines } = await cluster();
    await worker('new', { refusing: ['quick'] });
    const tasks = await Promise.all(Array.from({ length: 8 }, () => create('quick')));
    await eventually(() => lines('left').length > 0);
    await worker('old');
    for (const task of tasks) expect(await completedOn(task)).toBe('old');
    expect(lines('left')[0]?.join(' ')).toContain('A task of quick is left to other servers');
    expect(lines('fault')).toEqual([]);
  });
});

describe('concurrency', () => {
  it('of one user leaves room for another, by way of however many clients', async () => {
    const { create, worker, completedOn, lines, open } = await cluster({
      concurrency: 4,
      concurrencyPerSubject: 2,
    });
    await worker('w1');
    const many = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        create('held', { owner: `ann ${n}`, subjectKey: 'ann', dialect: 'core' }),
      ),
    );
    await eventually(() => lines('start').length === 2);
    expect(await completedOn(await create('quick', BEN))).toBe('w1');
    expect(lines('start').filter(([, , tool]) => tool === 'held')).toHaveLength(2);
    open('held');
    for (const task of many) expect(await completedOn(task)).toBe('w1');
  });

  it('of one tool holds for all nodes together', async () => {
    const { create, worker, completedOn, lines, open } = await cluster({
      concurrencyPerTool: { held: 1 },
    });
    await Promise.all([worker('w1'), worker('w2')]);
    const tasks = [await create('held'), await create('held', BEN), await create('held')];
    await eventually(() => lines('start').length === 1);
    expect(await completedOn(await create('quick'))).toMatch(/^w[12]$/);
    expect(lines('start').filter(([, , tool]) => tool === 'held')).toHaveLength(1);
    open('held');
    for (const task of tasks) expect(await completedOn(task)).toMatch(/^w[12]$/);
  });

  it('does not count handlers that wait for input', async () => {
    const { create, worker, completedOn, engine } = await cluster({
      concurrency: 1,
      concurrencyPerSubject: 1,
    });
    await worker('w1');
    const asking = await create('ask');
    const status = async () => (await engine.get(ANN, asking.id)).status;
    await eventually(async () => (await status()) === 'input_required');
    expect(await completedOn(await create('quick'))).toBe('w1');
    const result = { action: 'accept', content: { name: 'blue' } };
    await engine.answer(ANN, asking.id, { 'input-1': { result } });
    expect(await completedOn(asking)).toBe('w1');
  });

  it('starts an owner’s tasks by priority', async () => {
    const { create, worker, completedOn, lines } = await cluster({
      concurrency: 1,
      concurrencyPerSubject: 1,
      priorityPerTool: { quick: 5 },
    });
    const tasks = [await create('steps2'), await create('steps2'), await create('quick')];
    await worker('w1', { newTools: ['steps2'] });
    for (const task of tasks) await completedOn(task);
    expect(lines('start').map(([, , tool]) => tool)).toEqual(['quick', 'steps2', 'steps2']);
  });
});

describe('the node that answers for a task', () => {
  const LEASE = { leaseMs: 1_000 };

  const HARMS = {
    'is missing': 'DELETE FROM dbos.workflow_status',
    'was claimed by a worker that is gone': `UPDATE dbos.workflow_status
      SET status = 'PENDING', executor_id = 'gone', owner_xid = 'gone'`,
    'ended without a run': `UPDATE dbos.workflow_status SET status = 'SUCCESS'`,
    'was cancelled with the tools of DBOS': `UPDATE dbos.workflow_status
      SET status = 'CANCELLED', queue_name = NULL`,
  };

  it(`puts a workflow back that ${Object.keys(HARMS).join(', ')}`, async () => {
    const { create, worker, completedOn, lines } = await cluster(LEASE);
    const harmed = await Promise.all(
      Object.values(HARMS).map(async (harm) => {
        const task = await create('quick');
        await eventually(async () => (await statusOf(task.id)) === 'ENQUEUED');
        await database.sql(`${harm} WHERE workflow_uuid = $1`, [task.id]);
        return task;
      }),
    );
    await worker('w1');
    for (const task of harmed) expect(await completedOn(task)).toBe('w1');
    expect(lines('start')).toHaveLength(harmed.length);
  });

  it('is another one when its own lease has ended', async () => {
    const { name, create, worker, engine } = await cluster(LEASE);
    const task = await create('quick');
    await eventually(async () => (await statusOf(task.id)) === 'ENQUEUED');
    const other = await cluster({ ...LEASE, name });
    await engine.close(0);
    await database.sql('DELETE FROM dbos.workflow_status WHERE workflow_uuid = $1', [task.id]);
    await worker('w2');
    expect(await other.completedOn(task)).toBe('w2');
  });
});

describe('a node that gets a task again while it looks after it', () => {
  it('answers for the later attempt', async () => {
    const task: TaskRecord = { ...sampleTask(1), fence: 2 };
    const later: TaskRecord = { ...task, fence: 4, version: task.version + 2 };
    let read = (): void => undefined;
    const reading = new Promise<void>((resolve) => (read = resolve));
    const get = vi.fn(() => reading.then(() => later));
    const host = {
      clock: { monotonic: () => 0, soon: (callback: () => void) => void setImmediate(callback) },
      timers: { after: () => () => undefined },
      store: { get },
      report: () => undefined,
    } as unknown as ExecutorHost;
    const states = () => Promise.resolve(new Map([[task.id, 'missing']]));
    const queue = { states, enqueue: () => Promise.resolve() } as unknown as WorkflowQueue;
    const dispatch = new Dispatch({ host, queue, leaseMs: LEASE_MS });
    dispatch.submit(task);
    await eventually(() => get.mock.calls.length === 1);
    dispatch.submit(later);
    read();
    await dispatch.stop();
    expect(dispatch.holds(later)).toBe(true);
  });
});

describe('a DBOS executor', () => {
  it('runs once in a process, and says so', async () => {
    const { url } = await newDatabase();
    const start = (role: 'all' | 'web') =>
      rig({}, { executor: createDbosExecutor({ role, connectionString: url }) });
    const first = await start('all');
    await expect(start('all')).rejects.toThrow(/DBOS runs in this process already/);
    await start('web');
    await first.engine.close(0);
    await start('all');
  });

  it.each(['all', 'worker'] as const)(
    'that cannot reach PostgreSQL as %s says what to check, without the password',
    async (role) => {
      const connectionString = 'postgres://someone:very-secret@127.0.0.1:1/somewhere';
      const executor = createDbosExecutor({ role, connectionString });
      const error = await rig({}, { executor }).catch((reason: unknown) => reason);
      expect(String(error)).toMatch(
        /^PostgresError: Cannot start the DBOS executor: .*ECONNREFUSED.*Check host and port/,
      );
      expect(inspect(error)).not.toContain('very-secret');
    },
  );

  it('shows steps, and leaves their results, errors and contexts as they are', async () => {
    const context = new AsyncLocalStorage<string>();
    const executor = createDbosExecutor({ connectionString: database.url });
    let failures = 0;
    const run: TaskHandler['run'] = ({ task }) =>
      context.run('of the handler', async () => {
        const inStep = await task.step('context \0\ud800', () => context.getStore());
        const both = await Promise.all([task.step('a', () => 1), task.step('b', () => undefined)]);
        const flaky = (): Promise<number> =>
          task.step('flaky', () => {
            if ((failures += 1) === 1) throw new TypeError('once');
            return failures;
          });
        const first = await flaky().catch((error: unknown) => error);
        return {
          content: [],
          inStep,
          both,
          isOwn: first instanceof TypeError,
          second: await flaky(),
        };
      });
    const { engine, start } = await rig({ run }, { executor });
    const { id } = await start('run');
    const { outcome } = await engine.wait(ANN, id);
    expect(JSON.parse(outcome ?? '')).toEqual({
      result: { content: [], inStep: 'of the handler', both: [1, null], isOwn: true, second: 2 },
    });
    const shown = await database.sql(
      `SELECT function_name AS name, error IS NOT NULL AS failed FROM dbos.operation_outputs
        WHERE workflow_uuid = $1 ORDER BY function_id`,
      [id],
    );
    expect(shown).toEqual([
      { name: 'context \ufffd\ufffd', failed: false },
      { name: 'a', failed: false },
      { name: 'b', failed: false },
      { name: 'flaky', failed: true },
      { name: 'flaky', failed: false },
    ]);
  });

  it('waits before it runs a task that was lost a second time', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const lost = new MinimalExecutor(LEASE_MS);
    const stalled = { ...clock, wake: () => () => undefined };
    const held = heldTool();
    const tools = { run: { run: held.run, retryable: true } };
    const before = await rig(tools, { store, clock: stalled, executor: lost });
    const task = await before.start('run');
    await eventually(() => held.contexts.length === 1);
    await store.update({ ...task, attempt: 2, version: task.version + 1 });
    const executor = createDbosExecutor({ connectionString: database.url, leaseMs: LEASE_MS });
    const { engine } = await rig(tools, { store, clock, executor });
    const attempt = async () => (await engine.get(ANN, task.id)).attempt;
    while ((await attempt()) !== 3) await clock.advance(500);
    expect(await statusOf(task.id)).toBeUndefined();
    await clock.advance(1_000);
    await eventually(() => held.contexts.length === 2);
    held.release();
    expect((await engine.wait(ANN, task.id)).status).toBe('completed');
  });

  it('deletes what ended long ago, and ends what a lost worker did not', async () => {
    const clock = manualClock(Date.now() + 2 * 86_400_000);
    const executor = createDbosExecutor({ connectionString: database.url });
    const { engine, start } = await rig({ run: () => ({ content: [] }) }, { executor, clock });
    const [old, open] = [await start('run'), await start('run')];
    for (const { id } of [old, open]) {
      await engine.wait(ANN, id);
      await eventually(async () => (await statusOf(id)) === 'SUCCESS');
    }
    await database.sql(
      `UPDATE dbos.workflow_status SET status = 'PENDING', executor_id = 'gone', completed_at = NULL
        WHERE workflow_uuid = $1`,
      [open.id],
    );
    await clock.advance(60_000);
    await eventually(async () => (await statusOf(old.id)) === undefined);
    await eventually(async () => (await statusOf(open.id)) === 'SUCCESS');
  });

  it('closes while the database is away', async () => {
    const own = await newDatabase();
    const executor = createDbosExecutor({ connectionString: own.url });
    const { engine, start } = await rig({ run: () => ({ content: [] }) }, { executor });
    const name = new URL(own.url).pathname.slice(1);
    await database.sql(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    cleanups.push(() => database.sql(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`));
    await database.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    await start('run');
    await engine.close(0);
  });

  it('goes on when a connection is ended between two queries that DBOS makes on it', async () => {
    await loadPackages();
    const pool = openPool(completeOptions({ connectionString: database.url }));
    cleanups.push(() => pool.end());
    const taken = await pool.connect();
    const { rows } = await taken.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise((resolve) => taken.once('end', resolve));
    await database.sql('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    // An error that nothing listens to would end the process before.
    await ended;
    taken.release(true);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('works for a role that may not create tables', async () => {
    const own = await newDatabase();
    const { url } = own;
    await own.sql("CREATE ROLE few LOGIN PASSWORD 'few'");
    cleanups.push(async () => {
      await own.sql('DROP OWNED BY few');
      await own.sql('DROP ROLE few');
    });
    await migrateDbos({ connectionString: url, role: 'few' });
    const few = new URL(url);
    [few.username, few.password] = ['few', 'few'];
    const executor = createDbosExecutor({ connectionString: few.href, migrate: false });
    const { engine, start } = await rig({ run: () => ({ content: [] }) }, { executor });
    const task = await start('run');
    expect((await engine.wait(task, task.id)).status).toBe('completed');
    await engine.close(0);
  });

  it('says what is missing when the tables were not made, and leaves no timer', async () => {
    const { url } = await newDatabase();
    const executor = createDbosExecutor({ connectionString: url, migrate: false });
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const before = timers();
    await expect(rig({}, { executor })).rejects.toThrow(
      /tables are of version 0, .* Call migrateDbos/,
    );
    expect(timers()).toBe(before);
  });

  it('leaves no DBOS behind that runs when its queues cannot be defined', async () => {
    const own = await newDatabase();
    await own.sql("CREATE ROLE reader LOGIN PASSWORD 'reader'");
    cleanups.push(async () => {
      await own.sql('DROP OWNED BY reader');
      await own.sql('DROP ROLE reader');
    });
    await migrateDbos({ connectionString: own.url, role: 'reader' });
    await own.sql('REVOKE INSERT, UPDATE ON dbos.queues FROM reader');
    const reader = new URL(own.url);
    [reader.username, reader.password] = ['reader', 'reader'];
    const executor = createDbosExecutor({ connectionString: reader.href, migrate: false });
    await expect(rig({}, { executor })).rejects.toThrow(/permission denied/);
    const next = createDbosExecutor({ connectionString: own.url });
    const { engine } = await rig({}, { executor: next });
    await engine.close(0);
  });

  it('is not ended by a migration in its process, which rejects', async () => {
    const { url } = await newDatabase();
    const executor = createDbosExecutor({ connectionString: url });
    const { engine, start } = await rig({ run: () => ({ content: [] }) }, { executor });
    const migration = migrateDbos({ connectionString: url });
    await expect(migration).rejects.toThrow(/in this process already.* migrateDbos/);
    const task = await start('run');
    expect((await engine.wait(task, task.id)).status).toBe('completed');
    await engine.close(0);
  });

  it.each([
    [{ role: 'boss' }, 'role must be all, web or worker, not boss'],
    [{ concurrency: 0 }, 'concurrency must be an integer'],
    [{ concurrency: 2, concurrencyPerSubject: 3 }, 'concurrencyPerSubject (3) must not exceed'],
    [{ concurrencyPerTool: { slow: 0.5 } }, 'concurrencyPerTool of slow must be an integer'],
    [{ priorityPerTool: { slow: -1 } }, 'priorityPerTool of slow must be an integer'],
    [{ schema: 'a"b' }, 'schema must have'],
    [{ name: '' }, 'name must have'],
  ])('refuses %j', (options, message) => {
    expect(() => createDbosExecutor(options as DbosOptions)).toThrow(message);
  });
});
