import { ms, timed, type Bench, type Row } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { ANN, fsyncTime, sleep, start, withEngine } from './sqlite-engine.js';
import { startPeer } from './peer.js';

const ROUNDS = 200;
const WORK_MS = 50;

/** The delay from the end of the work to its requestor, and from a cancel to the work. */
export const latency: Bench = {
  name: 'tasks/latency',
  async run() {
    const ours = { done: [] as number[], whole: [] as number[] };
    const theirs = { done: [] as number[], whole: [] as number[] };
    let finished = 0;
    const peer = await startPeer((finish) => {
      setTimeout(() => {
        finished = performance.now();
        void finish();
      }, WORK_MS);
    });
    const work = async (): Promise<object> => {
      await sleep(WORK_MS);
      finished = performance.now();
      return { content: [] };
    };
    await withEngine(work, async (engine) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        ours.whole.push(
          await timed(async () => {
            const { id } = await start(engine);
            await engine.wait(ANN, id);
          }),
        );
        ours.done.push(performance.now() - finished);
        // Few, because the peer polls once a second.
        if (round % 20 !== 0) continue;
        theirs.whole.push(await timed(async () => peer.result(await peer.start())));
        theirs.done.push(performance.now() - finished);
      }
    });
    await peer.close();

    return [
      measured({
        row: 'completion → blocked result answered, p99',
        unit: 'ms',
        better: 'less',
        shown: 'p99',
        bars: { [OURS]: ours.done, 'SDK v1': theirs.done },
        most: 5,
        note: fsyncTime(),
      }),
      measured({
        row: 'a 50 ms job, seen by the caller, p50',
        unit: 'ms',
        better: 'less',
        bars: { [OURS]: ours.whole, 'SDK v1': theirs.whole },
        most: 60,
      }),
      await cancelRow(),
    ];
  },
};

const CANCELS = 200;

async function cancelRow(): Promise<Row> {
  const delays: number[] = [];
  let cancelledAt = 0;
  let peerAborts = 0;
  const peer = await startPeer((_finish, signal) => {
    signal.addEventListener('abort', () => (peerAborts += 1));
  });
  const patient = ({ task }: { task: { signal: AbortSignal } }): Promise<object> =>
    new Promise((resolve) => {
      task.signal.addEventListener('abort', () => {
        delays.push(performance.now() - cancelledAt);
        resolve({ content: [] });
      });
    });
  await withEngine(patient, async (engine) => {
    for (let n = 0; n < CANCELS; n += 1) {
      const { id } = await start(engine);
      const peerId = await peer.start();
      await sleep(1);
      cancelledAt = performance.now();
      await engine.cancel(ANN, id);
      await peer.cancel(peerId);
    }
  });
  await peer.close();
  const slowest = Math.max(...delays);
  return {
    row: "cancel reaches the handler's signal",
    goal: '100 %, ≤ 10 ms',
    ours: `${delays.length} of ${CANCELS}, slowest ${ms(slowest)}`,
    peer: `${peerAborts} of ${CANCELS}`,
    met: delays.length === CANCELS && slowest <= 10,
  };
}
