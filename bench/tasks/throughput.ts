import type { TaskEngine, TaskStore } from '../../runtime/tasks/index.js';
import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { createTaskEngine } from '../../runtime/tasks/index.js';
import { timed, type Bench } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { ANN, fsyncTime, NO_LIMITS, start, withEngine } from './sqlite-engine.js';

const IN_FLIGHT = 64;
const ROUNDS = 5;

/** Create, run, complete and fetch with 64 in flight: grouped commits against one commit for each write. */
export const throughput: Bench = {
  name: 'tasks/throughput',
  async run() {
    const result = { content: [] };
    const rates = { grouped: [] as number[], single: [] as number[] };
    await withEngine(
      () => result,
      async (grouped, store) => {
        // The same engine and file without grouping.
        const single = await createTaskEngine({
          store: oneAtATime(store),
          executor: createInProcessExecutor({ concurrency: 1e6 }),
          handlers: () => ({ run: () => result }),
          limits: NO_LIMITS,
        });
        await lifecycles(grouped, 10_000);
        await lifecycles(single, 500);
        for (let round = 0; round < ROUNDS; round += 1) {
          rates.grouped.push(await lifecycles(grouped, 20_000));
          rates.single.push(await lifecycles(single, 2_000));
        }
        await single.close(0);
      },
    );
    return [
      measured({
        row: `durable lifecycles in process, ${IN_FLIGHT} in flight`,
        unit: 'per second',
        better: 'more',
        bars: {
          [OURS]: rates.grouped,
          'ungrouped commits': rates.single,
        },
        times: { 'ungrouped commits': 10 },
        note: fsyncTime(),
      }),
    ];
  },
};

function lifecycles(engine: TaskEngine, count: number): Promise<number> {
  return inFlight(count, async () => {
    const { id } = await start(engine);
    await engine.wait(ANN, id);
  });
}

/** Runs `count` times `work`, 64 at a time; returns how many a second. */
async function inFlight(count: number, work: () => Promise<unknown>): Promise<number> {
  let left = count;
  const lane = async (): Promise<void> => {
    while ((left -= 1) >= 0) await work();
  };
  const took = await timed(() => Promise.all(Array.from({ length: IN_FLIGHT }, lane)));
  return (count * 1_000) / took;
}

/** Every write waits for the commit of the previous one, as in a store without grouping. */
function oneAtATime(store: TaskStore): TaskStore {
  let last: Promise<unknown> = Promise.resolve();
  const queue = <T>(write: () => Promise<T>): Promise<T> => {
    const next = last.then(write);
    last = next.catch(() => undefined);
    return next;
  };
  return {
    ...store,
    insert: (record, caps) => queue(() => store.insert(record, caps)),
    update: (next) => queue(() => store.update(next)),
  };
}
