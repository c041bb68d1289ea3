import assert from 'node:assert/strict';

import type { TaskRecord, TaskStore } from '../../tasks/index.js';
import { ACKNOWLEDGEMENTS } from './acknowledgements.js';
import { ANN, assertCounts, idsOf, insertAll, next, NO_CAPS, NOW, sampleTask } from './sample.js';
import { perform, type Step } from './script.js';
import type { Check, Trial } from './trial.js';

/** Tasks that are inserted, and of which every other one is updated, all at once. */
const BURST = Array.from({ length: 60 }, (_, n) => sampleTask(n));
const CHANGED = BURST.filter((_, n) => n % 2 === 0).map((task) =>
  next(task, { steps: [{ name: 'step', attempt: 1, result: 'x'.repeat(n(task)), at: NOW }] }),
);
const KEPT = BURST.filter((_, index) => index % 3 === 0);
const KILLED_AFTER = [1, 7, 40];

function n(task: TaskRecord): number {
  return Number(task.id.slice(-6));
}

const steps: readonly Step[] = [
  ...BURST.filter((task) => !KEPT.includes(task)).map((record): Step => ({
    kind: 'insert',
    record,
    caps: NO_CAPS,
  })),
  ...CHANGED.filter((changed) => KEPT.some(({ id }) => id === changed.id)).map((record): Step => ({
    kind: 'update',
    record,
  })),
];

/** What the next store has after a crash in the turn of an acknowledgement. */
export const crashChecks: readonly Check[] = [
  ...ACKNOWLEDGEMENTS.flatMap(({ of, needs = [], before, last, verify }): Check[] => [
    {
      name: `has ${of} in a copy of the place that is made when it is acknowledged`,
      needs: ['crash', ...needs],
      async run(trial) {
        const store = await trial.open();
        for (const step of before) await perform(store, step);
        const result = await perform(store, last);
        const copy = await trial.crash();
        await verify(await copy.open(), trial, result);
      },
    },
    {
      name: `has ${of} after the process was killed that acknowledged it`,
      needs: ['process', ...needs],
      async run(trial) {
        const [ending] = await trial.play({ before, together: [last], killAfter: 1 });
        await verify(await openAfterKill(trial), trial, ending?.result);
      },
    },
  ]),
  {
    name: 'has all that was acknowledged of many operations at once, and the others whole or not, in a copy',
    needs: ['crash'],
    async run(trial) {
      const store = await trial.open();
      await insertAll(store, KEPT);
      const acknowledged: Step[] = [];
      let copying: Promise<Trial> | undefined;
      let known: readonly Step[] = [];
      await Promise.all(
        steps.map(async (step) => {
          await perform(store, step);
          acknowledged.push(step);
          if (acknowledged.length !== 20) return;
          known = [...acknowledged];
          copying = trial.crash();
        }),
      );
      const copy = await copying;
      assert.ok(copy);
      await assertWhole(await copy.open(), known);
    },
  },
  ...KILLED_AFTER.map((killAfter): Check => ({
    name: `has all that was acknowledged of many operations at once, and the others whole or not, after a kill at number ${killAfter}`,
    needs: ['process'],
    async run(trial) {
      const before = KEPT.map((record): Step => ({ kind: 'insert', record, caps: NO_CAPS }));
      const ending = await trial.play({ before, together: steps, killAfter });
      assert.ok(ending.length >= killAfter);
      const known = ending.flatMap(({ index }) => steps[index] ?? []);
      await assertWhole(await openAfterKill(trial), known);
    },
  })),
  {
    name: 'goes on after one kill after the other',
    needs: ['process'],
    async run(trial) {
      const tasks = [1, 2, 3].map((each) => sampleTask(each));
      for (const [index, record] of tasks.entries()) {
        const before = tasks.slice(0, index).map((earlier): Step => ({
          kind: 'update',
          record: { ...earlier, version: index - tasks.indexOf(earlier) + 1 },
        }));
        await trial.play({
          before,
          together: [{ kind: 'insert', record, caps: NO_CAPS }],
          killAfter: 1,
        });
      }
      const store = await trial.open();
      const versions = await Promise.all(tasks.map((task) => store.get(task)));
      assert.deepEqual(
        versions.map((task) => task?.version),
        [3, 2, 1],
      );
    },
  },
];

async function openAfterKill(trial: Trial): Promise<TaskStore> {
  try {
    return await trial.open();
  } catch (error) {
    return assert.fail(`The place cannot be opened after a kill: ${String(error)}`);
  }
}

/** Asserts that the store has what was acknowledged; other operations may have happened, but never in part. */
async function assertWhole(store: TaskStore, known: readonly Step[]): Promise<void> {
  const has = (kind: Step['kind'], task: TaskRecord): boolean =>
    known.some((step) => step.kind === kind && 'record' in step && step.record.id === task.id);
  let stored = 0;
  const listed = new Set(await idsOf(store.list(ANN, { limit: 99, now: NOW })));
  for (const task of BURST) {
    const found = await store.get(task);
    const changed = CHANGED.find(({ id }) => id === task.id);
    assert.equal(listed.has(task.id), found !== undefined, `${task.id} is there in part`);
    if (found === undefined) {
      assert.ok(!KEPT.includes(task) && !has('insert', task), `${task.id} is lost`);
      continue;
    }
    stored += 1;
    if (found.version === 1) {
      assert.deepEqual(found, task);
      assert.ok(!has('update', task), `The update of ${task.id} is lost`);
    } else assert.deepEqual(found, changed);
  }
  await assertCounts(store, 'ann', { live: stored, stored });
}
