import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { openPostgresStore } from '../../runtime/stores/postgres/index.js';
import { createTaskEngine, outcomeOf, type TaskEngine } from '../../runtime/tasks/index.js';
import { startPostgres, type PostgresDatabase } from '../../test/support/postgres.js';
import { ms, percentile, type Bench, type Row } from '../bench.js';
import { serverCpu } from './server-cpu.js';
import { ANN, fsyncTime, NO_LIMITS, sleep } from './sqlite-engine.js';

/** What the bench tells a node to do, and what the node reports. */
export type NodeOrder =
  | { readonly kind: 'start' }
  | { readonly kind: 'finish'; readonly id: string }
  | ({ readonly kind: 'load' } & Load);

export interface Load {
  readonly tool: 'lifecycles' | 'steps';
  readonly lanes: number;
  readonly ms: number;
}

export type NodeReport =
  | { readonly kind: 'ready' | 'runs' }
  | { readonly kind: 'started'; readonly id: string }
  | { readonly kind: 'aborted'; readonly at: number }
  | { readonly kind: 'done'; readonly done: number; readonly cpuMs: number };

const WAKES = 500;
const CANCELS = 300;
const LANES = 32;
const LOAD_MS = 6_000;
const STEPS = 10;

const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Several processes on one PostgreSQL that flushes to disk, on this machine. */
export const nodes: Bench = {
  name: 'tasks/nodes',
  async run() {
    const server = await startPostgres({ durable: true });
    const database = await server.newDatabase();
    try {
      const rows = await pairRows(database);
      return [...rows, await loadRow(database, 'lifecycles'), await loadRow(database, 'steps')];
    } finally {
      await server.stop();
    }
  },
};

async function pairRows(database: PostgresDatabase): Promise<readonly Row[]> {
  const store = await openPostgresStore({ connectionString: database.url });
  const engine = await createTaskEngine({
    store,
    executor: createInProcessExecutor(),
    handlers: () => undefined,
    limits: NO_LIMITS,
  });
  const other = await startNode(database);
  try {
    return [await wakeRow(engine, other), await cancelRow(engine, other)];
  } finally {
    await other.stop();
    await engine.close(0);
    await store.close();
  }
}

async function wakeRow(engine: TaskEngine, other: Node): Promise<Row> {
  const delays: number[] = [];
  for (let n = 0; n < WAKES; n += 1) {
    const id = await startHeld(other);
    const waiting = engine.wait(ANN, id);
    await sleep(3);
    other.order({ kind: 'finish', id });
    const outcome = outcomeOf(await waiting);
    const at = outcome && 'result' in outcome ? Number(outcome.result['at']) : NaN;
    delays.push(now() - at);
  }
  const late = delays.slice(20);
  const [p50, p99] = [percentile(late, 0.5), percentile(late, 0.99)];
  return {
    row: 'PostgreSQL: a handler returns on one node → a waiter on another has the result',
    goal: 'p99 ≤ 10 ms',
    ours: `p50 ${ms(p50)}, p99 ${ms(p99)}, the commit included (${fsyncTime()})`,
    peer: 'one process',
    met: p99 <= 10,
  };
}

async function cancelRow(engine: TaskEngine, other: Node): Promise<Row> {
  const delays: number[] = [];
  for (let n = 0; n < CANCELS; n += 1) {
    const id = await startHeld(other);
    const aborted = other.next('aborted');
    const begin = now();
    await engine.cancel(ANN, id);
    delays.push((await aborted).at - begin);
  }
  const late = delays.slice(20);
  const slowest = Math.max(...late);
  return {
    row: 'PostgreSQL: cancel on one node → the signal of the handler on another',
    goal: '≤ 50 ms',
    ours: `p50 ${ms(percentile(late, 0.5))}, p99 ${ms(percentile(late, 0.99))}, slowest ${ms(slowest)}`,
    peer: 'one process',
    met: slowest <= 50,
  };
}

/** A task that runs on the other node. */
async function startHeld(other: Node): Promise<string> {
  const [started, runs] = [other.next('started'), other.next('runs')];
  other.order({ kind: 'start' });
  const [{ id }] = await Promise.all([started, runs]);
  return id;
}

async function loadRow(database: PostgresDatabase, tool: Load['tool']): Promise<Row> {
  const figures: string[] = [];
  for (const count of [1, 2, 4]) {
    const workers = await Promise.all(Array.from({ length: count }, () => startNode(database)));
    await run(workers, { tool, lanes: LANES, ms: 1_500 });
    const before = await activity(database);
    const { done, cpuMs } = await run(workers, { tool, lanes: LANES, ms: LOAD_MS });
    const after = await activity(database);
    const perSecond = (amount: number): number => Math.round((amount * 1_000) / LOAD_MS);
    const steps = done * (tool === 'steps' ? STEPS : 1);
    figures.push(
      `${count}: ${perSecond(steps).toLocaleString('en')}/s (each ${ms(cpuMs / steps)} CPU of a worker, ` +
        `${ms((after.cpuMs - before.cpuMs) / steps)} of PostgreSQL; ` +
        `${perSecond(after.commits - before.commits).toLocaleString('en')} commits/s, ` +
        `${(perSecond(after.wal - before.wal) / 2 ** 20).toFixed(1)} MiB WAL/s; ` +
        `cores busy ${Math.round(((after.busyMs - before.busyMs) / LOAD_MS / cpus().length) * 100)} %)`,
    );
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  return {
    row: `PostgreSQL: ${tool} with 1, 2 and 4 workers on ${cpus().length} cores, ${LANES} tasks in flight each`,
    goal: 'informs',
    ours: figures.join('; '),
    peer: 'one process',
    met: null,
  };
}

async function run(
  workers: readonly Node[],
  load: Load,
): Promise<{ readonly done: number; readonly cpuMs: number }> {
  const reports = workers.map((worker) => worker.next('done'));
  workers.forEach((worker) => worker.order({ kind: 'load', ...load }));
  const all = await Promise.all(reports);
  const sum = (what: 'done' | 'cpuMs'): number =>
    all.reduce((total, each) => total + each[what], 0);
  return { done: sum('done'), cpuMs: sum('cpuMs') };
}

/** What the server has done since its start, and the cores of this machine since theirs. */
interface Activity {
  readonly commits: number;
  readonly wal: number;
  readonly cpuMs: number;
  readonly busyMs: number;
}

async function activity(database: PostgresDatabase): Promise<Activity> {
  const [row] =
    await database.sql(`SELECT d.xact_commit::float8 AS commits, w.wal_bytes::float8 AS wal
    FROM pg_stat_database d, pg_stat_wal w WHERE d.datname = current_database()`);
  const busyMs = cpus().reduce(
    (sum, { times }) => sum + times.user + times.nice + times.sys + times.irq,
    0,
  );
  const cpuMs = await serverCpu(database);
  return { commits: Number(row?.['commits']), wal: Number(row?.['wal']), cpuMs, busyMs };
}

interface Node {
  order(order: NodeOrder): void;
  /** The next report of this kind. */
  next<K extends NodeReport['kind']>(kind: K): Promise<Extract<NodeReport, { kind: K }>>;
  stop(): Promise<void>;
}

async function startNode(database: PostgresDatabase): Promise<Node> {
  const path = fileURLToPath(new URL('./child-node.ts', import.meta.url));
  const args = ['--import', 'tsx', path, database.url];
  const child: ChildProcess = spawn(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const node: Node = {
    order: (order) => void child.send(order),
    next: (kind) =>
      new Promise((resolve) => {
        child.on('message', function listen(report: NodeReport) {
          if (report.kind !== kind) return;
          child.off('message', listen);
          resolve(report as never);
        });
      }),
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
  await node.next('ready');
  return node;
}
