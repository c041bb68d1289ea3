import type { SqliteDatabase } from './driver.js';

/** Runs writes together: those of one turn of the event loop share a transaction, and so a disk flush. */
export interface GroupCommit {
  /** Resolves with what `work` returned once that is on disk. Rejects if it, or writing it down, failed. */
  run<T>(work: () => T): Promise<T>;
  /** Writes down what is still waiting. */
  flush(): void;
}

interface Operation {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A turn's writes beyond this wait for the next, so that a burst does not block the process for long. */
const LARGEST_GROUP = 1_000;

export interface GroupCommitHooks {
  /** The work done since the last commit did not happen, and may be done again. */
  readonly onRollback: () => void;
  /** Called before and after each transaction; what it throws is the answer to the whole group. */
  readonly check?: () => void;
}

export function createGroupCommit(
  db: SqliteDatabase,
  { onRollback, check }: GroupCommitHooks,
): GroupCommit {
  let waiting: Operation[] = [];
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      commit(waiting.splice(0, LARGEST_GROUP));
      schedule();
    });
  }

  function commit(group: readonly Operation[]): void {
    if (group.length === 0 || !checked(group)) return;
    let values: unknown[];
    try {
      db.exec('BEGIN IMMEDIATE');
      values = group.map(({ work }) => work());
      db.exec('COMMIT');
    } catch (error) {
      rollback();
      const [only, ...others] = group;
      // One bad operation must not spoil the others: each gets a transaction of its own.
      if (others.length > 0) group.forEach((operation) => commit([operation]));
      else only?.reject(error);
      return;
    }
    if (checked(group)) group.forEach(({ resolve }, index) => resolve(values[index]));
  }

  function checked(group: readonly Operation[]): boolean {
    try {
      check?.();
      return true;
    } catch (error) {
      for (const { reject } of group) reject(error);
      return false;
    }
  }

  function rollback(): void {
    try {
      db.exec('ROLLBACK');
    } catch {
      // SQLite has done it already, as it does when the disk is full.
    }
    onRollback();
  }

  return {
    run: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
        schedule();
      }),
    flush() {
      const all = waiting;
      waiting = [];
      commit(all);
    },
  };
}
