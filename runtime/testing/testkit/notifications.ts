import assert from 'node:assert/strict';

import type { TaskChange, TaskKey, TaskStore } from '../../tasks/index.js';
import { insertAll, next, NOW, sampleTask } from './sample.js';
import { type Check, withTwo } from './trial.js';

interface Watched {
  readonly end: () => void;
  /** The greatest version reported of a task, 0 before the first report. */
  version(task: TaskKey): number;
  removed(task: TaskKey): boolean;
}

function watch(store: TaskStore): Watched {
  const changes: TaskChange[] = [];
  const end = store.watch?.((change) => changes.push(change));
  assert.ok(end, 'A store that several processes share has watch');
  const of = ({ owner, dialect, id }: TaskKey): TaskChange[] =>
    changes.filter(({ key }) => key.owner === owner && key.dialect === dialect && key.id === id);
  return {
    end,
    version: (task) =>
      Math.max(0, ...of(task).map((change) => (change.kind === 'changed' ? change.version : 0))),
    removed: (task) => of(task).some(({ kind }) => kind === 'removed'),
  };
}

/** What a store reports of the changes that other processes make. */
export const notificationChecks: readonly Check[] = [
  {
    name: 'reports to one store what another changes and removes, and it can be read then',
    needs: ['shared'],
    run: (trial) =>
      withTwo(trial, async (one, other) => {
        const odd = sampleTask(1, { owner: 'a"\u0000\ud83d\ude00\ud800 ' });
        const tasks = [odd, sampleTask(2), sampleTask(3, { dialect: 'ext' })];
        await insertAll(one, tasks);
        const watched = watch(other);
        const updated = await Promise.all(tasks.map((task) => one.update(next(task))));
        assert.deepEqual(updated, [true, true, true]);
        for (const task of tasks) {
          await trial.eventually('a change', () => watched.version(task) === 2);
          assert.equal((await other.get(task))?.version, 2);
        }
        await one.expire(NOW + 60_000, 9);
        for (const task of tasks) await trial.eventually('a removal', () => watched.removed(task));
        assert.equal(await other.get(odd), undefined);
      }),
  },
  {
    name: 'reports thousands of changes of one moment, and owners of any length',
    needs: ['shared'],
    run: (trial) =>
      withTwo(trial, async (one, other) => {
        const long = sampleTask(0, { owner: 'x'.repeat(2_000) });
        const tasks = Array.from({ length: 2_000 }, (_, n) => sampleTask(n + 1)).concat(long);
        await insertAll(one, tasks);
        const watched = watch(other);
        await Promise.all(tasks.map((task) => one.update(next(task))));
        await trial.eventually('all', () => tasks.every((task) => watched.version(task) === 2));
      }),
  },
  {
    name: 'reports nothing to a watcher that has ended, and goes on for the others',
    needs: ['shared'],
    run: (trial) =>
      withTwo(trial, async (one, other) => {
        await insertAll(one, [sampleTask(1), sampleTask(2)]);
        const ended = watch(other);
        const watched = watch(other);
        await one.update(next(sampleTask(1)));
        await trial.eventually('a change', () => ended.version(sampleTask(1)) === 2);
        ended.end();
        await one.update(next(sampleTask(2)));
        await trial.eventually('a change', () => watched.version(sampleTask(2)) === 2);
        assert.equal(ended.version(sampleTask(2)), 0);
      }),
  },
  {
    name: 'reports in the end what a lost notification would have reported',
    needs: ['shared'],
    run: (trial) =>
      withTwo(trial, async (one, other) => {
        const tasks = [sampleTask(1), sampleTask(2), sampleTask(3)];
        await insertAll(one, tasks);
        const watched = watch(other);
        await one.update(next(sampleTask(1)));
        await trial.eventually('a change', () => watched.version(sampleTask(1)) === 2);
        await trial.loseNotifications();
        await one.update(next(sampleTask(2)));
        await trial.eventually('a change', () => watched.version(sampleTask(2)) === 2);
        await one.expire(NOW + 60_000, 9);
        for (const task of tasks) await trial.eventually('a removal', () => watched.removed(task));
      }),
  },
];
