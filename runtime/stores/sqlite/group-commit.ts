import { groupLength, type GroupLimits } from '../../tasks/index.js';
import type { SqliteDatabase } from './driver.js';

/** Runs writes together: those of two turns of the event loop share a transaction, and so a disk flush. */
export interface GroupCommit {
  /**
   * Resolves with the result of `work` after its commit. Rejects if `work` or the commit failed. `size` is how many
   * characters of payloads it writes.
   */
  run<T>(work: () => T, size?: number): Promise<T>;
  /** Commits the waiting writes. */
  flush(): void;
}

interface Operation {
  readonly work: () => unknown;
  readonly size: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Of one transaction; other writes wait for the next one, so that a burst, or many large results, do not block the process
 * for long.
 */
const LIMITS: GroupLimits = { most: 1_000, largest: 4_000_000 };

export interface GroupCommitHooks {
  /** Called after a rollback: the work since the last commit is undone and may run again. */
  readonly onRollback: () => void;
  /** Called before and after each transaction. The whole group rejects with the error that one of them throws. */
  readonly before?: () => void;
  readonly after?: () => void;
}

export function createGroupCommit(
  db: SqliteDatabase,
  { onRollback, before, after }: GroupCommitHooks,
): GroupCommit {
  const waiting: Operation[] = [];
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0) return;
    scheduled = true;
    // Not in this turn: the requests that arrived behind the first one come in the next.
    setImmediate(() => setImmediate(run));
  }

  function next(): readonly Operation[] {
    return waiting.splice(0, groupLength(sizes(), LIMITS));
  }

  function* sizes(): Generator<number> {
    for (const { size } of waiting) yield size;
  }

  function run(): void {
    scheduled = false;
    commit(next());
    schedule();
  }

  function commit(group: readonly Operation[]): void {
    if (group.length === 0 || !passes(before, group)) return;
    let values: unknown[];
    try {
      db.exec('BEGIN IMMEDIATE');
      values = group.map(({ work }) => work());
      db.exec('COMMIT');
    } catch (error) {
      rollback(db);
      onRollback();
      // A file that was replaced is the reason of any other error.
      if (!passes(after, group)) return;
      const [only, ...others] = group;
      // Runs each operation in its own transaction, so that a bad one fails alone.
      if (others.length > 0) group.forEach((operation) => commit([operation]));
      else only?.reject(error);
      return;
    }
    if (passes(after, group)) group.forEach(({ resolve }, index) => resolve(values[index]));
  }

  function passes(check: (() => void) | undefined, group: readonly Operation[]): boolean {
    try {
      check?.();
      return true;
    } catch (error) {
      for (const { reject } of group) reject(error);
      return false;
    }
  }

  return {
    run: <T>(work: () => T, size = 0) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, size, resolve: resolve as (value: unknown) => void, reject });
        schedule();
      }),
    flush() {
      while (waiting.length > 0) commit(next());
    },
  };
}

export function rollback(db: SqliteDatabase): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // SQLite has already rolled back, as it does when the disk is full.
  }
}
