import { ms, type Bench, type Row } from '../bench.js';
import { sleep } from '../tasks/sqlite-engine.js';
import { type Server, withServers } from './client.js';
import { now } from './work.js';

/** The effect of waiters and cancels on a server. */
export const burden: Bench = {
  name: 'server/burden',
  async run() {
    return [
      await withServers(['ours', 'peer'], async (ours, peer) =>
        ours && peer ? waiters(await waiting(ours), await waiting(peer)) : empty(),
      ),
      await withServers(['ours', 'peer'], async (ours, peer) =>
        ours && peer ? cancels(await cancelling(ours), await cancelling(peer)) : empty(),
      ),
    ];
  },
};

function empty(): never {
  throw new Error('No servers');
}

const WAITERS = 1_000;
const WATCH_MS = 6_000;

interface Waiting {
  readonly cpuPercent: number;
  readonly bytesEach: number;
  readonly growthEach: number;
}

async function waiting(server: Server): Promise<Waiting> {
  const session = await server.session();
  const ids: string[] = [];
  for (let n = 0; n < WAITERS; n += 1) ids.push(await session.start('endless'));
  const before = await server.usage('collect');
  for (const taskId of ids) session.call('tasks/result', { taskId }).catch(() => undefined);
  await sleep(3_000);
  const begun = await server.usage('collect');
  await sleep(WATCH_MS);
  const { cpu } = await server.usage();
  const after = await server.usage('collect');
  return {
    cpuPercent: (cpu - begun.cpu) / 10 / WATCH_MS,
    bytesEach: (begun.heap - before.heap) / WAITERS,
    growthEach: (after.heap - begun.heap) / WAITERS,
  };
}

function waiters(ours: Waiting, peer: Waiting): Row {
  const kilobytes = (bytes: number): string => `${(bytes / 1_024).toFixed(1)} KB`;
  const describe = (each: Waiting): string =>
    `${each.cpuPercent.toFixed(2)} % CPU, ${kilobytes(each.bytesEach)} each with its connection, ${kilobytes(each.growthEach)} grown`;
  return {
    row: `${WAITERS.toLocaleString('en')} blocked tasks/result over HTTP`,
    goal: '≤ 0.5 % CPU, no growth',
    ours: describe(ours),
    peer: describe(peer),
    met: ours.cpuPercent <= 0.5 && ours.growthEach <= 64,
  };
}

const CANCELS = 200;

/** Milliseconds from sending `tasks/cancel` to the abort of each handler that was reached. */
async function cancelling(server: Server): Promise<number[]> {
  const session = await server.session();
  const sent: number[] = [];
  for (let n = 0; n < CANCELS; n += 1) {
    const taskId = await session.start('endless');
    await sleep(2);
    sent.push(now());
    await session.call('tasks/cancel', { taskId });
  }
  await sleep(100);
  const { aborts } = await server.usage();
  return aborts.map((at, index) => at - (sent[index] ?? NaN));
}

function cancels(ours: readonly number[], peer: readonly number[]): Row {
  const slowest = Math.max(...ours);
  return {
    row: "tasks/cancel over HTTP reaches the handler's signal",
    goal: '100 %, ≤ 10 ms',
    ours: `${ours.length} of ${CANCELS}, slowest ${ms(slowest)}`,
    peer: `${peer.length} of ${CANCELS}`,
    met: ours.length === CANCELS && slowest <= 10,
  };
}
