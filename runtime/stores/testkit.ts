import assert from 'node:assert/strict';

import { METHODS } from '../protocol/index.js';
import { administer } from '../tasks/index.js';
import type {
  Caller,
  InsertCaps,
  TaskChange,
  TaskKey,
  TaskQuery,
  TaskRecord,
  TaskStore,
} from '../tasks/index.js';

/**
 * The checks that every store must pass, for any test runner:
 *
 *     for (const { name, run } of storeChecks) it(name, async () => run(await openEmptyStore()));
 *
 * Each check needs a new, empty store. It throws when the store is wrong.
 */
export interface StoreCheck {
  readonly name: string;
  readonly run: (store: TaskStore) => Promise<void>;
}

/** The checks of a durable store; `open` opens the same data every time. */
export interface DurableStoreCheck {
  readonly name: string;
  readonly run: (open: () => Promise<TaskStore>) => Promise<void>;
}

/** Where one set of tasks is kept for several processes. */
export interface SharedStorePlace {
  /** Another store of the same tasks, as another process would open it. The check closes it. */
  readonly open: () => Promise<TaskStore>;
  /** From now on no notification arrives at any store. Absent when notifications cannot be lost. */
  readonly loseNotifications?: () => Promise<void>;
}

/** What a store must satisfy that several processes share; each check wants a place of its own, empty. */
export interface SharedStoreCheck {
  readonly name: string;
  readonly run: (place: SharedStorePlace) => Promise<void>;
}

export const NO_CAPS: InsertCaps = { live: 1e9, livePerOwner: 1e9, storedPerOwner: 1e9 };

const NOW = 1_700_000_000_000;
const ANN: Caller = { owner: 'ann', dialect: 'core' };
const BEN: Caller = { owner: 'ben', dialect: 'core' };

/** A fresh task, as the engine would insert it; `n` makes its id, and ids sort by it. */
export function sampleTask(n: number, overrides: Partial<TaskRecord> = {}): TaskRecord {
  return {
    ...ANN,
    id: `task-${String(n).padStart(6, '0')}`,
    method: METHODS.toolsCall,
    tool: 'sample',
    status: 'working',
    createdAt: NOW,
    updatedAt: NOW,
    ttl: 60_000,
    pollInterval: 1_000,
    version: 1,
    worker: '',
    fence: 1,
    attempt: 1,
    args: '{"n":1,"text":"\\u0000 \\ud83d\\ude00 \\ud800"}',
    input: [],
    steps: [],
    ...overrides,
  };
}

function next(task: TaskRecord, change: Partial<TaskRecord> = {}): TaskRecord {
  return { ...task, version: task.version + 1, ...change };
}

const COMPLETED = { status: 'completed', outcome: '{"result":{}}' } as const;

async function insertAll(store: TaskStore, tasks: readonly TaskRecord[]): Promise<void> {
  const insertions = await Promise.all(tasks.map((task) => store.insert(task, NO_CAPS)));
  for (const { kind } of insertions) assert.equal(kind, 'inserted');
}

async function idsOf(found: Promise<readonly TaskKey[]>): Promise<string[]> {
  return (await found).map(({ id }) => id);
}

/** For stores with `administration`. */
const administrationChecks: readonly StoreCheck[] = [
  {
    name: 'finds tasks of all owners and dialects, newest first, for administration',
    async run(store) {
      if (store.administration === undefined) return;
      const { administration } = store;
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
  },
  {
    name: 'counts tasks by status, for administration',
    async run(store) {
      if (store.administration === undefined) return;
      const { administration } = store;
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
  },
  {
    name: 'reports changes to those who observe all tasks, until that is ended, for administration',
    async run(store) {
      if (store.administration === undefined) return;
      let reports = 0;
      const end = store.administration.observe(() => (reports += 1));
      await insertAll(store, [sampleTask(1)]);
      await store.update(next(sampleTask(1), COMPLETED));
      await eventually('of an observed change', () => reports > 0);
      end();
      const before = reports;
      await store.administration.remove([next(sampleTask(1), COMPLETED)]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal(reports, before);
    },
  },
  {
    name: 'takes a new task in the place of one that failed, whatever its owner has, for administration',
    async run(store) {
      const { administration } = store;
      if (administration === undefined) return;
      const task = sampleTask(1, { createdAt: Date.now(), updatedAt: Date.now() });
      await insertAll(store, [task]);
      const outcome = '{"error":{"code":-1,"message":""}}';
      assert.equal(await store.update(next(task, { status: 'failed', outcome })), true);
      const repeated = await administer({ ...store, administration }).retry(task.id);
      assert.deepEqual(await store.get(repeated), repeated);
      assert.equal((await store.get(task))?.retriedAs, repeated.id);
      assert.deepEqual(await idsOf(store.orphans(Date.now(), 9)), [repeated.id]);
    },
  },
  {
    name: 'removes only tasks that have ended and are unchanged, for administration',
    async run(store) {
      if (store.administration === undefined) return;
      const { administration } = store;
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
  },
];

export const storeChecks: readonly StoreCheck[] = [
  {
    name: 'gives back what was inserted, every field and byte of it',
    async run(store) {
      const task = sampleTask(1, {
        statusMessage: 'a "message"\n',
        progressToken: 7,
        trace: { traceparent: '00-1-2-03' },
        idempotency: { key: 'key', digest: 'digest' },
        input: [{ key: 'input-1', method: METHODS.elicitationCreate, params: '{"a":[1.5,null]}' }],
        steps: [{ name: 'step-1', attempt: 1, result: '{"a":"\\u0000"}' }],
      });
      await insertAll(store, [task]);
      assert.deepEqual(await store.get(task), task);
      const changed = next(task, {
        steps: [...task.steps, { name: 'a\n"', attempt: 2, until: NOW }],
      });
      assert.equal(await store.update(changed), true);
      assert.deepEqual(await store.get(task), changed);
    },
  },
  {
    name: 'finds a task only under its owner, dialect and id',
    async run(store) {
      const task = sampleTask(1);
      await insertAll(store, [task]);
      assert.equal(await store.get({ ...task, owner: 'ben' }), undefined);
      assert.equal(await store.get({ ...task, dialect: 'ext' }), undefined);
      assert.equal(await store.get({ ...task, id: 'task-000002' }), undefined);
      assert.equal(await store.update(next({ ...task, owner: 'ben' })), false);
    },
  },
  {
    name: 'replaces exactly the version before',
    async run(store) {
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
    },
  },
  {
    name: 'lets one of many rivals win',
    async run(store) {
      const task = sampleTask(1);
      await insertAll(store, [task]);
      const rivals = Array.from({ length: 20 }, (_, n) => next(task, { statusMessage: String(n) }));
      const won = await Promise.all(rivals.map((rival) => store.update(rival)));
      assert.equal(won.filter(Boolean).length, 1);
      assert.equal((await store.get(task))?.statusMessage, String(won.indexOf(true)));
    },
  },
  {
    name: 'one creation for one idempotency key of one caller',
    async run(store) {
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
    },
  },
  {
    name: 'keeps each cap exactly, also under concurrency, and counts what ends and expires',
    async run(store) {
      const caps: InsertCaps = { livePerOwner: 2, live: 3, storedPerOwner: 4 };
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
  },
  {
    name: "lists the caller's own, newest first, page after page, and nothing that has expired",
    async run(store) {
      const mine = [3, 1, 5, 2, 4].map((n) => sampleTask(n));
      await insertAll(store, [
        ...mine,
        sampleTask(6, BEN),
        sampleTask(7, { dialect: 'ext' }),
        sampleTask(8, { ttl: 1 }),
      ]);
      const now = NOW + 1;
      const page = await idsOf(store.list(ANN, { limit: 2, now }));
      assert.deepEqual(page, [sampleTask(5).id, sampleTask(4).id]);
      const rest = await idsOf(store.list(ANN, { before: sampleTask(4).id, limit: 9, now }));
      assert.deepEqual(
        rest,
        [3, 2, 1].map((n) => sampleTask(n).id),
      );
      assert.deepEqual(await store.list(ANN, { before: sampleTask(1).id, limit: 9, now }), []);
      assert.deepEqual(
        await store.list({ owner: 'unknown', dialect: 'core' }, { limit: 9, now }),
        [],
      );
    },
  },
  {
    name: 'expires at the millisecond, soonest first, in batches, live or not',
    async run(store) {
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
    },
  },
  {
    name: 'forgets an idempotency key with its task',
    async run(store) {
      const idempotency = { key: 'key', digest: 'one' };
      await insertAll(store, [sampleTask(1, { idempotency, ttl: 1 })]);
      await store.expire(NOW + 1, 9);
      await insertAll(store, [sampleTask(2, { idempotency })]);
    },
  },
  {
    name: 'does not return an expired task for its idempotency key, removed or not',
    async run(store) {
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
  },
  {
    name: 'finds orphans: live, unexpired, and without a worker or with an expired lease',
    async run(store) {
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
  },
  {
    name: 'can be probed at any time, and shows nothing of it',
    async run(store) {
      await insertAll(store, [sampleTask(1)]);
      await Promise.all([store.probe(), store.probe()]);
      assert.deepEqual(await store.get(sampleTask(1)), sampleTask(1));
      assert.deepEqual(await idsOf(store.list(ANN, { limit: 9, now: NOW })), [sampleTask(1).id]);
      assert.equal((await store.expire(NOW, 9)).removed.length, 0);
    },
  },
  {
    name: 'has a secret of at least 32 bytes that stays the same',
    async run(store) {
      const secret = await store.secret();
      assert.ok(secret.length >= 32);
      assert.deepEqual(await store.secret(), secret);
    },
  },
  {
    name: 'takes any string for owner, worker and payload',
    async run(store) {
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
    },
  },
  ...administrationChecks,
];

export const durableStoreChecks: readonly DurableStoreCheck[] = [
  {
    name: 'has everything after it was closed and opened again, caps and secret included',
    async run(open) {
      const before = await open();
      const idempotency = { key: 'key', digest: 'one' };
      const live = sampleTask(1, { idempotency });
      const done = next(sampleTask(2), COMPLETED);
      await insertAll(before, [live, sampleTask(2)]);
      assert.ok(await before.update(done));
      const secret = await before.secret();
      await before.close();

      const after = await open();
      assert.deepEqual(await after.get(live), live);
      assert.deepEqual(await after.get(done), done);
      assert.deepEqual(await after.secret(), secret);
      assert.equal((await after.insert(sampleTask(3, { idempotency }), NO_CAPS)).kind, 'existing');
      const full = await after.insert(sampleTask(4), { ...NO_CAPS, livePerOwner: 1 });
      assert.deepEqual(full, { kind: 'full', cap: 'livePerOwner' });
      const stored = await after.insert(sampleTask(5), { ...NO_CAPS, storedPerOwner: 2 });
      assert.deepEqual(stored, { kind: 'full', cap: 'storedPerOwner' });
      await after.close();
    },
  },
];

/** Longer than any store may take to report a change whose notification was lost. */
const LONGEST_WAIT_MS = 60_000;

async function eventually(what: string, condition: () => boolean): Promise<void> {
  const until = Date.now() + LONGEST_WAIT_MS;
  while (!condition()) {
    assert.ok(Date.now() < until, `No report within ${LONGEST_WAIT_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

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

const HOUR_MS = 3_600_000;

async function withTwo(
  { open }: SharedStorePlace,
  work: (one: TaskStore, other: TaskStore) => Promise<void>,
): Promise<void> {
  const [one, other] = [await open(), await open()];
  try {
    await work(one, other);
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
}

export const sharedStoreChecks: readonly SharedStoreCheck[] = [
  {
    name: 'gives every store the same tasks and the same secret',
    run: (place) =>
      withTwo(place, async (one, other) => {
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
    name: 'lets one of many rivals on two stores win',
    run: (place) =>
      withTwo(place, async (one, other) => {
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
    run: (place) =>
      withTwo(place, async (one, other) => {
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
    run: (place) =>
      withTwo(place, async (one, other) => {
        const caps: InsertCaps = { live: 9, livePerOwner: 5, storedPerOwner: 5 };
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
    name: 'removes each task that is due once',
    run: (place) =>
      withTwo(place, async (one, other) => {
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
  {
    name: 'reports to one store what another changes and removes, and it can be read then',
    run: (place) =>
      withTwo(place, async (one, other) => {
        const odd = sampleTask(1, { owner: 'a"\u0000\ud83d\ude00\ud800 ' });
        const tasks = [odd, sampleTask(2), sampleTask(3, { dialect: 'ext' })];
        await insertAll(one, tasks);
        const watched = watch(other);
        const updated = await Promise.all(tasks.map((task) => one.update(next(task))));
        assert.deepEqual(updated, [true, true, true]);
        for (const task of tasks) {
          await eventually('a change', () => watched.version(task) === 2);
          assert.equal((await other.get(task))?.version, 2);
        }
        await one.expire(NOW + 60_000, 9);
        for (const task of tasks) await eventually('a removal', () => watched.removed(task));
        assert.equal(await other.get(odd), undefined);
      }),
  },
  {
    name: 'reports thousands of changes of one moment, and owners of any length',
    run: (place) =>
      withTwo(place, async (one, other) => {
        const long = sampleTask(0, { owner: 'x'.repeat(2_000) });
        const tasks = Array.from({ length: 2_000 }, (_, n) => sampleTask(n + 1)).concat(long);
        await insertAll(one, tasks);
        const watched = watch(other);
        await Promise.all(tasks.map((task) => one.update(next(task))));
        await eventually('all', () => tasks.every((task) => watched.version(task) === 2));
      }),
  },
  {
    name: 'reports nothing to a watcher that has ended, and goes on for the others',
    run: (place) =>
      withTwo(place, async (one, other) => {
        await insertAll(one, [sampleTask(1), sampleTask(2)]);
        const ended = watch(other);
        const watched = watch(other);
        await one.update(next(sampleTask(1)));
        await eventually('a change', () => ended.version(sampleTask(1)) === 2);
        ended.end();
        await one.update(next(sampleTask(2)));
        await eventually('a change', () => watched.version(sampleTask(2)) === 2);
        assert.equal(ended.version(sampleTask(2)), 0);
      }),
  },
  {
    name: 'reports in the end what a lost notification would have reported',
    run: (place) =>
      withTwo(place, async (one, other) => {
        const tasks = [sampleTask(1), sampleTask(2), sampleTask(3)];
        await insertAll(one, tasks);
        const watched = watch(other);
        await one.update(next(sampleTask(1)));
        await eventually('a change', () => watched.version(sampleTask(1)) === 2);
        await place.loseNotifications?.();
        await one.update(next(sampleTask(2)));
        await eventually('a change', () => watched.version(sampleTask(2)) === 2);
        await one.expire(NOW + 60_000, 9);
        for (const task of tasks) await eventually('a removal', () => watched.removed(task));
      }),
  },
];
