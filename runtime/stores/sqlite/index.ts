import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';

import {
  expiresAt,
  insertSize,
  isTerminal,
  subjectKeyOf,
  updateSize,
  type InsertCaps,
  type Insertion,
  type TaskKey,
  type TaskRecord,
  type TaskStore,
  type TaskSummary,
} from '../../tasks/index.js';
import {
  createChanges,
  createTaskCounts,
  type TaskCounts,
  type OwnerCount,
} from '../task-counts.js';
import {
  AFTER_ALL,
  countTasksByStatus,
  createLookout,
  findTasks,
  removeEnded,
} from './administration.js';
import { availableDriver, type SqliteDatabase, type SqliteDriver, type SqlRow } from './driver.js';
import { cannotOpen, isDamage, isDiskFault } from './errors.js';
import { createGroupCommit } from './group-commit.js';
import { type OpenDatabase, openDatabase } from './open.js';
import {
  createRecordCache,
  summaryText,
  textOf,
  toRecord,
  toSummary,
  prepareStatements,
  type Statements,
} from './rows.js';

export { backupSqlite, type SqliteBackupOptions } from './backup.js';
export { openSqliteBeside, type SqliteBesideOptions } from './beside.js';
export { isInUse } from './errors.js';

export interface SqliteStoreOptions {
  /** Path of the database file; made if it does not exist. One process at a time may use it. */
  readonly file: string;
  /** Default: `node:sqlite` if this Node has it, else the package `libsql`. */
  readonly driver?: SqliteDriver;
}

/**
 * Keeps tasks in an SQLite file. A promise resolves when the change would survive a power cut.
 *
 * Throws an Error that names the file and what is wrong: in use by another process, written by a
 * newer version, not writable, damaged, or not a database of this store. After the file was deleted
 * or replaced while it was open, every operation rejects.
 */
export function openSqliteStore({ file, driver }: SqliteStoreOptions): TaskStore {
  const path = resolve(file);
  const opened = openDatabase(path, driver ?? availableDriver());
  try {
    return createStore(opened);
  } catch (error) {
    opened.close(true);
    throw cannotOpen(path, error);
  }
}

function createStore({ file, db, identity, close }: OpenDatabase): TaskStore {
  const sql = prepareStatements(db);
  const secret = readSecret(db, sql);
  const cache = createRecordCache(() => sql.dataVersion.get()?.['data_version']);
  // Counted again at the next use after a rollback.
  let counts: TaskCounts | undefined = countTasks(sql);
  const observed = createChanges();
  let closed = false;
  /** The fault after which all operations reject until a restart. */
  let lost: unknown;
  /** The first error that shows damage of the file. */
  let damage: unknown;
  /** The last operation that the disk refused, with its time on the monotonic clock. */
  let diskFault: { readonly error: unknown; readonly at: number } | undefined;

  /** After a fault of the file nothing is written any more. */
  const guarded = (check: () => void) => (): void => {
    try {
      check();
    } catch (error) {
      lost ??= error;
    }
    if (lost !== undefined) throw lost as Error;
  };

  const group = createGroupCommit(db, {
    before: guarded(() => identity.checkAgain()),
    after: guarded(() => identity.check()),
    onRollback() {
      counts = undefined;
    },
  });

  function noteFault(error: unknown): never {
    if (isDamage(error)) damage ??= error;
    if (isDiskFault(error)) diskFault = { error, at: performance.now() };
    throw error;
  }

  function assertOpen(): void {
    if (closed) throw new Error(`${file} is closed`);
    if (lost !== undefined) throw lost as Error;
  }

  /** Reads acknowledged data. A fault becomes a rejection. */
  async function read<T>(work: () => T): Promise<T> {
    assertOpen();
    try {
      return await Promise.resolve(work());
    } catch (error) {
      return noteFault(error);
    }
  }

  /** `size` as in {@link createGroupCommit}. */
  async function write<T>(work: () => T, size?: number): Promise<T> {
    assertOpen();
    return group.run(work, size).catch(noteFault);
  }

  /** A write that removes tasks. */
  async function remove<T extends { readonly removed: readonly TaskSummary[] }>(
    work: () => T,
  ): Promise<T> {
    const result = await write(() => {
      const done = work();
      for (const task of done.removed) counts?.removed(task);
      if (done.removed.length > 0) observed.happened();
      return done;
    });
    for (const task of result.removed) cache.delete(task);
    return result;
  }

  function stored({ owner, dialect, id }: TaskKey): TaskRecord | undefined {
    const row = sql.byKey.get(owner, dialect, id);
    if (row === undefined) return undefined;
    const record = toRecord(row);
    cache.set(record);
    return record;
  }

  function insertTask(record: TaskRecord, caps: InsertCaps): Insertion {
    const { owner, dialect, idempotency } = record;
    if (idempotency) {
      sql.freeIdempotencyKey.run(owner, dialect, idempotency.key, record.createdAt);
      const earlier = sql.byIdempotencyKey.get(owner, dialect, idempotency.key);
      if (earlier) return { kind: 'existing', record: toRecord(earlier) };
    }
    counts ??= countTasks(sql);
    const cap = counts.exceeded(record, caps);
    if (cap) return { kind: 'full', cap };
    sql.insert.run(
      owner,
      dialect,
      record.id,
      record.version,
      record.worker,
      expiresAt(record),
      idempotency?.key ?? null,
      summaryText(record),
      record.args,
      JSON.stringify(record.input),
      JSON.stringify(record.steps),
    );
    counts.added(record);
    observed.happened();
    return { kind: 'inserted' };
  }

  function updateTask(next: TaskRecord): boolean {
    const { owner, dialect, id } = next;
    const live = !isTerminal(next.status);
    // An ended task may change once more, when it is retried.
    const ends = !live && sql.isLive.get(owner, dialect, id) !== undefined;
    const { changes } = sql.update.run(
      next.version,
      live ? 1 : 0,
      next.worker,
      summaryText(next),
      JSON.stringify(next.input),
      JSON.stringify(next.steps),
      next.outcome ?? null,
      owner,
      dialect,
      id,
      next.version - 1,
    );
    const updated = Number(changes) === 1;
    if (updated && ends) counts?.ended(next);
    if (updated) observed.happened();
    return updated;
  }

  return {
    secret: () => Promise.resolve(secret),

    async insert(record, caps) {
      const insertion = await write(() => insertTask(record, caps), insertSize(record));
      if (insertion.kind === 'inserted') cache.set(record);
      return insertion;
    },

    get: (key) => read(() => cache.get(key) ?? stored(key)),

    async update(next) {
      let updated = false;
      try {
        updated = await write(() => updateTask(next), updateSize(next));
        return updated;
      } finally {
        // After a failure it is unknown what is stored.
        if (updated) cache.set(next);
        else cache.delete(next);
      }
    },

    list: ({ owner, dialect }, { before = AFTER_ALL, limit, now }) =>
      read(() => sql.page.all(owner, dialect, before, now, limit).map(toSummary)),

    expire: (now, limit) =>
      remove(() => {
        const rows = sql.due.all(now, limit);
        const removed = rows.map(toSummary);
        for (const { row } of rows) sql.remove.run(Number(row));
        const next = sql.nextDue.get()?.['next'];
        return { removed, next: typeof next === 'number' ? next : undefined };
      }),

    renew: (worker, until) => write(() => void sql.renew.run(worker, until)),

    orphans: (now, limit) => read(() => sql.orphans.all(now, now, limit).map(toSummary)),

    /** What {@link openSqliteBeside} has changed in another process. */
    watch(listener) {
      const look = createLookout(sql, () => (counts = undefined));
      const timer = setInterval(() => {
        if (closed || lost !== undefined) return;
        write(look).then(
          (changes) => {
            changes.forEach(listener);
            if (changes.length > 0) observed.happened();
          },
          () => undefined,
        );
      }, LOOK_MS).unref();
      return () => clearInterval(timer);
    },

    administration: {
      find: (query) => read(() => findTasks(sql, query)),
      count: (now) => countTasksByStatus(sql, now, read),
      observe: observed.observe,
      async remove(tasks) {
        const { removed } = await remove(() => ({
          removed: tasks.filter((task) => removeEnded(sql, task)),
        }));
        return removed.length;
      },
    },

    async probe() {
      const mark = randomBytes(8).toString('hex');
      const found = await write(() => {
        sql.writeProbe.run(mark);
        return textOf(sql.readProbe.get()?.['value']);
      });
      if (found !== mark) throw new Error(`${file} does not keep what is written to it`);
      if (damage !== undefined) throw damage as Error;
      // The probe's write may fit on a full disk although a task does not.
      if (diskFault && performance.now() - diskFault.at < DISK_FAULT_MS) {
        throw diskFault.error as Error;
      }
    },

    close() {
      if (closed) return Promise.resolve();
      closed = true;
      group.flush();
      close(lost === undefined);
      return Promise.resolve();
    },
  };
}

/** Milliseconds between looks at what another process has changed. */
const LOOK_MS = 500;
/** Milliseconds for which the store counts as failing after the disk refused an operation. */
const DISK_FAULT_MS = 10_000;
const SECRET_BYTES = 32;

function readSecret(db: SqliteDatabase, { readSecret: read }: Statements): Uint8Array {
  db.prepare(`INSERT OR IGNORE INTO settings VALUES ('cursor secret', ?)`).run(
    randomBytes(SECRET_BYTES).toString('base64'),
  );
  return Buffer.from(textOf(read.get()?.['value']), 'base64');
}

function countTasks({ storedByOwner, liveOwners }: Statements): TaskCounts {
  const owners = new Map<string, OwnerCount>();
  for (const row of storedByOwner.all()) {
    const owner = textOf(row['owner']);
    const subjectKey = subjectKeyIn(row, owner);
    owners.set(owner, { subjectKey, live: 0, stored: Number(row['n']) });
  }
  for (const row of liveOwners.all()) {
    const count = owners.get(textOf(row['owner']));
    if (count) count.live += 1;
  }
  return createTaskCounts(owners);
}

/** Of one of the owner's tasks: all have the same. */
function subjectKeyIn(row: SqlRow, owner: string): string {
  try {
    return subjectKeyOf(toSummary(row));
  } catch {
    // A damaged task is reported when it is read.
    return owner;
  }
}
