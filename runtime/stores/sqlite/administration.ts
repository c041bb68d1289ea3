import { randomBytes } from 'node:crypto';

import {
  isTerminal,
  NO_COUNTS,
  type StatusCounts,
  type TaskChange,
  type TaskKey,
  type TaskQuery,
  type TaskStatus,
  type TaskSummary,
} from '../../tasks/index.js';
import type { SqliteStatement } from './driver.js';
import { textOf, toSummary, type Statements } from './rows.js';

/** Greater than every id, because ids are ASCII. */
export const AFTER_ALL = '\x7f';

export function findTasks(
  sql: Statements,
  { id = null, owner = null, status = null, before = AFTER_ALL, limit, now }: NullableQuery,
): readonly TaskSummary[] {
  const [statement, ...narrow] = searchOf(sql, id, owner, status);
  const all = [before, now, id, id, owner, owner, status, status, limit];
  return statement.all(...narrow, ...all).map(toSummary);
}

/** The statement whose index finds the fewest tasks, and the value that the index is searched by. */
function searchOf(
  sql: Statements,
  id: string | null,
  owner: string | null,
  status: TaskStatus | null,
): readonly [SqliteStatement, ...string[]] {
  if (id !== null) return [sql.findById, id];
  if (owner !== null) return [sql.findByOwner, owner];
  if (status === 'failed') return [sql.findFailed];
  return [status !== null && !isTerminal(status) ? sql.findLive : sql.find];
}

/** Rows of the table that are counted before other work gets a turn. */
const COUNTED_AT_ONCE = 5_000;

/** `read` runs the query as the store runs its reads. */
export async function countTasksByStatus(
  sql: Statements,
  now: number,
  read: <T>(work: () => T) => Promise<T>,
): Promise<StatusCounts> {
  const counts = { ...NO_COUNTS };
  for (let after = 0; ;) {
    const from = after;
    const rows = await read(() => sql.count.all(now, from, COUNTED_AT_ONCE));
    let looked = 0;
    for (const { status, n, last } of rows) {
      looked += Number(n);
      after = Math.max(after, Number(last));
      const name = String(status);
      if (name in counts) counts[name as TaskStatus] += Number(n);
    }
    if (looked < COUNTED_AT_ONCE) return counts;
    await new Promise(setImmediate);
  }
}

type NullableQuery = {
  readonly [Name in keyof TaskQuery]: TaskQuery[Name] | null;
} & Pick<TaskQuery, 'limit' | 'now'> & { readonly before?: string };

/** Whether it was removed: it has ended and is stored in this version. */
export function removeEnded(sql: Statements, task: TaskSummary): boolean {
  const { owner, dialect, id, version } = task;
  return Number(sql.removeEnded.run(owner, dialect, id, version).changes) === 1;
}

/** Leaves a note of a change for the process that serves from the database. */
export function noteChange(sql: Statements, change: TaskChange): void {
  sql.addChange.run(`change ${randomBytes(8).toString('hex')}`, JSON.stringify(change));
}

/**
 * Takes the notes of other processes. Cheap while there are none: SQLite keeps a number that only changes
 * when another connection has written. `onChanged` is called when one has.
 */
export function createLookout(sql: Statements, onChanged: () => void): () => readonly TaskChange[] {
  const versionNow = (): unknown => sql.dataVersion.get()?.['data_version'];
  let version = versionNow();
  return () => {
    const found = versionNow();
    if (found === version) return [];
    onChanged();
    const rows = sql.changes.all();
    for (const { name } of rows) sql.removeChange.run(String(name));
    // While there are notes, the next look reads again: a rollback of this transaction would bring them back.
    if (rows.length === 0) version = found;
    return rows.map(({ value }) => JSON.parse(textOf(value)) as TaskChange);
  };
}

export function keyOf({ owner, dialect, id }: TaskSummary): TaskKey {
  return { owner, dialect, id };
}
