import { timed, type Bench } from '../bench.js';
import { measured, OURS } from '../measured.js';
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
      const [job, peerJob] = [await jobs(ours, JOBS), await jobs(peer, PEER_JOBS)];
      return [
        measured({
          row: `create + complete + result over HTTP, ${IN_FLIGHT} in flight (SDK v2: two plain calls)`,
          unit: 'per second',
          better: 'more',
          bars: { [OURS]: rates.ours, 'SDK v1': rates.peer, 'SDK v2': rates.sdk },
          times: { 'SDK v1': 1.5 },
          note: `SQLite, ${fsyncTime()}`,
        }),
        measured({
          row: 'completion → blocked tasks/result answered over HTTP, p99',
          unit: 'ms',
          better: 'less',
          shown: 'p99',
          bars: { [OURS]: job.known, 'SDK v1': peerJob.known },
          most: 5,
        }),
        measured({
          row: 'a 50 ms job over HTTP, seen by the caller, p50',
          unit: 'ms',
          better: 'less',
          bars: { [OURS]: job.whole, 'SDK v1': peerJob.whole },
          most: 60,
        }),
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
