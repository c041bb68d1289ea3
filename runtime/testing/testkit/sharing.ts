import assert from 'node:assert/strict';

import type { InsertCaps, TaskStore } from '../../tasks/index.js';
import { ANN, BEN, idsOf, insertAll, next, NO_CAPS, NOW, sampleTask } from './sample.js';
import { type Check, withTwo } from './trial.js';

const HOUR_MS = 3_600_000;

/** What several processes may rely on that share their tasks. */
export const sharingChecks: readonly Check[] = [
  {
    name: 'gives every store the same tasks and the same secret',
    needs: ['shared'],
    run: (trial) =>
      withTwo(trial, async (one, other) => {
        await insertAll(one, [sampleTask(1)]);
        assert.deepEqual(await other.get(sampleTask(1)), sampleTask(1));
        assert.ok(await other.update(next(sampleTask(1))));
        assert.equal(await one.update(next(sampleTask(1))), false);
        assert.deepEqual(await one.secret(), await other.secret());
        await one.renew('worker', NOW + 1);
        await insertAll(one, [sampleTask(2, { worker: 'worker' })]);
        assert.deepEqual(await idsOf(other.orphans(NOW, 9)), [sampleTask(1).id]);
      }),
  },
  {
    name: 'gives every store the same time, whatever the clock of its process says',
    needs: ['shared'],
    async run({ open }) {
      const realNow = Date.now;
      const stores: TaskStore[] = [];
      try {
        for (const hours of [0, -3, 3]) {
          Date.now = () => realNow() + hours * HOUR_MS;
          stores.push(await open());
        }
        const times = stores.map((store) => store.now?.() ?? NaN);
        assert.ok(
          times.every(Number.isSafeInteger),
          'A store that several processes share has now',
        );
        assert.ok(Math.max(...times) - Math.min(...times) < HOUR_MS, String(times));
      } finally {
        Date.now = realNow;
        await Promise.all(stores.map((store) => store.close()));
      }
    },
  },
  {
    name: 'has a time that never goes back, and goes on',
    needs: ['shared'],
    async run(trial) {
      const store = await trial.open();
      const began = performance.now();
      const first = store.now?.() ?? NaN;
      let latest = first;
      while (performance.now() - began < 100) {
        const time = store.now?.() ?? NaN;
        assert.ok(time >= latest, `${time} after ${latest}`);
        latest = time;
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.ok(latest > first, 'The time stands still');
    },
  },
  {
    name: 'lets one of many rivals on two stores win',
    needs: ['shared'],
    run: (trial) =>
      withTwo(trial, async (one, other) => {
        await insertAll(one, [sampleTask(1)]);
        const rivals = Array.from({ length: 20 }, (_, n) =>
          (n % 2 === 0 ? one : other).update(next(sampleTask(1), { statusMessage: String(n) })),
        );
        const won = await Promise.all(rivals);
        assert.equal(won.filter(Boolean).length, 1);
        assert.equal((await one.get(sampleTask(1)))?.statusMessage, String(won.indexOf(true)));
      }),
  },
  {
    name: 'one creation for one idempotency key on two stores',
    needs: ['shared'],
    run: (trial) =>
      withTwo(trial, async (one, other) => {
        const idempotency = { key: 'key', digest: 'one' };
        const insertions = await Promise.all(
          Array.from({ length: 40 }, (_, n) =>
            (n % 2 === 0 ? one : other).insert(sampleTask(n, { idempotency }), NO_CAPS),
          ),
        );
        assert.equal(insertions.filter(({ kind }) => kind === 'inserted').length, 1);
        assert.equal((await one.list(ANN, { limit: 99, now: NOW })).length, 1);
      }),
  },
  {
    name: 'keeps each cap exactly on two stores',
    needs: ['shared'],
    run: (trial) =>
      withTwo(trial, async (one, other) => {
        const caps: InsertCaps = { ...NO_CAPS, live: 9, livePerOwner: 5, storedPerOwner: 5 };
        const insertions = await Promise.all(
          Array.from({ length: 40 }, (_, n) =>
            (n % 2 === 0 ? one : other).insert(sampleTask(n, n % 4 < 2 ? ANN : BEN), caps),
          ),
        );
        assert.equal(insertions.filter(({ kind }) => kind === 'inserted').length, 9);
        const lists = [ANN, BEN].map((caller) => one.list(caller, { limit: 99, now: NOW }));
        const sizes = (await Promise.all(lists)).map(({ length }) => length).sort();
        assert.deepEqual(sizes, [4, 5]);
      }),
  },
  {
    name: 'keeps the caps of a subject, and the reserves, exactly on two stores',
    needs: ['shared'],
    run: (trial) =>
      withTwo(trial, async (one, other) => {
        const caps = { ...NO_CAPS, livePerSubject: 5, liveReserve: 2, liveShared: 7, live: 9 };
        const insertions = await Promise.all(
          Array.from({ length: 60 }, (_, n) => {
            const subjectKey = ['ann', 'ben', 'cat'][n % 3] ?? '';
            const owner = `${subjectKey}/${n % 4}`;
            return (n % 2 === 0 ? one : other).insert(sampleTask(n, { subjectKey, owner }), caps);
          }),
        );
        const inserted = insertions.map(({ kind }) => kind === 'inserted');
        const of = (subject: number): number =>
          inserted.filter((is, n) => is && n % 3 === subject).length;
        const counts = [of(0), of(1), of(2)];
        const total = counts.reduce((sum, count) => sum + count, 0);
        assert.ok(total <= 9 && Math.max(...counts) <= 5, `inserted ${counts.join(', ')}`);
        // Beyond the shared room each subject gets what its reserve has.
        assert.ok(total >= 7 && Math.min(...counts) >= 2, `inserted ${counts.join(', ')}`);
      }),
  },
  {
    name: 'removes each task that is due once',
    needs: ['shared'],
    run: (trial) =>
      withTwo(trial, async (one, other) => {
        const tasks = Array.from({ length: 60 }, (_, n) => sampleTask(n, n % 2 ? ANN : BEN));
        await insertAll(one, tasks);
        const removed: string[] = [];
        while (removed.length < tasks.length) {
          const sweeps = [one, other, one, other].map((store) => store.expire(NOW + 60_000, 7));
          const batches = await Promise.all(sweeps);
          removed.push(...batches.flatMap((batch) => batch.removed.map(({ id }) => id)));
        }
        assert.deepEqual(
          removed.sort(),
          tasks.map(({ id }) => id),
        );
      }),
  },
];
