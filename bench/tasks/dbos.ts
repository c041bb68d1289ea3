import type { TaskRecord } from '../../runtime/tasks/index.js';
import { startPostgres } from '../../test/support/postgres.js';
import { createCluster, eventually, kill, type Cluster } from '../../test/executors/cluster.js';
import { ms, percentile, timed, type Bench, type Row } from '../bench.js';

const STARTS = 100;
const LIFECYCLES = 1_000;
const IN_FLIGHT = 256;
const LEASE_MS = 2_000;

/** The DBOS executor: a web node in this process, workers beside it, and a server that flushes to disk. */
export const dbos: Bench = {
  name: 'tasks/dbos',
  async run() {
    const server = await startPostgres({ durable: true });
    const cluster = await createCluster(await server.newDatabase(), { leaseMs: LEASE_MS });
    try {
      const first = await cluster.worker('w1');
      await rate(cluster, IN_FLIGHT);
      const latency = await starts(cluster);
      const one = await rate(cluster, LIFECYCLES);
      await cluster.worker('w2');
      await rate(cluster, IN_FLIGHT);
      const two = await rate(cluster, LIFECYCLES);
      const throughput: Row = {
        row: `DBOS: durable lifecycles created on a web node, ${IN_FLIGHT} in flight`,
        goal: 'informs',
        ours: `${one}/s on one worker, ${two}/s on two`,
        peer: 'one process',
        met: null,
      };
      return [latency, throughput, await takeOver(cluster, () => kill(first))];
    } finally {
      await cluster.remove();
      await server.stop();
    }
  },
};

async function starts(cluster: Cluster): Promise<Row> {
  const delays: number[] = [];
  for (let n = 0; n < STARTS; n += 1) {
    const submittedAt = Date.now();
    const { startedAt } = await cluster.result(await cluster.create('quick'));
    delays.push(Number(startedAt) - submittedAt);
  }
  return {
    row: 'DBOS: a task submitted on a web node → its handler starts on a worker',
    goal: 'informs',
    ours: `p50 ${ms(percentile(delays, 0.5))}, p99 ${ms(percentile(delays, 0.99))}`,
    peer: 'one process',
    met: null,
  };
}

async function rate(cluster: Cluster, count: number): Promise<number> {
  let left = count;
  const lane = async (): Promise<void> => {
    while ((left -= 1) >= 0) await cluster.result(await cluster.create('quick'));
  };
  const took = await timed(() => Promise.all(Array.from({ length: IN_FLIGHT }, lane)));
  return Math.round((count * 1_000) / took);
}

/** Both workers have tasks; one is killed. */
async function takeOver(cluster: Cluster, killOne: () => Promise<void>): Promise<Row> {
  const { lines, create, open, completedOn } = cluster;
  const tasks: TaskRecord[] = [];
  // One after the other, so that both workers get some.
  for (let n = 0; n < 20; n += 1) {
    tasks.push(await create('held'));
    await eventually(() => lines('start', tasks.at(-1)?.id ?? '').length === 1);
  }
  const startsOn = (node?: string): number =>
    lines('start').filter(([, , tool, on]) => tool === 'held' && (node ?? on) === on).length;
  const lost = startsOn('w1');
  const took = await timed(async () => {
    await killOne();
    await eventually(() => startsOn() >= tasks.length + lost);
  });
  open('held');
  await Promise.all(tasks.map(completedOn));
  return {
    row: `DBOS: kill -9 of a worker with ${lost} tasks → all run on another, lease ${ms(LEASE_MS)}`,
    goal: 'informs',
    ours: ms(took),
    peer: 'loses them',
    met: null,
  };
}
