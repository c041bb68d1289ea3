import {
  capExceeded,
  isTerminal,
  subjectKeyOf,
  type Caller,
  type ExceededCap,
  type InsertCaps,
  type TaskSummary,
  nextTurn,
} from '../tasks/index.js';

/**
 * Counts tasks in memory, so that checking a cap reads nothing from the store. It is exact while one
 * process does all writes. A store of several processes counts in its database.
 */
export interface TaskCounts {
  added(task: TaskSummary): void;
  ended(task: TaskSummary): void;
  /** `task` as it was when removed. */
  removed(task: TaskSummary): void;
  /** The cap that one more task of this owner would exceed. */
  exceeded(owner: Omit<Caller, 'dialect'>, caps: InsertCaps): ExceededCap | undefined;
}

export interface OwnerCount {
  readonly subjectKey: string;
  live: number;
  stored: number;
}

const NONE = { live: 0, stored: 0 };

export function createTaskCounts(
  initial: Iterable<readonly [owner: string, count: OwnerCount]> = [],
): TaskCounts {
  const owners = new Map<string, OwnerCount>();
  const subjects = new Map<string, OwnerCount>();
  let live = 0;

  function change(task: Omit<Caller, 'dialect'>, liveBy: number, storedBy: number): void {
    // Taken from the owner's first task, so that what is counted is taken off the same subject.
    const { subjectKey } = owners.get(task.owner) ?? { subjectKey: subjectKeyOf(task) };
    add(owners, task.owner, subjectKey, liveBy, storedBy);
    add(subjects, subjectKey, subjectKey, liveBy, storedBy);
    live += liveBy;
  }

  for (const [owner, count] of initial) {
    change({ owner, subjectKey: count.subjectKey }, count.live, count.stored);
  }

  return {
    added: (task) => change(task, 1, 1),
    ended: (task) => change(task, -1, 0),
    removed: (task) => change(task, isTerminal(task.status) ? 0 : -1, -1),
    exceeded(task, caps) {
      const owner = owners.get(task.owner);
      const subject = subjects.get(owner?.subjectKey ?? subjectKeyOf(task));
      return capExceeded(owner ?? NONE, subject ?? NONE, live, caps);
    },
  };
}

function add(
  counts: Map<string, OwnerCount>,
  key: string,
  subjectKey: string,
  liveBy: number,
  storedBy: number,
): void {
  const count = counts.get(key) ?? { subjectKey, live: 0, stored: 0 };
  count.live += liveBy;
  count.stored += storedBy;
  if (count.stored === 0) counts.delete(key);
  else counts.set(key, count);
}

/** The changes that this process makes, for those who observe all tasks: those of one turn at once. */
interface Changes {
  readonly happened: () => void;
  readonly observe: (listener: () => void) => () => void;
}

export function createChanges(): Changes {
  const listeners = new Set<() => void>();
  let scheduled = false;

  function report(): void {
    scheduled = false;
    for (const listener of [...listeners]) listener();
  }

  return {
    happened() {
      if (scheduled || listeners.size === 0) return;
      scheduled = true;
      nextTurn(report);
    },
    observe(listener) {
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
