import assert from 'node:assert/strict';

import {
  administer,
  isTerminal,
  TASK_STATUSES,
  workStatus,
  type StoreAdministration,
  type TaskQuery,
  type TaskRecord,
  type TaskStatus,
  type TaskStore,
} from '../../tasks/index.js';
import { eventually, checkOf, type Check } from './trial.js';
import { COMPLETED, idsOf, insertAll, next, NO_CAPS, NOW, sampleTask } from './sample.js';

function administrationOf({ administration }: TaskStore): StoreAdministration {
  assert.ok(administration, 'The store has no administration');
  return administration;
}

/** The tasks of all owners, for those who operate the servers. */
export const administrationChecks: readonly Check[] = [
  checkOf(
    'finds tasks of all owners and dialects, newest first, for administration',
    async (store) => {
      const administration = administrationOf(store);
      const find = (query: TaskQuery) => administration.find(query);
      const failed = { status: 'failed', outcome: '{"error":{"code":-1,"message":""}}' } as const;
      const tasks = [
        sampleTask(1, { owner: 'ann \ud83d\ude00' }),
        sampleTask(2, { owner: 'ben', dialect: 'ext', statusMessage: '"status":"failed"' }),
        sampleTask(3, { ttl: 1 }),
        sampleTask(4, { owner: 'ben \ud800' }),
      ];
      await insertAll(store, tasks);
      const [first, , , last] = tasks as [TaskRecord, TaskRecord, TaskRecord, TaskRecord];
      assert.equal(await store.update(next(first, failed)), true);
      assert.equal(await store.update(next(last, { ...failed, statusMessage: '\ud800' })), true);
      const query = { limit: 10, now: NOW + 10 };
      const ids = (n: readonly number[]) => n.map((each) => sampleTask(each).id);
      assert.deepEqual(await idsOf(find(query)), ids([4, 2, 1]));
      assert.deepEqual(await idsOf(find({ ...query, status: 'failed' })), ids([4, 1]));
      assert.deepEqual(await idsOf(find({ ...query, status: 'working' })), ids([2]));
      assert.deepEqual(await idsOf(find({ ...query, status: 'cancelled' })), []);
      assert.deepEqual(await idsOf(find({ ...query, owner: 'ben' })), ids([2]));
      assert.deepEqual(await idsOf(find({ ...query, owner: last.owner })), ids([4]));
      assert.deepEqual(await idsOf(find({ ...query, id: first.id })), ids([1]));
      assert.deepEqual(await idsOf(find({ ...query, id: 'x' })), []);
      assert.deepEqual(await idsOf(find({ ...query, limit: 1 })), ids([4]));
      assert.deepEqual(await idsOf(find({ ...query, before: last.id })), ids([2, 1]));
      assert.deepEqual((await find({ ...query, id: first.id }))[0]?.owner, first.owner);
    },
    ['administration'],
  ),
  checkOf(
    'counts tasks by status, for administration',
    async (store) => {
      const administration = administrationOf(store);
      const tasks = [1, 2, 3, 4, 5, 6].map((n) => sampleTask(n, n === 6 ? { ttl: 1 } : {}));
      await insertAll(store, tasks);
      const [, asking, done, failed, cancelled] = tasks as [
        ...[TaskRecord, TaskRecord, TaskRecord, TaskRecord, TaskRecord],
      ];
      // Texts that look like statuses, and one that is no Unicode.
      const statusMessage = '"status":"completed" \ud800';
      await store.update(next(asking, { status: 'input_required', statusMessage }));
      await store.update(next(done, COMPLETED));
      await store.update(next(failed, { status: 'failed', statusMessage: '"status":"working"' }));
      await store.update(next(cancelled, { status: 'cancelled' }));
      assert.deepEqual(await administration.count(NOW + 10), {
        ...{ working: 1, input_required: 1, completed: 1, failed: 1, cancelled: 1 },
      });
    },
    ['administration'],
  ),
  checkOf(
    'finds and counts tasks by the status of their work, for administration',
    async (store) => {
      const administration = administrationOf(store);
      const find = (query: TaskQuery) => administration.find(query);
      const entry = (status: TaskStatus) => ({ status, attempt: 1, at: NOW });
      const history = TASK_STATUSES.filter((status) => !isTerminal(status)).map(entry);
      const changes: readonly Partial<TaskRecord>[] = [
        COMPLETED,
        // A tool that returned an error in the extension, with and without a text, and with one that is no Unicode.
        ...['No paper', '', '"status":"completed" \ud800'].map((statusMessage) => ({
          ...{ ...COMPLETED, statusMessage },
        })),
        ...TASK_STATUSES.filter((status) => status !== 'completed').flatMap((status) => [
          { status },
          { status, statusMessage: '"statusMessage":,"status":"completed"' },
        ]),
      ].flatMap((change) => [change, { ...change, history }]);
      const tasks = changes.map((_, n) => sampleTask(n, { dialect: 'ext' }));
      await insertAll(store, tasks);
      const changed = tasks.map((task, n) => next(task, changes[n]));
      for (const task of changed) assert.equal(await store.update(task), true);
      const counts = await administration.count(NOW + 10);
      const query = { limit: tasks.length, now: NOW + 10 };
      for (const status of TASK_STATUSES) {
        const expected = changed.filter((task) => workStatus(task) === status).reverse();
        const ids = expected.map(({ id }) => id);
        assert.deepEqual(await idsOf(find({ ...query, status })), ids, status);
        assert.deepEqual(await idsOf(find({ ...query, status, owner: 'ann' })), ids, status);
        assert.deepEqual(await idsOf(find({ ...query, status, limit: 1 })), ids.slice(0, 1));
        assert.equal(counts[status], expected.length, status);
      }
    },
    ['administration'],
  ),
  checkOf(
    'reports changes to those who observe all tasks, until that is ended, for administration',
    async (store) => {
      const administration = administrationOf(store);
      let reports = 0;
      const end = administration.observe(() => (reports += 1));
      await insertAll(store, [sampleTask(1)]);
      await store.update(next(sampleTask(1), COMPLETED));
      await eventually('of an observed change', () => reports > 0);
      end();
      const before = reports;
      await administration.remove([next(sampleTask(1), COMPLETED)]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal(reports, before);
    },
    ['administration'],
  ),
  checkOf(
    'takes a new task in the place of one that failed, whatever its owner has, for administration',
    async (store) => {
      const administration = administrationOf(store);
      const task = sampleTask(1, { createdAt: Date.now(), updatedAt: Date.now() });
      await insertAll(store, [task]);
      const outcome = '{"error":{"code":-1,"message":""}}';
      assert.equal(await store.update(next(task, { status: 'failed', outcome })), true);
      const repeated = await administer({ ...store, administration }).retry(task.id);
      assert.deepEqual(await store.get(repeated), repeated);
      assert.equal((await store.get(task))?.retriedAs, repeated.id);
      assert.deepEqual(await idsOf(store.orphans(Date.now(), 9)), [repeated.id]);
    },
    ['administration'],
  ),
  checkOf(
    'removes only tasks that have ended and are unchanged, for administration',
    async (store) => {
      const administration = administrationOf(store);
      const remove = (tasks: readonly TaskRecord[]) => administration.remove(tasks);
      const tasks = [sampleTask(1), sampleTask(2), sampleTask(3, { owner: 'ben' })];
      await insertAll(store, tasks);
      const [live, changed, ended] = tasks as [TaskRecord, TaskRecord, TaskRecord];
      const [second, third] = [next(changed, COMPLETED), next(ended, COMPLETED)];
      for (const task of [second, third]) assert.equal(await store.update(task), true);
      assert.equal(await remove([live, changed, third, third, sampleTask(9)]), 1);
      assert.notEqual(await store.get(live), undefined);
      assert.deepEqual(await store.get(second), second);
      assert.equal(await store.get(third), undefined);
      assert.equal(await remove([]), 0);
      // The room is free again.
      const caps = { ...NO_CAPS, storedPerOwner: 1 };
      const { kind } = await store.insert(sampleTask(4, { owner: 'ben' }), caps);
      assert.equal(kind, 'inserted');
    },
    ['administration'],
  ),
];
