import assert from 'node:assert/strict';

import type { TaskStore } from '../../tasks/index.js';
import {
  assertCounts,
  COMPLETED,
  idsOf,
  listIds,
  next,
  NO_CAPS,
  NOW,
  sampleTask,
} from './sample.js';
import type { Step } from './script.js';
import type { Trial } from './trial.js';

/** An operation that is acknowledged, and what has to be so from then on, whatever becomes of the process. */
export interface Acknowledgement {
  readonly of: string;
  readonly needs?: readonly ['administration'];
  /** Operations before it. */
  readonly before: readonly Step[];
  readonly last: Step;
  readonly verify: (
    store: TaskStore,
    trial: Pick<Trial, 'leases'>,
    result: unknown,
  ) => Promise<void>;
}

const insert = (record: ReturnType<typeof sampleTask>): Step => ({
  kind: 'insert',
  record,
  caps: NO_CAPS,
});

const IDEMPOTENCY = { key: 'key', digest: 'one' };
const FIRST = sampleTask(1, { idempotency: IDEMPOTENCY });
const ANSWERED = next(FIRST, {
  status: 'input_required',
  input: [{ key: 'input-1', method: 'm', params: '{}', answer: '{"result":{"a":1}}' }],
  steps: [{ name: 'step-1', attempt: 1, result: '1', at: NOW }],
});
const ENDED = next(ANSWERED, COMPLETED);
const HELD = sampleTask(3, { worker: 'worker' });
const SHORT = sampleTask(4, { ttl: 1, idempotency: { key: 'short', digest: 'one' } });

export const ACKNOWLEDGEMENTS: readonly Acknowledgement[] = [
  {
    of: 'an insertion',
    before: [insert(sampleTask(2))],
    last: insert(FIRST),
    async verify(store) {
      assert.deepEqual(await store.get(FIRST), FIRST);
      assert.deepEqual(await listIds(store), [sampleTask(2).id, FIRST.id]);
      assert.deepEqual(await store.insert(sampleTask(5, { idempotency: IDEMPOTENCY }), NO_CAPS), {
        kind: 'existing',
        record: FIRST,
      });
      await assertCounts(store, 'ann', { live: 2, stored: 2 });
    },
  },
  {
    of: 'an update, with its steps and answers',
    before: [insert(FIRST)],
    last: { kind: 'update', record: ANSWERED },
    async verify(store) {
      assert.deepEqual(await store.get(FIRST), ANSWERED);
      assert.equal(await store.update(ANSWERED), false);
      assert.equal(await store.update(ENDED), true);
    },
  },
  {
    of: 'the end of a task',
    before: [insert(FIRST), insert(sampleTask(2)), { kind: 'update', record: ANSWERED }],
    last: { kind: 'update', record: ENDED },
    async verify(store) {
      assert.deepEqual(await store.get(FIRST), ENDED);
      assert.deepEqual(await idsOf(store.orphans(NOW, 9)), [sampleTask(2).id]);
      await assertCounts(store, 'ann', { live: 1, stored: 2 });
    },
  },
  {
    of: 'an expiry',
    before: [insert(SHORT), insert(FIRST)],
    last: { kind: 'expire', now: NOW + 1, limit: 9 },
    async verify(store) {
      assert.equal(await store.get(SHORT), undefined);
      assert.deepEqual(await listIds(store), [FIRST.id]);
      assert.deepEqual(await store.expire(NOW + 1, 9), { removed: [], next: NOW + FIRST.ttl });
      const { createdAt: _, ...rest } = SHORT;
      assert.deepEqual(await store.insert({ ...rest, id: 'x', createdAt: NOW }, NO_CAPS), {
        kind: 'inserted',
      });
    },
  },
  {
    of: 'a removal',
    needs: ['administration'],
    before: [
      insert(FIRST),
      { kind: 'update', record: ANSWERED },
      { kind: 'update', record: ENDED },
    ],
    last: { kind: 'remove', tasks: [ENDED] },
    async verify(store) {
      assert.equal(await store.get(FIRST), undefined);
      assert.deepEqual(await listIds(store), []);
      assert.equal(
        (await store.insert(sampleTask(5), { ...NO_CAPS, storedPerOwner: 1 })).kind,
        'inserted',
      );
    },
  },
  {
    of: 'a lease',
    before: [insert(HELD)],
    last: { kind: 'renew', worker: 'worker', until: NOW + 1_000 },
    async verify(store, { leases }) {
      const found = leases === 'kept' ? [] : [HELD.id];
      assert.deepEqual(await idsOf(store.orphans(NOW, 9)), found, `Leases are not ${leases}`);
      assert.deepEqual(await idsOf(store.orphans(NOW + 1_000, 9)), [HELD.id]);
    },
  },
  {
    of: 'the secret',
    before: [],
    last: { kind: 'secret' },
    async verify(store, _, result) {
      assert.equal(Buffer.from(await store.secret()).toString('hex'), result);
    },
  },
];
