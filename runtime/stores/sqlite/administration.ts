import { randomBytes } from 'node:crypto';

import type { TaskChange, TaskKey, TaskQuery, TaskSummary } from '../../tasks/index.js';
import { textOf, toSummary } from './rows.js';
import type { Statements } from './statements.js';

/** Greater than every id, because ids are ASCII. */
export const AFTER_ALL = '\x7f';

export function findTasks(
  sql: Statements,
  { id = null, owner = null, status = null, before = AFTER_ALL, limit, now }: NullableQuery,
): readonly TaskSummary[] {
  return sql.find.all(before, now, id, id, owner, owner, status, status, limit).map(toSummary);
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
    version = found;
    onChanged();
    const rows = sql.changes.all();
    for (const { name } of rows) sql.removeChange.run(String(name));
    return rows.map(({ value }) => JSON.parse(textOf(value)) as TaskChange);
  };
}

export function keyOf({ owner, dialect, id }: TaskSummary): TaskKey {
  return { owner, dialect, id };
}
