import assert from 'node:assert/strict';

import type { TaskStore } from '../../tasks/index.js';
import {
  assertCounts,
  COMPLETED,
  insertAll,
  listIds,
  next,
  NO_CAPS,
  NOW,
  sampleTask,
} from './sample.js';
import type { Check, Need } from './trial.js';

const [LIVE, ENDED, SHORT] = [sampleTask(1), sampleTask(2), sampleTask(3, { ttl: 1 })];
const END = next(ENDED, COMPLETED);

interface Write {
  readonly what: string;
  readonly needs?: readonly Need[];
  readonly run: (store: TaskStore) => Promise<unknown>;
}

const WRITES: readonly Write[] = [
  { what: 'an insertion', run: (store) => store.insert(sampleTask(4), NO_CAPS) },
  { what: 'an update', run: (store) => store.update(next(LIVE, { statusMessage: 'lost' })) },
  { what: 'the end of a task', run: (store) => store.update(next(LIVE, COMPLETED)) },
  { what: 'an expiry', run: (store) => store.expire(NOW + 1, 9) },
  { what: 'a lease', run: (store) => store.renew('worker', NOW + 1_000) },
  {
    what: 'a removal',
    needs: ['administration'],
    run: async (store) => store.administration?.remove([END]),
  },
  { what: 'a probe', run: (store) => store.probe() },
];

/** What a store does that cannot write. */
export const writeFailureChecks: readonly Check[] = WRITES.map(
  ({ what, needs = [], run }): Check => ({
    name: `rejects ${what} that cannot be written, and has what it had before`,
    needs: ['failWrites', ...needs],
    async run(trial) {
      const store = await trial.open();
      await insertAll(store, [LIVE, ENDED, SHORT]);
      assert.ok(await store.update(END));
      const mend = await trial.failWrites();
      // Twice: a store may keep the first failure to itself until the next operation.
      for (let n = 0; n < 2; n += 1) {
        await assert.rejects(async () => run(store), `${what} is acknowledged`);
      }
      await mend();
      await store.close().catch(() => undefined);
      await assertUnharmed(await trial.open());
    },
  }),
);

/** What failed may have happened, but wholly. What was acknowledged is there. */
async function assertUnharmed(store: TaskStore): Promise<void> {
  const [live, ended, short, fourth] = await Promise.all(
    [LIVE, ENDED, SHORT, sampleTask(4)].map((task) => store.get(task)),
  );
  assert.deepEqual(live && { ...live, ...LIVE }, { ...live, ...LIVE }, 'A task is lost');
  assert.ok(live, `${LIVE.id} is lost`);
  const possible = [LIVE, next(LIVE, { statusMessage: 'lost' }), next(LIVE, COMPLETED)].find(
    ({ version, status }) => version === live.version && status === live.status,
  );
  assert.deepEqual(live, possible);
  if (ended !== undefined) assert.deepEqual(ended, END);
  if (short !== undefined) assert.deepEqual(short, SHORT);
  const there = [live, ended, short, fourth].filter((task) => task !== undefined);
  assert.deepEqual(
    await listIds(store),
    there
      .map(({ id }) => id)
      .sort()
      .reverse(),
  );
  await store.expire(NOW + 1, 9);
  const left = there.filter((task) => task !== short);
  await assertCounts(store, 'ann', {
    live: left.filter(({ status }) => status !== 'completed').length,
    stored: left.length,
  });
  await insertAll(store, [sampleTask(5)]);
  assert.deepEqual(await store.get(sampleTask(5)), sampleTask(5));
}
