import { isTerminal, type InsertCaps, type TaskSummary } from '../tasks/index.js';

/**
 * Counts tasks in memory, so that checking a cap reads nothing from the store. It is exact while one
 * process does all writes. A store of several processes counts in its database.
 */
export interface TaskCounts {
  added(task: TaskSummary): void;
  ended(task: TaskSummary): void;
  /** `task` as it was when removed. */
  removed(task: TaskSummary): void;
  /** The cap that one more task of this owner would break. */
  exceeded(owner: string, caps: InsertCaps): keyof InsertCaps | undefined;
}

export interface OwnerCount {
  live: number;
  stored: number;
}

export function createTaskCounts(
  initial: Iterable<readonly [owner: string, count: OwnerCount]> = [],
): TaskCounts {
  const owners = new Map(initial);
  let live = 0;
  for (const count of owners.values()) live += count.live;

  function change(owner: string, liveBy: number, storedBy: number): void {
    const count = owners.get(owner) ?? { live: 0, stored: 0 };
    count.live += liveBy;
    count.stored += storedBy;
    live += liveBy;
    if (count.stored === 0) owners.delete(owner);
    else owners.set(owner, count);
  }

  return {
    added: ({ owner }) => change(owner, 1, 1),
    ended: ({ owner }) => change(owner, -1, 0),
    removed: ({ owner, status }) => change(owner, isTerminal(status) ? 0 : -1, -1),
    exceeded(owner, caps) {
      const count = owners.get(owner);
      if (live >= caps.live) return 'live';
      if ((count?.live ?? 0) >= caps.livePerOwner) return 'livePerOwner';
      if ((count?.stored ?? 0) >= caps.storedPerOwner) return 'storedPerOwner';
      return undefined;
    },
  };
}
