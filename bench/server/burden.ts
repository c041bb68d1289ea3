import { ms, percentile, timed, type Bench, type Row } from '../bench.js';
import { sleep } from '../tasks/sqlite-engine.js';
import { type Server, type Session, withServers } from './client.js';
import { now } from './work.js';

/** The effect of waiters, cancels and guessed ids on a server. */
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
      await withServers(['ours-limited', 'peer'], async (ours, peer) =>
        ours && peer ? bogus(await guessing(ours), await guessing(peer)) : empty(),
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

const GUESSES = 10_000;
const GUESSERS = 16;

interface Guessing {
  readonly refused: number;
  readonly perSecond: number;
  /** The 99th percentile of another owner's `tasks/get` in milliseconds, without and with guesses. */
  readonly quiet: number;
  readonly meanwhile: number;
}

async function guessing(server: Server): Promise<Guessing> {
  const [ann, mallory] = [await server.session('ann'), await server.session('mallory')];
  const taskId = await ann.start('endless');
  // The same number of valid requests, to subtract the load itself.
  const quiet = await watched(ann, taskId, () => flood(ann, taskId));
  let refused = 0;
  let spent = 0;
  const meanwhile = await watched(ann, taskId, async () => {
    spent = await timed(async () => {
      refused = await flood(mallory, 'bogus');
    });
  });
  return { refused, perSecond: (GUESSES / spent) * 1_000, quiet, meanwhile };
}

/** Returns the number of refused requests. */
async function flood(session: Session, taskId: string): Promise<number> {
  let left = GUESSES;
  let refused = 0;
  const guesser = async (): Promise<void> => {
    while (left > 0) {
      const id = taskId === 'bogus' ? `bogus${left}` : taskId;
      left -= 1;
      if ('error' in (await session.call('tasks/get', { taskId: id }))) refused += 1;
    }
  };
  await Promise.all(Array.from({ length: GUESSERS }, guesser));
  return refused;
}

async function watched(
  session: Session,
  taskId: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const delays: number[] = [];
  let over = false;
  const working = work().finally(() => (over = true));
  while (!over) {
    delays.push(await timed(() => session.call('tasks/get', { taskId })));
    await sleep(5);
  }
  await working;
  return percentile(delays, 0.99);
}

function bogus(ours: Guessing, peer: Guessing): Row {
  const describe = (each: Guessing): string =>
    `${each.refused.toLocaleString('en')} refused at ${each.perSecond.toFixed(0)}/s; others' p99 ${ms(each.meanwhile)}, under as many good requests ${ms(each.quiet)}`;
  return {
    row: `${GUESSES.toLocaleString('en')} bogus ids over HTTP`,
    goal: "all refused; others' p99 +≤ 20 %",
    ours: describe(ours),
    peer: describe(peer),
    met: ours.refused === GUESSES && ours.meanwhile <= ours.quiet * 1.2,
  };
}
