import { expiresAt, isTerminal, subjectKeyOf } from '../../tasks/index.js';
import type { GroupLimits, InsertCaps, Insertion, TaskRecord } from '../../tasks/index.js';
import { isConflict } from './connection/index.js';
import type { Database } from './open.js';
import { bytesOf, summaryBytes, toRecord, type Row } from './rows.js';
import type { Statements } from './statements.js';

export interface InsertOperation {
  readonly record: TaskRecord;
  readonly caps: InsertCaps;
}

/**
 * Characters written by one statement. `pg` makes one text of a statement's values, with two characters for each byte, and
 * the server has to read it within `statementTimeoutMs`.
 */
const LARGEST = 4_000_000;
/** `insert_tasks` counts on no more tasks in a call. */
export const INSERT_LIMITS: GroupLimits = { most: 64, largest: LARGEST };
export const UPDATE_LIMITS: GroupLimits = { most: 256, largest: LARGEST };
const ATTEMPTS = 5;

/** Calls again when the server chose this call to end a deadlock. Nothing of it has happened then. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Inserts batches beside those of other nodes, or alone while a cap for all owners is near. */
export function createInsertAll(
  database: Database,
  sql: Statements,
): (operations: readonly InsertOperation[]) => Promise<readonly Insertion[]> {
  let alone = false;

  async function call(operations: readonly InsertOperation[]): Promise<readonly Row[]> {
    const values = insertColumns(operations);
    const rows = await withRetries(() => database.query(sql.insert, [alone, ...values]));
    if (rows.length > 0) {
      alone &&= rows[0]?.['room'] !== true;
      return rows;
    }
    alone = true;
    return withRetries(() => database.query(sql.insert, [true, ...values]));
  }

  return async (operations) => {
    const sorted = operations
      .map((operation, index) => ({
        operation,
        index,
        subject: bytesOf(subjectKeyOf(operation.record)),
        owner: bytesOf(operation.record.owner),
      }))
      // All nodes take the locks of subjects and owners in the same order.
      .sort(
        (a, b) =>
          Buffer.compare(a.subject, b.subject) ||
          Buffer.compare(a.owner, b.owner) ||
          a.index - b.index,
      );
    const rows = await call(sorted.map(({ operation }) => operation));
    const results: Insertion[] = [];
    sorted.forEach(({ index }, n) => (results[index] = toInsertion(rows[n] ?? {})));
    return results;
  };
}

function insertColumns(operations: readonly InsertOperation[]): readonly unknown[][] {
  const column = (value: (record: TaskRecord) => unknown): unknown[] =>
    operations.map(({ record }) => value(record));
  const cap = (name: keyof InsertCaps): unknown[] => operations.map(({ caps }) => caps[name]);
  return [
    cap('live'),
    cap('liveShared'),
    cap('liveReserve'),
    cap('livePerOwner'),
    cap('livePerSubject'),
    cap('storedPerOwner'),
    cap('storedPerSubject'),
    column(({ createdAt }) => createdAt),
    column((record) => bytesOf(subjectKeyOf(record))),
    column(({ owner }) => bytesOf(owner)),
    column(({ dialect }) => dialect),
    column(({ id }) => bytesOf(id)),
    column(({ version }) => version),
    column(({ worker }) => bytesOf(worker)),
    column(expiresAt),
    column(({ idempotency }) => idempotency && bytesOf(idempotency.key)),
    column(summaryBytes),
    column(({ args }) => bytesOf(args)),
    column(({ input }) => bytesOf(JSON.stringify(input))),
    column(({ steps }) => bytesOf(JSON.stringify(steps))),
  ];
}

function toInsertion(row: Row): Insertion {
  const { verdict } = row;
  switch (verdict) {
    case 'inserted':
      return { kind: 'inserted' };
    case 'existing':
      return { kind: 'existing', record: toRecord(row) };
    case 'live':
    case 'liveShared':
    case 'livePerOwner':
    case 'livePerSubject':
    case 'storedPerOwner':
    case 'storedPerSubject':
      return { kind: 'full', cap: verdict };
    default:
      throw new Error('The database returned no verdict for an insertion');
  }
}

/** Replaces each task whose stored version is the one before. */
export async function updateAll(
  database: Database,
  sql: Statements,
  records: readonly TaskRecord[],
): Promise<readonly boolean[]> {
  // Rows are locked in about the same order everywhere, which avoids deadlocks.
  const order = records.map((_, index) => index).sort((a, b) => compare(records[a], records[b]));
  const column = (value: (record: TaskRecord) => unknown): unknown[] =>
    order.map((index) => value(records[index] as TaskRecord));
  const rows = await withRetries(() =>
    database.query(sql.update, [
      order,
      column(({ owner }) => bytesOf(owner)),
      column(({ dialect }) => dialect),
      column(({ id }) => bytesOf(id)),
      column(({ version }) => version),
      column(({ status }) => !isTerminal(status)),
      column(({ worker }) => bytesOf(worker)),
      column(summaryBytes),
      column(({ input }) => bytesOf(JSON.stringify(input))),
      column(({ steps }) => bytesOf(JSON.stringify(steps))),
      column(({ outcome }) => (outcome === undefined ? null : bytesOf(outcome))),
    ]),
  );
  const updated = new Set(rows.map(({ n }) => n));
  return records.map((_, index) => updated.has(index));
}

function compare(a: TaskRecord | undefined, b: TaskRecord | undefined): number {
  const [left, right] = [a?.id ?? '', b?.id ?? ''];
  return left < right ? -1 : left > right ? 1 : 0;
}
