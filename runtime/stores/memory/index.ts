import {
  createHeap,
  expiresAt,
  isTerminal,
  NO_COUNTS,
  workStatus,
  type Caller,
  type Heap,
  type TaskKey,
  type TaskRecord,
  type TaskStore,
} from '../../tasks/index.js';
import { createChanges, createTaskCounts } from '../task-counts.js';

interface Due {
  readonly at: number;
  readonly id: string;
}

/** Keeps tasks in memory until the process ends. For tests, and for servers whose tasks may be lost. */
export function createMemoryStore(): TaskStore {
  let secret: Uint8Array | undefined;
  const records = new Map<string, TaskRecord>();
  const live = new Set<string>();
  const byCaller = new Map<string, SortedIds>();
  const byIdempotencyKey = new Map<string, string>();
  const leases = new Map<string, number>();
  const dueTimes: Heap<Due> = createHeap();
  const counts = createTaskCounts();
  const changes = createChanges();

  function find({ owner, dialect, id }: TaskKey): TaskRecord | undefined {
    const record = records.get(id);
    return record?.owner === owner && record.dialect === dialect ? record : undefined;
  }

  function idsOf(caller: Caller): SortedIds {
    const name = callerName(caller);
    const ids = byCaller.get(name) ?? createSortedIds();
    byCaller.set(name, ids);
    return ids;
  }

  function remove(record: TaskRecord): void {
    records.delete(record.id);
    live.delete(record.id);
    const ids = idsOf(record);
    ids.remove(record.id);
    if (ids.size === 0) byCaller.delete(callerName(record));
    const name = record.idempotency && idempotencyName(record, record.idempotency.key);
    // Removes the key only if it still belongs to this task.
    if (name !== undefined && byIdempotencyKey.get(name) === record.id) {
      byIdempotencyKey.delete(name);
    }
    counts.removed(record);
    changes.happened();
  }

  return {
    // Not before it is needed: workerd gives no random bytes to a module that is being loaded.
    secret: () => Promise.resolve((secret ??= crypto.getRandomValues(new Uint8Array(32)))),

    insert(record, caps) {
      const name = record.idempotency && idempotencyName(record, record.idempotency.key);
      const earlier =
        name === undefined ? undefined : records.get(byIdempotencyKey.get(name) ?? '');
      if (earlier && expiresAt(earlier) > record.createdAt) {
        return Promise.resolve({ kind: 'existing', record: earlier });
      }
      const cap = counts.exceeded(record, caps);
      if (cap) return Promise.resolve({ kind: 'full', cap });
      records.set(record.id, record);
      live.add(record.id);
      idsOf(record).add(record.id);
      if (name !== undefined) byIdempotencyKey.set(name, record.id);
      dueTimes.push({ at: expiresAt(record), id: record.id });
      counts.added(record);
      changes.happened();
      return Promise.resolve({ kind: 'inserted' });
    },

    get: (key) => Promise.resolve(find(key)),

    update(next) {
      const stored = find(next);
      if (stored?.version !== next.version - 1) return Promise.resolve(false);
      records.set(next.id, next);
      if (isTerminal(next.status) && live.delete(next.id)) counts.ended(next);
      changes.happened();
      return Promise.resolve(true);
    },

    list(caller, { before, limit, now }) {
      const page: TaskRecord[] = [];
      for (const id of byCaller.get(callerName(caller))?.descending(before) ?? []) {
        const record = records.get(id);
        if (record && expiresAt(record) > now) page.push(record);
        if (page.length === limit) break;
      }
      return Promise.resolve(page);
    },

    expire(now, limit) {
      const removed: TaskRecord[] = [];
      while (removed.length < limit && (dueTimes.peek()?.at ?? Infinity) <= now) {
        const record = records.get(dueTimes.pop()?.id ?? '');
        if (!record) continue;
        remove(record);
        removed.push(record);
      }
      return Promise.resolve({ removed, next: dueTimes.peek()?.at });
    },

    renew(worker, until) {
      leases.set(worker, until);
      return Promise.resolve();
    },

    orphans(now, limit) {
      const found: TaskRecord[] = [];
      for (const id of live) {
        const record = records.get(id);
        if (record && expiresAt(record) > now && (leases.get(record.worker) ?? 0) <= now) {
          found.push(record);
        }
        if (found.length === limit) break;
      }
      return Promise.resolve(found);
    },

    probe: () => Promise.resolve(),

    close: () => Promise.resolve(),

    administration: {
      find({ id, owner, status, before, limit, now }) {
        const found = [...records.values()].filter(
          (record) =>
            expiresAt(record) > now &&
            (id === undefined || record.id === id) &&
            (owner === undefined || record.owner === owner) &&
            (status === undefined || workStatus(record) === status) &&
            (before === undefined || record.id < before),
        );
        return Promise.resolve(found.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit));
      },
      count(now) {
        const found = { ...NO_COUNTS };
        for (const record of records.values()) {
          if (expiresAt(record) > now) found[workStatus(record)] += 1;
        }
        return Promise.resolve(found);
      },
      observe: changes.observe,
      remove(tasks) {
        const removed = tasks.filter((task) => {
          const stored = find(task);
          if (stored?.version !== task.version || !isTerminal(stored.status)) return false;
          remove(stored);
          return true;
        });
        return Promise.resolve(removed.length);
      },
    },
  };
}

function callerName({ owner, dialect }: Caller): string {
  return `${dialect} ${owner}`;
}

function idempotencyName(caller: Caller, key: string): string {
  return JSON.stringify([caller.dialect, caller.owner, key]);
}

/** Ids in ascending order. They mostly arrive in this order, so adding is nearly always a push. */
interface SortedIds {
  add(id: string): void;
  remove(id: string): void;
  /** Ids in descending order, from the greatest, or from the one before `before`. */
  descending(before: string | undefined): Iterable<string>;
  readonly size: number;
}

function createSortedIds(): SortedIds {
  const ids: string[] = [];

  /** The index of the first id that is not less. */
  function lowerBound(id: string): number {
    let low = 0;
    let high = ids.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ids[middle] ?? '') < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    add(id) {
      const last = ids.at(-1);
      if (last === undefined || last < id) ids.push(id);
      else ids.splice(lowerBound(id), 0, id);
    },
    remove(id) {
      const index = lowerBound(id);
      if (ids[index] === id) ids.splice(index, 1);
    },
    *descending(before) {
      const start = before === undefined ? ids.length : lowerBound(before);
      for (let index = start - 1; index >= 0; index -= 1) {
        const id = ids[index];
        if (id !== undefined) yield id;
      }
    },
    get size() {
      return ids.length;
    },
  };
}
