import assert from 'node:assert/strict';

import type { TaskRecord, TaskStore } from '../../tasks/index.js';
import { ACKNOWLEDGEMENTS } from './acknowledgements.js';
import { ANN, assertCounts, fullTask, idsOf, insertAll, next, NOW, sampleTask } from './sample.js';
import { perform, type Step } from './script.js';
import type { Check } from './trial.js';

async function performAll(store: TaskStore, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await perform(store, step);
}

/** What the next store of a place has after the one before was closed. */
export const reopeningChecks: readonly Check[] = [
  ...ACKNOWLEDGEMENTS.map(({ of, needs = [], before, last, verify }): Check => ({
    name: `has ${of} after it was closed and opened again`,
    needs: ['durable', ...needs],
    async run(trial) {
      const first = await trial.open();
      await performAll(first, before);
      const result = await perform(first, last);
      await first.close();
      const second = await trial.open();
      await verify(second, trial, result);
      await second.close();
    },
  })),
  {
    name: 'has every field, the counts and the order after many openings',
    needs: ['durable'],
    async run(trial) {
      let full = fullTask(1);
      const tasks: TaskRecord[] = [];
      for (let n = 2; n < 6; n += 1) {
        const store = await trial.open();
        if (n === 2) await insertAll(store, [full]);
        assert.deepEqual(await store.get(full), full);
        full = next(full, { steps: [...full.steps, { name: `step-${n}`, attempt: n, at: NOW }] });
        assert.equal(await store.update(full), true);
        tasks.push(sampleTask(n));
        await insertAll(store, tasks.slice(-1));
        await store.close();
      }
      const store = await trial.open();
      assert.deepEqual(await store.get(full), full);
      assert.deepEqual(
        await idsOf(store.list(ANN, { limit: 9, now: NOW })),
        [...tasks.reverse(), full].map(({ id }) => id),
      );
      await assertCounts(store, 'ann', { live: 5, stored: 5 });
      await store.close();
    },
  },
  {
    name: 'has what was called before it was closed',
    needs: ['durable'],
    async run(trial) {
      const first = await trial.open();
      const tasks = Array.from({ length: 20 }, (_, n) => sampleTask(n));
      const inserted = insertAll(first, tasks);
      await first.close();
      // Each insertion either is acknowledged and kept, or rejects.
      const acknowledged = await inserted.then(
        () => true,
        () => false,
      );
      const second = await trial.open();
      const found = await Promise.all(tasks.map((task) => second.get(task)));
      if (acknowledged) assert.deepEqual(found, tasks);
      await second.close();
    },
  },
];
