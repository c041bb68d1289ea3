import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';

import { expiresAt, isTerminal, type AdministeredStore } from '../../tasks/index.js';
import { createChanges } from '../task-counts.js';
import { countTasksByStatus, findTasks, keyOf, noteChange, removeEnded } from './administration.js';
import { availableDriver, type SqliteDatabase, type SqliteDriver } from './driver.js';
import { cannotOpen, OpenError } from './errors.js';
import { rollback } from './group-commit.js';
import { summaryText, toRecord, prepareStatements } from './rows.js';
import { assertOwn, SCHEMA_VERSION, versionOf } from './schema.js';

export interface SqliteBesideOptions {
  /** The store's database file. A server may be using it. */
  readonly file: string;
  /** Default: `node:sqlite` if this Node has it, else the package `libsql`. */
  readonly driver?: SqliteDriver;
}

/** Milliseconds to wait for the process that serves. It holds the database for a few at a time. */
const BUSY_TIMEOUT_MS = 5_000;
/** Milliseconds between looks at whether the other process has written. */
const LOOK_MS = 500;

/**
 * Opens the file of a store for its administration, while another process serves from it or none does.
 * The other process notices changes within a second: it stops cancelled runs and wakes those who wait.
 *
 * Throws an Error when there is no database at `file`, or one of another version.
 */
export function openSqliteBeside({ file, driver }: SqliteBesideOptions): AdministeredStore {
  const path = resolve(file);
  if (!existsSync(path)) throw new OpenError(`There is no database at ${path}`);
  let db: SqliteDatabase | undefined;
  try {
    db = (driver ?? availableDriver())(realpathSync(path));
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    db.exec('PRAGMA synchronous = FULL');
    assertVersion(db, path);
    return storeBeside(db);
  } catch (error) {
    db?.close();
    throw error instanceof OpenError ? error : cannotOpen(path, error);
  }
}

function assertVersion(db: SqliteDatabase, path: string): void {
  assertOwn(db, path);
  const version = versionOf(db);
  if (version === SCHEMA_VERSION) return;
  throw new OpenError(
    `${path} is of another version (${version}, this command's: ${SCHEMA_VERSION}). ` +
      'Use the command of the version that serves from it, or start the new version once.',
  );
}

function storeBeside(db: SqliteDatabase): AdministeredStore {
  const sql = prepareStatements(db);
  const own = createChanges();
  let closed = false;

  /** One transaction. What it changes is on disk when it returns. */
  function transact<T>(work: () => T): T {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      db.exec('COMMIT');
      own.happened();
      return result;
    } catch (error) {
      rollback(db);
      throw error;
    }
  }

  const write = <T>(work: () => T): Promise<T> => Promise.resolve().then(() => transact(work));

  /** Reads nothing of the tasks: SQLite keeps a number that changes when another connection has written. */
  function observe(listener: () => void): () => void {
    const versionNow = (): unknown => {
      try {
        return sql.dataVersion.get()?.['data_version'];
      } catch {
        // Reported once as a change, so that the listener reads the tasks and gets the error.
        return undefined;
      }
    };
    let version = versionNow();
    const timer = setInterval(() => {
      if (closed) return;
      const found = versionNow();
      if (found === version) return;
      version = found;
      listener();
    }, LOOK_MS).unref();
    const end = own.observe(listener);
    return () => {
      clearInterval(timer);
      end();
    };
  }

  return {
    get: ({ owner, dialect, id }) => {
      const row = sql.byKey.get(owner, dialect, id);
      return Promise.resolve(row && toRecord(row));
    },

    insert: (record) =>
      write(() => {
        const { owner, dialect, id, version, worker } = record;
        sql.insert.run(
          ...[owner, dialect, id, version, worker, expiresAt(record), null, summaryText(record)],
          ...[record.args, JSON.stringify(record.input), JSON.stringify(record.steps)],
        );
        noteChange(sql, { kind: 'changed', key: keyOf(record), version });
        return { kind: 'inserted' };
      }),

    update: (next) =>
      write(() => {
        const { owner, dialect, id, version, worker, outcome = null } = next;
        const { changes } = sql.update.run(
          ...[version, isTerminal(next.status) ? 0 : 1, worker, summaryText(next)],
          ...[JSON.stringify(next.input), JSON.stringify(next.steps), outcome],
          ...[owner, dialect, id, version - 1],
        );
        const updated = Number(changes) === 1;
        if (updated) noteChange(sql, { kind: 'changed', key: keyOf(next), version });
        return updated;
      }),

    administration: {
      find: (query) => Promise.resolve(findTasks(sql, query)),
      count: (now) => countTasksByStatus(sql, now, (work) => Promise.resolve(work())),
      observe,
      remove: (tasks) =>
        write(() => {
          const removed = tasks.filter((task) => removeEnded(sql, task));
          for (const task of removed) noteChange(sql, { kind: 'removed', key: keyOf(task) });
          return removed.length;
        }),
    },

    close() {
      closed = true;
      db.close();
      return Promise.resolve();
    },
  };
}
