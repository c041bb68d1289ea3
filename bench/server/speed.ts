import { timed, type Bench } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { doneAt, type Session, withServers } from './client.js';
import { PEER_POLL } from '../tasks/peer.js';
import { now } from './work.js';

const JOBS = 100;
const PEER = `SDK v1, polls every ${PEER_POLL} ms`;

/** The delay over HTTP until a client that waits has the result of a task. */
export const speed: Bench = {
  name: 'server/speed',
  run: () =>
    withServers(['ours', 'peer'], async (ourServer, peerServer) => {
      if (!ourServer || !peerServer) return [];
      const [ours, peer] = [await ourServer.session(), await peerServer.session()];
      const [job, peerJob] = [await jobs(ours, JOBS), await jobs(peer, JOBS)];
      return [
        measured({
          row: 'completion → blocked tasks/result answered over HTTP, p99',
          unit: 'ms',
          better: 'less',
          shown: 'p99',
          bars: { [OURS]: job.known, [PEER]: peerJob.known },
          most: 5,
        }),
        measured({
          row: 'a 50 ms job over HTTP, seen by the caller, p50',
          unit: 'ms',
          better: 'less',
          bars: { [OURS]: job.whole, [PEER]: peerJob.whole },
          most: 60,
        }),
      ];
    }),
};

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
