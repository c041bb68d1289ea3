import type { TaskKey, TaskRecord, TaskStore, TaskSummary } from '../../runtime/tasks/index.js';

/** Opens a store on the folder that it is given. */
export type Open = (folder: string) => Promise<TaskStore>;

/** A store that breaks a promise, made of one that keeps it, and the check that finds it out. */
export interface Fault {
  readonly check: string;
  readonly seed: (open: Open) => Open;
}

type Break = (store: TaskStore) => Partial<TaskStore> | Promise<Partial<TaskStore>>;

export function seeded(check: string, broken: Break): Fault {
  return {
    check,
    seed: (open) => async (folder) => {
      const store = await open(folder);
      return { ...store, ...(await broken(store)) };
    },
  };
}

export function opened(check: string, seed: Fault['seed']): Fault {
  return { check, seed };
}

/** Longer than a busy machine takes from an acknowledgement to a copy of the files. */
const WRITTEN_AFTER_MS = 200;

/** Acknowledges operations at once and does them later, and shows them meanwhile. */
export function early(
  store: TaskStore,
  ...names: readonly (keyof TaskStore)[]
): Partial<TaskStore> {
  const pending = new Set<Promise<unknown>>();
  const written = new Map<string, TaskRecord>();
  const later = (work: () => Promise<unknown>): void => {
    const done = new Promise((resolve) => setTimeout(resolve, WRITTEN_AFTER_MS)).then(work);
    pending.add(done);
    void done.finally(() => pending.delete(done)).catch(() => undefined);
  };
  const broken: Partial<TaskStore> = {
    insert(record, caps) {
      later(() => store.insert(record, caps));
      written.set(record.id, record);
      return Promise.resolve({ kind: 'inserted' });
    },
    update(next) {
      later(() => store.update(next));
      written.set(next.id, next);
      return Promise.resolve(true);
    },
    renew(worker, until) {
      later(() => store.renew(worker, until));
      return Promise.resolve();
    },
    expire(now, limit) {
      later(() => store.expire(now, limit));
      return Promise.resolve({ removed: [], next: undefined });
    },
  };
  return {
    ...Object.fromEntries(names.map((name) => [name, broken[name]])),
    get: async (key) => written.get(key.id) ?? (await store.get(key)),
    async close() {
      await Promise.allSettled(pending);
      await store.close();
    },
  };
}

/** Reports success when a write fails. */
export function swallowing<T>(work: () => Promise<T>, answer: T): Promise<T> {
  return work().catch(() => answer);
}

/** Takes a record that is not the next one. */
export async function force(store: TaskStore, next: TaskRecord): Promise<boolean> {
  const stored = await store.get(next);
  return stored !== undefined && store.update({ ...next, version: stored.version + 1 });
}

export const without =
  (...names: readonly string[]) =>
  <T extends object>(record: T): T =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name))) as T;

/** Changes what is written. */
export function writing(
  store: TaskStore,
  change: (record: TaskRecord) => TaskRecord,
): Partial<TaskStore> {
  return {
    insert: (record, caps) => store.insert(change(record), caps),
    update: (next) => store.update(change(next)),
  };
}

/** Changes what is listed. */
export function listing(
  store: TaskStore,
  change: (tasks: readonly TaskSummary[]) => readonly TaskSummary[],
): Partial<TaskStore> {
  return { list: async (...args) => change(await store.list(...args)) };
}

export const keyOf = ({ owner, dialect, id }: TaskKey): string =>
  JSON.stringify([owner, dialect, id]);

export const COPY = 'in a copy of the place that is made when it is acknowledged';
export const KILL = 'after the process was killed that acknowledged it';
export const REOPENED = 'after it was closed and opened again';
export const HAD = 'that cannot be written, and has what it had before';
export const UNREAD = 'and does not read it as one without tasks';

/** Keeps leases in memory alone. */
export function forgetsLeases(store: TaskStore): Partial<TaskStore> {
  const leases = new Map<string, number>();
  return {
    renew(worker, until) {
      leases.set(worker, until);
      return Promise.resolve();
    },
    orphans: async (now, limit) =>
      (await store.orphans(now, limit)).filter(({ worker }) => (leases.get(worker) ?? 0) <= now),
  };
}

/** Reads, and then writes in another turn whatever came in between. */
export async function setLater(store: TaskStore, next: TaskRecord): Promise<boolean> {
  const stored = await store.get(next);
  if (stored?.version !== next.version - 1) return false;
  await new Promise((resolve) => setTimeout(resolve, 1));
  return (await store.update(next)) || force(store, next);
}
