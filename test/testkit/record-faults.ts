import { NO_CAPS } from '../../runtime/testing/testkit/index.js';
import type { TaskRecord, TaskSummary } from '../../runtime/tasks/index.js';
import { force, listing, seeded, setLater, without, writing, type Fault } from './fault.js';

const KNOWN =
  'owner dialect id method tool status createdAt updatedAt ttl pollInterval version worker fence attempt args input steps outcome statusMessage idempotency'.split(
    ' ',
  );

/** Of leases, changes and records. */
export const RECORD_FAULTS: Readonly<Record<string, Fault>> = {
  'forgets leases at once': seeded(
    'finds orphans: live, unexpired, and without a worker or with an expired lease',
    () => ({ renew: () => Promise.resolve() }),
  ),
  'remembers one lease': seeded(
    'takes every lease as it was renewed last, shorter ones too',
    (store) => {
      let last = '';
      return {
        async renew(worker, until) {
          if (last !== '' && last !== worker) await store.renew(last, 0);
          last = worker;
          await store.renew(worker, until);
        },
      };
    },
  ),
  'keeps the longest lease': seeded(
    'takes every lease as it was renewed last, shorter ones too',
    (store) => {
      const leases = new Map<string, number>();
      return {
        renew(worker, until) {
          leases.set(worker, Math.max(until, leases.get(worker) ?? 0));
          return store.renew(worker, leases.get(worker) ?? 0);
        },
      };
    },
  ),
  'finds no orphan that was given up': seeded(
    'finds a task that was given up at once',
    (store) => ({
      orphans: async (...args) =>
        (await store.orphans(...args)).filter(({ worker }) => worker !== ''),
    }),
  ),
  'finds orphans that have expired': seeded(
    'finds orphans: live, unexpired, and without a worker or with an expired lease',
    (store) => ({ orphans: (_, limit) => store.orphans(0, limit) }),
  ),
  'takes a change of an old version': seeded('replaces exactly the version before', (store) => ({
    update: (next) => force(store, next),
  })),
  'takes a change of a worker that lost the task': seeded(
    'refuses what a worker writes after it has lost the task',
    (store) => ({
      async update(next) {
        const stored = await store.get(next);
        return stored !== undefined && next.fence < stored.fence
          ? force(store, next)
          : store.update(next);
      },
    }),
  ),
  'compares and sets in two steps': seeded('lets one of many rivals win', (store) => ({
    update: (next) => setLater(store, next),
  })),
  'skips versions': seeded('replaces exactly the version before', (store) => ({
    async update(next) {
      return (await store.update(next)) || (next.version > 3 && force(store, next));
    },
  })),
  'loses steps': seeded('gives back what was inserted, every field and byte of it', (store) => ({
    update: (next) => store.update({ ...next, steps: next.steps.slice(0, 1) }),
  })),
  'loses answers': seeded('gives back what was inserted, every field and byte of it', (store) =>
    writing(store, (record) => ({ ...record, input: record.input.map(without('answer')) })),
  ),
  'keeps only the fields that it knows': seeded(
    'gives back what was inserted, every field and byte of it',
    (store) =>
      writing(
        store,
        (record) =>
          Object.fromEntries(
            Object.entries(record).filter(([name]) => KNOWN.includes(name)),
          ) as unknown as TaskRecord,
      ),
  ),
  'never clears a field': seeded('drops a field that a change leaves out', (store) => ({
    update: async (next) => store.update({ ...(await store.get(next)), ...next }),
  })),
  'cuts long texts': seeded('keeps large payloads, and numbers of any size', (store) =>
    writing(store, (record) => ({ ...record, args: record.args.slice(0, 65_535) })),
  ),
  'keeps numbers of 32 bits': seeded('keeps large payloads, and numbers of any size', (store) =>
    writing(store, (record) => ({ ...record, fence: record.fence | 0 })),
  ),
  'shows less in lists': seeded(
    'shows every field of a summary in lists, orphans and expiries',
    (store) => listing(store, (tasks) => tasks.map(without('progressToken'))),
  ),
  'shows old summaries': seeded(
    'shows every field of a summary in lists, orphans and expiries',
    (store) => {
      const first = new Map<string, TaskSummary>();
      return listing(store, (tasks) =>
        tasks.map((task) => {
          first.set(task.id, first.get(task.id) ?? task);
          return first.get(task.id) ?? task;
        }),
      );
    },
  ),
  'finds tasks of other owners': seeded(
    'finds a task only under its owner, dialect and id',
    (store) => ({
      get: async (key) => (await store.get(key)) ?? (await store.get({ ...key, owner: 'ann' })),
    }),
  ),
  'finds tasks of the other dialect': seeded(
    'finds a task only under its owner, dialect and id',
    (store) => ({ get: (key) => store.get({ ...key, dialect: 'core' }) }),
  ),
  'takes owners for equal that look alike': seeded(
    'keeps tasks apart that differ in one part of their key',
    (store) => ({
      insert: (record, caps) => store.insert({ ...record, owner: record.owner.normalize() }, caps),
      get: (key) => store.get({ ...key, owner: key.owner.normalize() }),
    }),
  ),
  'brings removed tasks back': seeded('does not bring back a task that was removed', (store) => ({
    async update(next) {
      if ((await store.get(next)) !== undefined) return store.update(next);
      return (await store.insert(next, NO_CAPS)).kind === 'inserted';
    },
  })),
};
