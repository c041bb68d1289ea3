import assert from 'node:assert/strict';

import {
  ANN,
  assertSummary,
  COMPLETED,
  fullTask,
  idsOf,
  insertAll,
  next,
  NOW,
  sampleTask,
} from './sample.js';
import { checkOf, type Check } from './trial.js';

/** Strings that look alike to encodings, collations and file names. */
const ODD = [
  ...['', "'; DROP TABLE tasks; --", 'a\u0000b', 'a', '\u{1f600}', '__proto__', '%_', '../a', 'A'],
  ...['\u00e9', 'e\u0301', ' a', 'a ', 'a\nb', 'x'.repeat(2_000), `${'x'.repeat(1_999)}y`],
  ...['\ud800', '\udfff', '\ufffd'],
];

/** How records are kept, found and replaced. */
export const recordChecks: readonly Check[] = [
  checkOf('gives back what was inserted, every field and byte of it', async (store) => {
    const task = fullTask(1);
    await insertAll(store, [task]);
    assert.deepEqual(await store.get(task), task);
    const changed = next(task, {
      status: 'input_required',
      input: [...task.input, { key: 'input-2', method: 'a', params: '1', answer: '{"result":{}}' }],
      steps: [...task.steps, { name: 'a\n"', attempt: 2, until: NOW }],
    });
    assert.equal(await store.update(changed), true);
    assert.deepEqual(await store.get(task), changed);
    const ended = next(changed, { ...COMPLETED, statusMessage: 'over' });
    assert.equal(await store.update(ended), true);
    assert.deepEqual(await store.get(task), ended);
  }),
  checkOf('shows every field of a summary in lists, orphans and expiries', async (store) => {
    const task = fullTask(1);
    await insertAll(store, [task]);
    assertSummary((await store.list(ANN, { limit: 9, now: NOW }))[0], task);
    assertSummary((await store.orphans(NOW, 9))[0], task);
    const changed = next(task, { statusMessage: 'changed' });
    assert.ok(await store.update(changed));
    assertSummary((await store.list(ANN, { limit: 9, now: NOW }))[0], changed);
    assertSummary((await store.orphans(NOW, 9))[0], changed);
    assertSummary((await store.expire(NOW + task.ttl, 9)).removed[0], changed);
  }),
  checkOf('drops a field that a change leaves out', async (store) => {
    const { statusMessage: _, queued: __, ...rest } = fullTask(1);
    await insertAll(store, [fullTask(1)]);
    assert.ok(await store.update(next(rest)));
    assert.deepEqual(await store.get(rest), next(rest));
  }),
  checkOf('keeps large payloads, and numbers of any size', async (store) => {
    const text = JSON.stringify('\u00e9'.repeat(300_000));
    const many = <T>(entry: (n: number) => T) => Array.from({ length: 300 }, (_, n) => entry(n));
    const task = sampleTask(1, {
      args: text,
      ttl: 9_000_000_000_000,
      fence: Number.MAX_SAFE_INTEGER,
      attempt: 2 ** 40,
      pollInterval: 0.5,
      input: many((n) => ({ key: `key-${n}`, method: 'm', params: '{}', answer: '{"result":{}}' })),
      steps: many((n) => ({ name: `step-${n}`, attempt: n, result: String(n), at: NOW })),
    });
    await insertAll(store, [task]);
    assert.deepEqual(await store.get(task), task);
    const ended = next(task, { status: 'completed', outcome: text });
    assert.ok(await store.update(ended));
    assert.deepEqual(await store.get(task), ended);
  }),
  checkOf('finds a task only under its owner, dialect and id', async (store) => {
    const task = sampleTask(1);
    await insertAll(store, [task]);
    assert.equal(await store.get({ ...task, owner: 'ben' }), undefined);
    assert.equal(await store.get({ ...task, dialect: 'ext' }), undefined);
    assert.equal(await store.get({ ...task, id: 'task-000002' }), undefined);
    assert.equal(await store.update(next({ ...task, owner: 'ben' })), false);
  }),
  checkOf('replaces exactly the version before', async (store) => {
    const task = sampleTask(1);
    await insertAll(store, [task]);
    const second = next(task, { statusMessage: 'second', status: 'input_required' });
    assert.equal(await store.update(second), true);
    assert.equal(await store.update(second), false);
    assert.equal(await store.update(next(second, { version: 9 })), false);
    assert.deepEqual(await store.get(task), second);
    const third = next(second, COMPLETED);
    assert.equal(await store.update(third), true);
    assert.deepEqual(await store.get(task), third);
  }),
  checkOf('lets one of many rivals win', async (store) => {
    const task = sampleTask(1);
    await insertAll(store, [task]);
    const rivals = Array.from({ length: 20 }, (_, n) => next(task, { statusMessage: String(n) }));
    const won = await Promise.all(rivals.map((rival) => store.update(rival)));
    assert.equal(won.filter(Boolean).length, 1);
    assert.equal((await store.get(task))?.statusMessage, String(won.indexOf(true)));
  }),
  checkOf('refuses what a worker writes after it has lost the task', async (store) => {
    const task = sampleTask(1, { worker: 'lost' });
    await insertAll(store, [task]);
    const taken = next(task, { worker: 'winner', fence: 2, attempt: 2 });
    assert.equal(await store.update(taken), true);
    for (const late of [next(task, { statusMessage: 'late' }), next(task, COMPLETED)]) {
      assert.equal(await store.update(late), false);
    }
    assert.deepEqual(await store.get(task), taken);
  }),
  checkOf('keeps tasks apart that differ in one part of their key', async (store) => {
    const tasks = ODD.map((owner, n) => sampleTask(n, { owner, worker: owner }));
    await insertAll(store, tasks);
    for (const [n, owner] of ODD.entries()) {
      for (const [m, task] of tasks.entries()) {
        const found = await store.get({ ...task, owner });
        assert.deepEqual(found, n === m ? task : undefined, `${JSON.stringify(owner)}, ${m}`);
      }
      const listed = store.list({ owner, dialect: 'core' }, { limit: 99, now: NOW });
      assert.deepEqual(await idsOf(listed), [sampleTask(n).id]);
    }
  }),
  checkOf('does not bring back a task that was removed', async (store) => {
    const task = sampleTask(1, { ttl: 1 });
    await insertAll(store, [task]);
    assert.equal((await store.expire(NOW + 1, 9)).removed.length, 1);
    assert.equal(await store.update(next(task)), false);
    assert.equal(await store.update(next(task, { version: 1 })), false);
    assert.equal(await store.get(task), undefined);
    assert.deepEqual(await store.list(ANN, { limit: 9, now: NOW }), []);
  }),
  checkOf('takes any string for owner, worker and payload', async (store) => {
    const odd = ['', "'; DROP TABLE tasks; --", 'a\u0000b', '\u{1f600}', '__proto__', '%_'];
    await insertAll(
      store,
      odd.map((owner, n) => sampleTask(n, { owner, worker: owner, args: JSON.stringify(owner) })),
    );
    for (const [n, owner] of odd.entries()) {
      const record = await store.get({ ...sampleTask(n), owner });
      assert.equal(record?.args, JSON.stringify(owner));
      assert.deepEqual(
        await idsOf(store.list({ owner, dialect: 'core' }, { limit: 9, now: NOW })),
        [sampleTask(n).id],
      );
    }
  }),
];
