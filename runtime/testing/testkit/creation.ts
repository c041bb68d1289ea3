import assert from 'node:assert/strict';

import type { InsertCaps } from '../../tasks/index.js';
import {
  ANN,
  assertCounts,
  BEN,
  COMPLETED,
  idsOf,
  insertAll,
  insertTogether,
  next,
  NO_CAPS,
  NOW,
  sampleTask,
} from './sample.js';
import { checkOf, type Check } from './trial.js';

/** Idempotency keys and caps: what an insertion decides. */
export const creationChecks: readonly Check[] = [
  checkOf('one creation for one idempotency key of one caller', async (store) => {
    const idempotency = { key: 'key', digest: 'one' };
    const first = sampleTask(1, { idempotency });
    const rivals = [first, sampleTask(2, { idempotency }), sampleTask(3, { idempotency })];
    const results = await Promise.all(rivals.map((task) => store.insert(task, NO_CAPS)));
    const inserted = results.findIndex(({ kind }) => kind === 'inserted');
    assert.equal(results.filter(({ kind }) => kind === 'inserted').length, 1);
    for (const result of results) {
      if (result.kind === 'existing') assert.deepEqual(result.record, rivals[inserted]);
    }
    assert.equal((await store.list(ANN, { limit: 9, now: NOW })).length, 1);
    await insertAll(store, [
      sampleTask(4, { idempotency, owner: 'ben' }),
      sampleTask(5, { idempotency, dialect: 'ext' }),
      sampleTask(6),
      sampleTask(7),
    ]);
  }),
  checkOf(
    'does not return an expired task for its idempotency key, removed or not',
    async (store) => {
      const idempotency = { key: 'key', digest: 'one' };
      const first = sampleTask(1, { idempotency, ttl: 10 });
      await insertAll(store, [first]);
      const early = sampleTask(2, { idempotency, createdAt: NOW + 9 });
      assert.deepEqual(await store.insert(early, NO_CAPS), { kind: 'existing', record: first });
      const second = sampleTask(3, { idempotency, createdAt: NOW + 10 });
      await insertAll(store, [second]);
      // The removal of the first must leave the key to the second.
      assert.deepEqual(await idsOf(store.expire(NOW + 10, 9).then(({ removed }) => removed)), [
        first.id,
      ]);
      const third = sampleTask(4, { idempotency, createdAt: NOW + 11 });
      assert.deepEqual(await store.insert(third, NO_CAPS), { kind: 'existing', record: second });
    },
  ),
  checkOf('forgets an idempotency key with its task', async (store) => {
    const idempotency = { key: 'key', digest: 'one' };
    await insertAll(store, [sampleTask(1, { idempotency, ttl: 1 })]);
    await store.expire(NOW + 1, 9);
    await insertAll(store, [sampleTask(2, { idempotency })]);
  }),
  checkOf(
    'keeps each cap exactly, also under concurrency, and counts what ends and expires',
    async (store) => {
      const caps: InsertCaps = { ...NO_CAPS, livePerOwner: 2, live: 3, storedPerOwner: 4 };
      const four = [1, 2, 3, 4].map((n) => store.insert(sampleTask(n), caps));
      const kinds = (await Promise.all(four)).map((result) => result.kind);
      assert.deepEqual(kinds, ['inserted', 'inserted', 'full', 'full']);
      assert.deepEqual(await store.insert(sampleTask(5), caps), {
        kind: 'full',
        cap: 'livePerOwner',
      });
      await insertAll(store, [sampleTask(6, BEN)]);
      const full = await store.insert(sampleTask(7, { owner: 'cat' }), caps);
      assert.deepEqual(full, { kind: 'full', cap: 'live' });
      for (const n of [1, 2]) assert.ok(await store.update(next(sampleTask(n), COMPLETED)));
      await insertAll(store, [sampleTask(8), sampleTask(9, { ttl: 30_000 })]);
      const roomy = { ...caps, livePerOwner: 9, live: 9 };
      const stored = await store.insert(sampleTask(10), roomy);
      assert.deepEqual(stored, { kind: 'full', cap: 'storedPerOwner' });
      assert.equal((await store.expire(NOW + 30_000, 9)).removed.length, 1);
      assert.equal((await store.insert(sampleTask(11), roomy)).kind, 'inserted');
    },
  ),
  checkOf(
    'counts the owners of a subject together, and keeps a reserve for each subject',
    async (store) => {
      const caps = { ...NO_CAPS, livePerSubject: 6, liveReserve: 2, liveShared: 4, live: 7 };
      const of = (subjectKey: string) => (n: number) =>
        sampleTask(n, { subjectKey, owner: `${subjectKey}/${n % 3}` });
      const ann = await insertTogether(store, [1, 2, 3, 4, 5, 6].map(of('ann')), caps);
      assert.deepEqual(ann, { inserted: 4, liveShared: 2 });
      const ben = await insertTogether(store, [11, 12, 13].map(of('ben')), caps);
      assert.deepEqual(ben, { inserted: 2, liveShared: 1 });
      const alone = [21, 22].map((n) => sampleTask(n, { owner: 'cat' }));
      assert.deepEqual(await insertTogether(store, alone, caps), { inserted: 1, live: 1 });
      const roomy = { ...caps, liveShared: 99, live: 99 };
      const more = await insertTogether(store, [31, 32, 33].map(of('ann')), roomy);
      assert.deepEqual(more, { inserted: 2, livePerSubject: 1 });
      const kept = { ...NO_CAPS, storedPerSubject: 6 };
      assert.ok(await store.update(next(of('ann')(1), COMPLETED)));
      const stored = await store.insert(of('ann')(41), kept);
      assert.deepEqual(stored, { kind: 'full', cap: 'storedPerSubject' });
      assert.equal((await store.expire(NOW + 60_000, 99)).removed.length, 9);
      const again = await insertTogether(store, [51, 52, 53].map(of('ann')), kept);
      assert.deepEqual(again, { inserted: 3 });
    },
  ),
  checkOf('returns the task of an idempotency key as it is now', async (store) => {
    const idempotency = { key: 'key', digest: 'one' };
    const task = sampleTask(1, { idempotency });
    await insertAll(store, [task]);
    for (const changed of [next(task), next(next(task), COMPLETED)]) {
      assert.ok(await store.update(changed));
      const again = await store.insert(sampleTask(2, { idempotency }), NO_CAPS);
      assert.deepEqual(again, { kind: 'existing', record: changed });
    }
  }),
  checkOf(
    'counts exactly, whatever was refused, changed after its end, or removed',
    async (store) => {
      const idempotency = { key: 'key', digest: 'one' };
      const [live, ended] = [sampleTask(1, { idempotency }), sampleTask(2)];
      await insertAll(store, [live, ended, sampleTask(3, { ttl: 1 }), sampleTask(4, BEN)]);
      const full = { ...NO_CAPS, storedPerOwner: 1 };
      assert.equal((await store.insert(sampleTask(5, { idempotency }), full)).kind, 'existing');
      assert.equal((await store.insert(sampleTask(6), full)).kind, 'full');
      const end = next(ended, COMPLETED);
      assert.equal(await store.update(end), true);
      assert.equal(await store.update(end), false);
      assert.equal(await store.update(next(end, { retriedAs: 'task-000007' })), true);
      assert.equal(await store.update(next(live, { status: 'input_required' })), true);
      assert.equal((await store.expire(NOW + 1, 9)).removed.length, 1);
      await assertCounts(store, 'ann', { live: 1, stored: 2 });
      await assertCounts(store, 'ben', { live: 1, stored: 1 });
    },
  ),
];
