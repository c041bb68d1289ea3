import assert from 'node:assert/strict';

import { COMPLETED, insertAll, next, NOW, sampleTask } from './sample.js';
import { checkOf, type Check } from './trial.js';

/** The end of a task's life. */
export const expiryChecks: readonly Check[] = [
  checkOf('expires at the millisecond, soonest first, in batches, live or not', async (store) => {
    const tasks = [30, 10, 20, 40].map((ttl, n) => sampleTask(n, { ttl }));
    await insertAll(store, tasks);
    const [first] = tasks;
    assert.ok(first && (await store.update(next(first, COMPLETED))));
    assert.deepEqual(await store.expire(NOW + 9, 9), { removed: [], next: NOW + 10 });
    const batch = await store.expire(NOW + 30, 2);
    assert.deepEqual(
      batch.removed.map(({ ttl }) => ttl),
      [10, 20],
    );
    assert.equal(batch.next, NOW + 30);
    const last = await store.expire(NOW + 30, 2);
    assert.deepEqual(
      last.removed.map(({ ttl, status }) => [ttl, status]),
      [[30, 'completed']],
    );
    assert.equal(last.next, NOW + 40);
    assert.equal((await store.expire(NOW + 40, 9)).next, undefined);
    assert.equal(await store.get(first), undefined);
  }),
];
