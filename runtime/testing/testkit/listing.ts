import assert from 'node:assert/strict';

import { ANN, BEN, COMPLETED, idsOf, insertAll, listIds, next, NOW, sampleTask } from './sample.js';
import { checkOf, type Check } from './trial.js';

/** Pages of a caller's tasks. */
export const listingChecks: readonly Check[] = [
  checkOf(
    "lists the caller's own, newest first, page after page, and nothing that has expired",
    async (store) => {
      const mine = [3, 1, 5, 2, 4].map((n) => sampleTask(n));
      await insertAll(store, [
        ...mine,
        sampleTask(6, BEN),
        sampleTask(7, { dialect: 'ext' }),
        sampleTask(8, { ttl: 1 }),
      ]);
      const now = NOW + 1;
      const page = await idsOf(store.list(ANN, { limit: 2, now }));
      assert.deepEqual(page, [sampleTask(5).id, sampleTask(4).id]);
      const rest = await idsOf(store.list(ANN, { before: sampleTask(4).id, limit: 9, now }));
      assert.deepEqual(
        rest,
        [3, 2, 1].map((n) => sampleTask(n).id),
      );
      assert.deepEqual(await store.list(ANN, { before: sampleTask(1).id, limit: 9, now }), []);
      assert.deepEqual(
        await store.list({ owner: 'unknown', dialect: 'core' }, { limit: 9, now }),
        [],
      );
    },
  ),
  checkOf(
    'pages go on from their cursor, whatever was added, changed or removed',
    async (store) => {
      const tasks = [1, 2, 3, 5, 6].map((n) => sampleTask(n, n === 3 ? { ttl: 1 } : {}));
      await insertAll(store, tasks);
      const page = (before: number) =>
        idsOf(store.list(ANN, { before: sampleTask(before).id, limit: 2, now: NOW }));
      const ids = (...numbers: number[]) => numbers.map((n) => sampleTask(n).id);
      assert.deepEqual(await page(5), ids(3, 2));
      await insertAll(store, [sampleTask(7), sampleTask(4), sampleTask(0, { createdAt: NOW + 1 })]);
      assert.ok(await store.update(next(sampleTask(1), { ...COMPLETED, updatedAt: NOW + 1 })));
      assert.deepEqual(await page(5), ids(4, 3));
      // The task of the cursor is removed.
      assert.equal((await store.expire(NOW + 1, 9)).removed.length, 1);
      assert.deepEqual(await page(3), ids(2, 1));
      assert.deepEqual(await page(2), ids(1, 0));
    },
  ),
  checkOf('sorts ids by the codes of their characters', async (store) => {
    const ids = ['a-b', 'aB', 'a_', 'ab', 'aa', 'a0', 'AZ'];
    await insertAll(
      store,
      ids.map((id) => sampleTask(1, { id })),
    );
    assert.deepEqual(await listIds(store), ids.sort().reverse());
    const page = store.list(ANN, { before: 'a_', limit: 2, now: NOW });
    assert.deepEqual(await idsOf(page), ['aB', 'a0']);
  }),
];
