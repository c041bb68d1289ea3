import { Client, Pool } from 'pg';

import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { openPostgresStore } from '../../runtime/stores/postgres/index.js';
import { sampleTask, NO_CAPS } from '../../runtime/testing/testkit/index.js';
import { createTaskEngine, type TaskRecord, type TaskStore } from '../../runtime/tasks/index.js';
import { startPostgres, type PostgresDatabase } from '../../test/support/postgres.js';
import { ms, percentile, timed, type Bench, type Row } from '../bench.js';
import { ANN, NO_LIMITS, start } from './sqlite-engine.js';

const LIFECYCLES = 3_000;
const IN_FLIGHT = 64;
const WAKES = 300;
const BURSTS = 30;

/** The PostgreSQL store on a server that flushes to disk, with the client on the same machine. */
export const postgres: Bench = {
  name: 'tasks/postgres',
  async run() {
    const server = await startPostgres({ durable: true });
    const database = await server.newDatabase();
    try {
      const connectionString = database.url;
      const [one, other] = [
        await openPostgresStore({ connectionString }),
        await openPostgresStore({ connectionString }),
      ];
      const rows = [
        await lifecycles(one),
        await wake(one, other),
        await bursts(one, other, database),
      ];
      await Promise.all([one.close(), other.close()]);
      return rows;
    } finally {
      await server.stop();
    }
  },
};

async function lifecycles(store: TaskStore): Promise<Row> {
  const engine = await createTaskEngine({
    store,
    executor: createInProcessExecutor(),
    handlers: () => ({ run: () => ({ content: [] }) }),
    limits: NO_LIMITS,
  });
  const rate = async (count: number, lanes: number): Promise<number> => {
    let left = count;
    const lane = async (): Promise<void> => {
      while ((left -= 1) >= 0) await engine.wait(ANN, (await start(engine)).id);
    };
    const took = await timed(() => Promise.all(Array.from({ length: lanes }, lane)));
    return (count * 1_000) / took;
  };
  await rate(500, IN_FLIGHT);
  const [many, single] = [await rate(LIFECYCLES, IN_FLIGHT), await rate(200, 1)];
  await engine.close(0);
  return {
    row: `PostgreSQL: durable lifecycles of one owner, ${IN_FLIGHT} in flight`,
    goal: 'informs',
    ours: `${Math.round(many)}/s; ${Math.round(single)}/s one at a time`,
    peer: 'keeps nothing: its store is a Map',
    met: null,
  };
}

/** Changes on one store, until `other` reports each. */
function reports(other: TaskStore): {
  seen(id: string): Promise<number>;
  readonly end: () => void;
} {
  const waiting = new Map<string, (at: number) => void>();
  const end = other.watch?.(({ key }) => {
    waiting.get(key.id)?.(performance.now());
    waiting.delete(key.id);
  });
  return {
    seen: (id) => new Promise((resolve) => waiting.set(id, resolve)),
    end: () => end?.(),
  };
}

const next = (task: TaskRecord): TaskRecord => ({ ...task, version: task.version + 1 });

async function wake(one: TaskStore, other: TaskStore): Promise<Row> {
  const watched = reports(other);
  const delays: number[] = [];
  const cost: number[] = [];
  for (let n = 0; n < WAKES; n += 1) {
    const task = sampleTask(n, { owner: 'wake' });
    await one.insert(task, NO_CAPS);
    const seen = watched.seen(task.id);
    cost.push(await timed(() => one.update(next(task))));
    const acknowledged = performance.now();
    delays.push((await seen) - acknowledged);
  }
  watched.end();
  const late = delays.slice(10);
  return {
    row: 'PostgreSQL: a change acknowledged on one node → reported on another',
    goal: 'at once',
    ours: `p50 ${ms(percentile(late, 0.5))}, p99 ${ms(percentile(late, 0.99))}; the update itself ${ms(percentile(cost, 0.5))}`,
    peer: 'one process',
    met: null,
  };
}

/** The same updates from two nodes at once: NOTIFY once a turn, or in the transaction of each change. */
async function bursts(one: TaskStore, other: TaskStore, database: PostgresDatabase): Promise<Row> {
  const coalesced = await burstTimes(one, async (tasks) => {
    const watched = reports(other);
    const seen = tasks.map(({ id }) => watched.seen(id));
    await Promise.all(tasks.map((task, n) => (n % 2 ? one : other).update(next(task))));
    await Promise.all(seen);
    watched.end();
  });
  const pool = new Pool({ connectionString: database.url, max: 20 });
  const listener = new Client({ connectionString: database.url });
  await listener.connect();
  await listener.query('LISTEN bench');
  const update = `WITH changed AS (UPDATE mcp_tasks.tasks SET version = version + 1,
      changed = pg_current_xact_id() WHERE owner = $1 AND dialect = 'core' AND id = $2 RETURNING id)
    SELECT pg_notify('bench', encode(id, 'hex')) FROM changed`;
  const single = await burstTimes(one, async (tasks) => {
    let left = tasks.length;
    const all = new Promise<void>((resolve) =>
      listener.on('notification', () => (left -= 1) === 0 && resolve()),
    );
    await Promise.all(
      tasks.map(({ owner, id }) => pool.query(update, [Buffer.from(owner), Buffer.from(id)])),
    );
    await all;
    listener.removeAllListeners('notification');
  });
  await Promise.all([pool.end(), listener.end()]);
  return {
    row: `PostgreSQL: ${IN_FLIGHT} changes at once on two nodes, until all are told`,
    goal: 'NOTIFY once a turn',
    ours: `p50 ${ms(percentile(coalesced, 0.5))}, p99 ${ms(percentile(coalesced, 0.99))}`,
    peer: `a NOTIFY in each transaction: p50 ${ms(percentile(single, 0.5))}, p99 ${ms(percentile(single, 0.99))}`,
    met: percentile(coalesced, 0.5) < percentile(single, 0.5),
  };
}

let made = 0;
async function burstTimes(
  store: TaskStore,
  work: (tasks: readonly TaskRecord[]) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  for (let burst = 0; burst < BURSTS; burst += 1) {
    const tasks = Array.from({ length: IN_FLIGHT }, () =>
      sampleTask((made += 1), { owner: 'burst' }),
    );
    await Promise.all(tasks.map((task) => store.insert(task, NO_CAPS)));
    times.push(await timed(() => work(tasks)));
  }
  return times.slice(3);
}
