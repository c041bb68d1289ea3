import assert from 'node:assert/strict';
import { ANN, COMPLETED, idsOf, insertAll, next, NOW, sampleTask } from './sample.js';
import { checkOf, type Check } from './trial.js';

/** Leases, the secret and the probe: what a store keeps beside tasks. */
export const leaseChecks: readonly Check[] = [
  checkOf(
    'finds orphans: live, unexpired, and without a worker or with an expired lease',
    async (store) => {
      await store.renew('alive', NOW + 1_000);
      await store.renew('lapsed', NOW + 100);
      const held = sampleTask(1, { worker: 'alive' });
      const lost = sampleTask(2, { worker: 'lapsed' });
      const free = sampleTask(3);
      const done = sampleTask(4);
      await insertAll(store, [held, lost, free, done, sampleTask(5, { ttl: 1 })]);
      assert.ok(await store.update(next(done, COMPLETED)));
      assert.deepEqual(await idsOf(store.orphans(NOW + 99, 9)), [free.id]);
      const orphans = await idsOf(store.orphans(NOW + 100, 9));
      assert.deepEqual(orphans.sort(), [lost.id, free.id]);
      assert.equal((await store.orphans(NOW + 100, 1)).length, 1);
      await store.renew('lapsed', NOW + 500);
      assert.deepEqual(await idsOf(store.orphans(NOW + 100, 9)), [free.id]);
      assert.ok(await store.update(next(free, { worker: 'alive' })));
      assert.deepEqual(await store.orphans(NOW + 100, 9), []);
    },
  ),
  checkOf('takes every lease as it was renewed last, shorter ones too', async (store) => {
    const workers = ['one', 'two', 'three'];
    for (const worker of workers) await store.renew(worker, NOW + 1_000);
    await insertAll(
      store,
      workers.map((worker, n) => sampleTask(n, { worker })),
    );
    const orphans = async (now: number) => (await idsOf(store.orphans(now, 9))).sort();
    assert.deepEqual(await orphans(NOW), []);
    await store.renew('two', 0);
    assert.deepEqual(await orphans(NOW), [sampleTask(1).id]);
    await store.renew('one', NOW + 5_000);
    assert.deepEqual(await orphans(NOW + 1_000), [sampleTask(1).id, sampleTask(2).id]);
    await store.renew('two', NOW + 5_000);
    assert.deepEqual(await orphans(NOW + 1_000), [sampleTask(2).id]);
  }),
  checkOf('finds a task that was given up at once', async (store) => {
    await store.renew('worker', NOW + 1_000);
    const task = sampleTask(1, { worker: 'worker' });
    await insertAll(store, [task]);
    assert.ok(await store.update(next(task, { worker: '', fence: 2 })));
    assert.deepEqual(await idsOf(store.orphans(NOW, 9)), [task.id]);
  }),
  checkOf('can be probed at any time, and shows nothing of it', async (store) => {
    await insertAll(store, [sampleTask(1)]);
    await Promise.all([store.probe(), store.probe()]);
    assert.deepEqual(await store.get(sampleTask(1)), sampleTask(1));
    assert.deepEqual(await idsOf(store.list(ANN, { limit: 9, now: NOW })), [sampleTask(1).id]);
    assert.equal((await store.expire(NOW, 9)).removed.length, 0);
  }),
  checkOf('has a secret of at least 32 bytes that stays the same', async (store) => {
    const secret = await store.secret();
    assert.ok(secret.length >= 32);
    assert.deepEqual(await store.secret(), secret);
  }),
];

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
