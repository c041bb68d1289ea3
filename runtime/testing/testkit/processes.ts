import assert from 'node:assert/strict';

import { insertAll, next, NO_CAPS, NOW, sampleTask } from './sample.js';
import type { Step } from './script.js';
import type { Check } from './trial.js';

const SOME = Array.from({ length: 200 }, (_, n) => sampleTask(n));

/** What holds between processes. */
export const processChecks: readonly Check[] = [
  {
    name: 'refuses a second process while a first one has it open, and lets it in afterwards',
    needs: ['alone', 'process'],
    async run(trial) {
      const opens = { before: [], together: [], killAfter: 0 };
      await trial.play(opens);
      const store = await trial.open();
      await insertAll(store, [sampleTask(1)]);
      await assert.rejects(trial.play(opens), 'Two processes have one place open');
      await assert.rejects(trial.open(), 'Two stores of a process have one place open');
      assert.deepEqual(await store.get(sampleTask(1)), sampleTask(1));
      await store.close();
      await trial.play(opens);
    },
  },
  {
    name: 'lets one of two processes win that change the same tasks at the same time',
    needs: ['shared', 'process'],
    async run(trial) {
      const store = await trial.open();
      await insertAll(store, SOME);
      const rival = (task: (typeof SOME)[number], by: string) => next(task, { statusMessage: by });
      let own: Promise<boolean[]> | undefined;
      const there = await trial.play(
        {
          before: [],
          together: SOME.map((task): Step => ({ kind: 'update', record: rival(task, 'there') })),
          killAfter: SOME.length,
          waits: true,
        },
        () => {
          own = Promise.all(SOME.map((task) => store.update(rival(task, 'here'))));
        },
      );
      const here = await own;
      for (const [index, task] of SOME.entries()) {
        const wonThere = there.some((each) => each.index === index && each.result === true);
        assert.notEqual(here?.[index], wonThere, `${task.id} has not exactly one winner`);
        const winner = rival(task, wonThere ? 'there' : 'here');
        assert.deepEqual(await store.get(task), winner);
      }
    },
  },
  {
    name: 'inserts for one of two processes that use the same idempotency keys at the same time',
    needs: ['shared', 'process'],
    async run(trial) {
      const store = await trial.open();
      const keyed = SOME.map((task) => ({ ...task, idempotency: { key: task.id, digest: '' } }));
      const twin = (task: (typeof keyed)[number]) => ({ ...task, id: `${task.id}-there` });
      let own: Promise<boolean[]> | undefined;
      const there = await trial.play(
        {
          before: [],
          together: keyed.map((task): Step => ({
            kind: 'insert',
            record: twin(task),
            caps: NO_CAPS,
          })),
          killAfter: SOME.length,
          waits: true,
        },
        () => {
          own = Promise.all(
            keyed.map(async (task) => (await store.insert(task, NO_CAPS)).kind === 'inserted'),
          );
        },
      );
      const here = await own;
      for (const [index, task] of keyed.entries()) {
        const result = there.find((each) => each.index === index)?.result as { kind: string };
        const wonThere = result.kind === 'inserted';
        assert.notEqual(here?.[index], wonThere, `${task.id} has not exactly one winner`);
        assert.equal((await store.get(task)) === undefined, wonThere);
        assert.equal((await store.get(twin(task))) === undefined, !wonThere);
      }
      const listed = await store.list(keyed[0] ?? sampleTask(1), { limit: 999, now: NOW });
      assert.equal(listed.length, SOME.length);
    },
  },
];
