import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expiresAt } from '../../runtime/tasks/index.js';
import type { TaskKey, TaskStore } from '../../runtime/tasks/index.js';
import {
  COPY,
  early,
  forgetsLeases,
  HAD,
  keyOf,
  KILL,
  opened,
  REOPENED,
  seeded,
  swallowing,
  UNREAD,
  type Fault,
} from './fault.js';

const MISSING = { owner: '', dialect: 'core', id: '' } satisfies TaskKey;

/** Opens the place as if it were new when it cannot be read. */
const forgiving: Fault['seed'] = (open) => async (folder) => {
  try {
    return await open(folder);
  } catch {
    for (const name of ['tasks.log', 'tasks.closed.log', 'tasks.db', 'tasks.db-wal']) {
      rmSync(join(folder, name), { force: true });
    }
    return open(folder);
  }
};

/** What is lost when a process ends, a write fails, or a file is damaged. */
export const DURABLE_FAULTS: Readonly<Record<string, Fault>> = {
  'acknowledges an insertion before it is written': seeded(`has an insertion ${COPY}`, (store) =>
    early(store, 'insert'),
  ),
  'acknowledges an insertion and is killed': seeded(`has an insertion ${KILL}`, (store) =>
    early(store, 'insert'),
  ),
  'acknowledges an update before it is written': seeded(
    `has an update, with its steps and answers ${COPY}`,
    (store) => early(store, 'update'),
  ),
  'acknowledges the end of a task and is killed': seeded(`has the end of a task ${KILL}`, (store) =>
    early(store, 'update'),
  ),
  'acknowledges an expiry before it is written': seeded(`has an expiry ${COPY}`, (store) =>
    early(store, 'expire'),
  ),
  'acknowledges a removal before it is written': seeded(
    `has a removal ${KILL}`,
    (store) =>
      ({
        administration: store.administration && {
          ...store.administration,
          remove(tasks) {
            setTimeout(() => void store.administration?.remove(tasks), 20);
            return Promise.resolve(tasks.length);
          },
        },
      }) as Partial<TaskStore>,
  ),
  'acknowledges every tenth change of many before it is written': seeded(
    'has all that was acknowledged of many operations at once, and the others whole or not, in a copy',
    (store) => {
      const { insert = (...args) => store.insert(...args) } = early(store, 'insert');
      let n = 0;
      return { insert: (...args) => (++n % 10 ? store.insert(...args) : insert(...args)) };
    },
  ),
  'acknowledges the first of many changes before it is written': seeded(
    'has all that was acknowledged of many operations at once, and the others whole or not, after a kill at number 1',
    (store) => early(store, 'insert', 'update'),
  ),
  'swallows a failed insertion': seeded(`rejects an insertion ${HAD}`, (store) => ({
    insert: (...args) => swallowing(() => store.insert(...args), { kind: 'inserted' }),
  })),
  'swallows a failed update': seeded(`rejects an update ${HAD}`, (store) => ({
    update: (next) => swallowing(() => store.update(next), true),
  })),
  'says that a failed update lost a race': seeded(`rejects the end of a task ${HAD}`, (store) => ({
    update: (next) => swallowing(() => store.update(next), false),
  })),
  'swallows a failed expiry': seeded(`rejects an expiry ${HAD}`, (store) => ({
    expire: (...args) => swallowing(() => store.expire(...args), { removed: [], next: undefined }),
  })),
  'swallows a failed lease': seeded(`rejects a lease ${HAD}`, (store) => ({
    renew: (...args) => swallowing(() => store.renew(...args), undefined),
  })),
  'swallows a failed removal': seeded(
    `rejects a removal ${HAD}`,
    (store) =>
      ({
        administration: store.administration && {
          ...store.administration,
          remove: (tasks) => swallowing(async () => store.administration?.remove(tasks) ?? 0, 1),
        },
      }) as Partial<TaskStore>,
  ),
  'has a probe that does nothing': seeded(`rejects a probe ${HAD}`, () => ({
    probe: () => Promise.resolve(),
  })),
  'has a probe that only reads': seeded(`rejects a probe ${HAD}`, (store) => ({
    probe: async () => void (await store.get(MISSING)),
  })),
  'reads an emptied file as empty': opened(`refuses a file that was emptied, ${UNREAD}`, forgiving),
  'reads half a file as empty': opened(`refuses a file that was cut in half, ${UNREAD}`, forgiving),
  'reads a foreign file as empty': opened(
    `refuses a file that begins with other bytes, ${UNREAD}`,
    forgiving,
  ),
  'reads a file of zeros as empty': opened(
    `refuses a file that is zeros from its middle on, ${UNREAD}`,
    forgiving,
  ),
  'forgets what it removed': seeded(`has an expiry ${REOPENED}`, (store) => {
    const gone = new Set<string>();
    return {
      async expire(now, limit) {
        const removed = (
          await store.list({ owner: 'ann', dialect: 'core' }, { limit, now: 0 })
        ).filter((task) => expiresAt(task) <= now);
        for (const task of removed) gone.add(keyOf(task));
        return { removed, next: undefined };
      },
      get: async (key) => (gone.has(keyOf(key)) ? undefined : store.get(key)),
    };
  }),
  'counts from nothing after it was opened': seeded(
    'has every field, the counts and the order after many openings',
    async (store) => {
      const counts = await store.administration?.count(0);
      const earlier = Object.values(counts ?? {}).reduce((sum, n) => sum + n, 0);
      return {
        insert: (record, caps) =>
          store.insert(record, {
            ...caps,
            livePerOwner: caps.livePerOwner + earlier,
            storedPerOwner: caps.storedPerOwner + earlier,
          }),
      };
    },
  ),
  'has a new secret at each opening': seeded(`has the secret ${REOPENED}`, () => {
    const secret = crypto.getRandomValues(new Uint8Array(32));
    return { secret: () => Promise.resolve(secret) };
  }),
  'lets a second process in': opened(
    'refuses a second process while a first one has it open, and lets it in afterwards',
    (open) => (folder) => {
      rmSync(join(folder, 'lock'), { force: true });
      rmSync(join(folder, 'tasks.db-lock'), { force: true });
      return open(folder);
    },
  ),
  'stays locked after its process was killed': opened(
    `has an insertion ${KILL}`,
    (open) => async (folder) => {
      const mark = join(folder, 'in-use');
      if (existsSync(mark)) throw new Error('in use');
      writeFileSync(mark, '');
      const store = await open(folder);
      return {
        ...store,
        async close() {
          await store.close();
          rmSync(mark, { force: true });
        },
      };
    },
  ),
};

/** Of stores that keep leases when they are opened. */
export const LEASE_FAULTS: Readonly<Record<string, Fault>> = {
  'forgets leases when it is closed': seeded(`has a lease ${REOPENED}`, (store) =>
    forgetsLeases(store),
  ),
  'forgets leases when it is killed': seeded(`has a lease ${KILL}`, (store) =>
    forgetsLeases(store),
  ),
  'acknowledges a lease before it is written': seeded(`has a lease ${COPY}`, (store) =>
    early(store, 'renew'),
  ),
};
