import { expiresAt, isTerminal } from '../../runtime/tasks/index.js';
import type { TaskRecord, TaskStore } from '../../runtime/tasks/index.js';
import { keyOf, listing, seeded, type Fault } from './fault.js';

/** Of lists, expiry, caps, idempotency keys and administration. */
export const QUERY_FAULTS: Readonly<Record<string, Fault>> = {
  'lists in the order of insertion': seeded(
    "lists the caller's own, newest first, page after page, and nothing that has expired",
    (store) => {
      const order: string[] = [];
      return {
        insert(record, caps) {
          order.unshift(record.id);
          return store.insert(record, caps);
        },
        async list(caller, query) {
          const all = await store.list(caller, { now: query.now, limit: 1e6 });
          const sorted = [...all].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
          return sorted.slice(0, query.limit);
        },
      };
    },
  ),
  'counts pages instead of following the cursor': seeded(
    'pages go on from their cursor, whatever was added, changed or removed',
    (store) => {
      const offsets = new Map<string, number>();
      return {
        async list(caller, { before, limit, now }) {
          const all = await store.list(caller, { limit: 1e6, now });
          const known = all.findIndex(({ id }) => id === before);
          const offset = offsets.get(before ?? '') ?? known + 1;
          offsets.set(before ?? '', offset);
          return all.slice(offset, offset + limit);
        },
      };
    },
  ),
  'begins again when the task of the cursor was removed': seeded(
    'pages go on from their cursor, whatever was added, changed or removed',
    (store) => ({
      async list(caller, { before, limit, now }) {
        const all = await store.list(caller, { limit: 1e6, now: 0 });
        const from = all.findIndex(({ id }) => id === before) + 1;
        return all.filter((task) => expiresAt(task) > now).slice(from, from + limit);
      },
    }),
  ),
  'sorts ids as a dictionary does': seeded('sorts ids by the codes of their characters', (store) =>
    listing(store, (tasks) => [...tasks].sort((a, b) => b.id.localeCompare(a.id))),
  ),
  'lists what has expired': seeded(
    "lists the caller's own, newest first, page after page, and nothing that has expired",
    (store) => ({ list: (caller, query) => store.list(caller, { ...query, now: 0 }) }),
  ),
  'expires a millisecond too early': seeded(
    'expires at the millisecond, soonest first, in batches, live or not',
    (store) => ({ expire: (now, limit) => store.expire(now + 1, limit) }),
  ),
  'removes more than it was asked to': seeded(
    'expires at the millisecond, soonest first, in batches, live or not',
    (store) => ({ expire: (now) => store.expire(now, 1e6) }),
  ),
  'counts an end twice': seeded(
    'counts exactly, whatever was refused, changed after its end, or removed',
    (store) => {
      let missed = 0;
      return {
        insert: (record, caps) =>
          store.insert(record, { ...caps, livePerOwner: caps.livePerOwner + missed }),
        async update(next) {
          const before = await store.get(next);
          const updated = await store.update(next);
          if (updated && before && isTerminal(before.status)) missed += 1;
          return updated;
        },
      };
    },
  ),
  'counts what it refused': seeded(
    'counts exactly, whatever was refused, changed after its end, or removed',
    (store) => {
      let refused = 0;
      return {
        async insert(record, caps) {
          const stored = caps.storedPerOwner - refused;
          const insertion = await store.insert(record, { ...caps, storedPerOwner: stored });
          if (insertion.kind !== 'inserted') refused += 1;
          return insertion;
        },
      };
    },
  ),
  'looks up an idempotency key before it writes': seeded(
    'one creation for one idempotency key of one caller',
    (store) => {
      const known = new Map<string, TaskRecord>();
      return {
        async insert(record, caps) {
          const name = record.idempotency && keyOf({ ...record, id: record.idempotency.key });
          const earlier = name === undefined ? undefined : known.get(name);
          if (earlier) return { kind: 'existing', record: earlier };
          await Promise.resolve();
          if (name !== undefined) known.set(name, record);
          const { idempotency: _, ...rest } = record;
          return store.insert(rest, caps);
        },
      };
    },
  ),
  'returns a task as it was first': seeded(
    'returns the task of an idempotency key as it is now',
    (store) => {
      const first = new Map<string, TaskRecord>();
      return {
        async insert(record, caps) {
          const insertion = await store.insert(record, caps);
          first.set(record.id, first.get(record.id) ?? record);
          if (insertion.kind !== 'existing') return insertion;
          return { kind: 'existing', record: first.get(insertion.record.id) ?? insertion.record };
        },
      };
    },
  ),
  'shares idempotency keys among owners': seeded(
    'one creation for one idempotency key of one caller',
    (store) => {
      const keys = new Map<string, TaskRecord>();
      return {
        insert(record, caps) {
          const key = record.idempotency?.key;
          const earlier = key === undefined ? undefined : keys.get(key);
          if (earlier) return Promise.resolve({ kind: 'existing', record: earlier });
          if (key !== undefined) keys.set(key, record);
          return store.insert(record, caps);
        },
      };
    },
  ),
  'removes tasks that live': seeded(
    'removes only tasks that have ended and are unchanged, for administration',
    (store) =>
      ({
        administration: store.administration && {
          ...store.administration,
          async remove(tasks) {
            const removed = (await store.administration?.remove(tasks)) ?? 0;
            return removed + 1;
          },
        },
      }) as Partial<TaskStore>,
  ),
  'finds the tasks of one owner alone, for administration': seeded(
    'finds tasks of all owners and dialects, newest first, for administration',
    (store) =>
      ({
        administration: store.administration && {
          ...store.administration,
          find: (query) =>
            store.administration?.find({ owner: 'ben', ...query }) ?? Promise.resolve([]),
        },
      }) as Partial<TaskStore>,
  ),
};
