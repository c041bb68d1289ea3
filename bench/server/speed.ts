import { ms, percentile, timed, type Bench } from '../bench.js';
import { fsyncTime } from '../tasks/sqlite-engine.js';
import { doneAt, type Session, withServers } from './client.js';
import { now } from './work.js';

const IN_FLIGHT = 32;
const LIFECYCLES = 1_000;
const ROUNDS = 5;
const JOBS = 100;
/** Few, because the peer polls once a second. */
const PEER_JOBS = 6;

/** Create, run, complete and fetch over HTTP, and the delay until a waiter gets the result. */
export const speed: Bench = {
  name: 'server/speed',
  run: () =>
    withServers(['ours', 'peer', 'sdk'], async (ourServer, peerServer, sdkServer) => {
      if (!ourServer || !peerServer || !sdkServer) return [];
      const [ours, peer] = [await ourServer.session(), await peerServer.session()];
      const sdk = await sdkServer.session();
      const rates = { ours: [] as number[], peer: [] as number[], sdk: [] as number[] };
      await lifecycles(ours);
      await lifecycles(peer);
      await pairs(sdk);
      for (let round = 0; round < ROUNDS; round += 1) {
        rates.ours.push(await lifecycles(ours));
        rates.peer.push(await lifecycles(peer));
        rates.sdk.push(await pairs(sdk));
      }
      const [rate, peerRate] = [percentile(rates.ours, 0.5), percentile(rates.peer, 0.5)];
      const sdkRate = percentile(rates.sdk, 0.5);
      const [job, peerJob] = [await jobs(ours, JOBS), await jobs(peer, PEER_JOBS)];
      return [
        {
          row: `create + complete + result over HTTP, ${IN_FLIGHT} in flight`,
          goal: '≥ 1.5× the peer, durable',
          ours: `${rate.toFixed(0)}/s = ${(rate / peerRate).toFixed(2)}× (SQLite, ${fsyncTime()})`,
          peer: `${peerRate.toFixed(0)}/s in memory`,
          met: rate >= 1.5 * peerRate,
        },
        {
          row: 'as many requests to what ours is built on, plain calls without tasks',
          goal: '–',
          ours: '',
          peer: `SDK v2: ${sdkRate.toFixed(0)}/s = ${(sdkRate / peerRate).toFixed(2)}×`,
          met: null,
        },
        {
          row: 'completion → blocked tasks/result answered over HTTP, p99',
          goal: '≤ 5 ms',
          ours: describe(job.known),
          peer: describe(peerJob.known),
          met: percentile(job.known, 0.99) <= 5,
        },
        {
          row: 'a 50 ms job over HTTP, seen by the caller, p50',
          goal: '≤ 60 ms',
          ours: ms(percentile(job.whole, 0.5)),
          peer: ms(percentile(peerJob.whole, 0.5)),
          met: percentile(job.whole, 0.5) <= 60,
        },
      ];
    }),
};

/** Lifecycles a second. */
const lifecycles = (session: Session): Promise<number> =>
  rateOf(async () => {
    doneAt(await session.call('tasks/result', { taskId: await session.start('quick') }));
  });

/** Pairs of plain calls a second, because a lifecycle takes two requests too. */
const pairs = (session: Session): Promise<number> =>
  rateOf(async () => {
    const call = { name: 'plain', arguments: {} };
    await session.call('tools/call', call);
    await session.call('tools/call', call);
  });

async function rateOf(work: () => Promise<void>): Promise<number> {
  let left = LIFECYCLES;
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  const spent = await timed(() => Promise.all(Array.from({ length: IN_FLIGHT }, one)));
  return (LIFECYCLES / spent) * 1_000;
}

async function jobs(
  session: Session,
  count: number,
): Promise<{ known: number[]; whole: number[] }> {
  const known: number[] = [];
  const whole: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const spent = await timed(async () => {
      const answer = await session.call('tasks/result', { taskId: await session.start('job') });
      known.push(now() - doneAt(answer));
    });
    whole.push(spent);
  }
  return { known, whole };
}

function describe(samples: readonly number[]): string {
  return `${ms(percentile(samples, 0.99))} (p50 ${ms(percentile(samples, 0.5))})`;
}
