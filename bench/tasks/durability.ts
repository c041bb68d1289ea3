import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import { createTaskEngine, outcomeOf, type TaskStore } from '../../runtime/tasks/index.js';
import { crashRounds } from '../../test/tasks/crash.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import type { Bench, Row } from '../bench.js';
import { ANN, fsyncTime, NO_LIMITS, sleep, start } from './sqlite-engine.js';

const ROUNDS = 20;
const STALE = 200;

/** The tasks that survive a kill, and the writes of a worker that lost its lease. */
export const durability: Bench = {
  name: 'tasks/durability',
  run: async () => [await killed(), await staleWrites()],
};

async function killed(): Promise<Row> {
  const { created, ended, caught } = await crashRounds(ROUNDS);
  return {
    row: `kill -9, ${ROUNDS} rounds (1,000: npm run test:crash)`,
    goal: '0 acknowledged lost, 0 ended twice',
    ours: `0 of ${created} created and ${ended} ended lost; ${caught} recovered (${fsyncTime()})`,
    peer: 'keeps nothing: its store is a Map',
    // A violated guarantee is an exception, so that there is no row at all.
    met: true,
  };
}

/** One engine stops renewing its lease, another takes its tasks over, then the first one finishes them. */
async function staleWrites(): Promise<Row> {
  const store = createMemoryStore();
  const leaseMs = 200;
  let asleep = false;
  const sleepy: TaskStore = {
    ...store,
    renew: (worker, until) => (asleep ? Promise.resolve() : store.renew(worker, until)),
    orphans: (now, limit) => (asleep ? Promise.resolve([]) : store.orphans(now, limit)),
  };
  let wake = (): void => undefined;
  const awake = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const engineOn = (shared: TaskStore, run: () => Promise<object>) =>
    createTaskEngine({
      store: shared,
      executor: createInProcessExecutor({ leaseMs }),
      handlers: () => ({ run, retryable: true }),
      limits: NO_LIMITS,
    });
  const first = await engineOn(sleepy, async () => {
    await awake;
    return { from: 'stale' };
  });
  const tasks = await Promise.all(Array.from({ length: STALE }, () => start(first)));
  await sleep(20);
  asleep = true;
  await sleep(2 * leaseMs);
  const second = await engineOn(store, async () => {
    await sleep(100);
    return { from: 'new' };
  });
  wake();
  const ends = await Promise.all(tasks.map(({ id }) => second.wait(ANN, id)));
  const stale = ends.filter((task) => JSON.stringify(outcomeOf(task)).includes('stale')).length;
  await Promise.all([first.close(0), second.close(0)]);

  const peer = new InMemoryTaskStore();
  let peerStale = 0;
  for (let n = 0; n < STALE; n += 1) {
    const { taskId } = await peer.createTask({}, n, { method: 'tools/call', params: {} });
    await peer.storeTaskResult(taskId, 'completed', { from: 'stale' });
    await peer.storeTaskResult(taskId, 'completed', { from: 'new' }).catch(() => undefined);
    if ((await peer.getTaskResult(taskId))['from'] === 'stale') peerStale += 1;
  }
  return {
    row: `writes of a worker that lost its lease, ${STALE} tasks`,
    goal: '100 % fenced',
    ours: `${STALE - stale} of ${STALE} fenced`,
    peer: `${STALE - peerStale} of ${STALE} fenced`,
    met: stale === 0,
  };
}
