import { randomBytes } from 'node:crypto';

import { expiresAt, isTerminal } from '../../tasks/index.js';
import type { TaskRecord, TaskStore, TaskSummary } from '../../tasks/index.js';
import { createCensus, type Census, type OwnerCount } from '../census.js';
import {
  availableDriver,
  isBusy,
  type SqliteDatabase,
  type SqliteDriver,
  type SqlRow,
} from './driver.js';
import { createGroupCommit } from './group-commit.js';
import { migrate } from './schema.js';

export interface SqliteStoreOptions {
  /** Path of the database file; made if it does not exist. One process at a time may use it. */
  readonly file: string;
  /** Default: `node:sqlite` if this Node has it, else the package `libsql`. */
  readonly driver?: SqliteDriver;
}

/**
 * Keeps tasks in an SQLite file. A promise resolves when the change would survive a power cut.
 *
 * Throws when another process uses the file, and when a newer version has written it.
 */
export function openSqliteStore({ file, driver }: SqliteStoreOptions): TaskStore {
  const db = open(file, driver ?? availableDriver());
  const secret = readSecret(db);
  // Counted again, when next needed, after a rollback has made it wrong.
  let census: Census | undefined = takeCensus(db);
  const group = createGroupCommit(db, () => {
    census = undefined;
  });
  let closed = false;

  /** Sees what has been acknowledged; a fault becomes a rejection. */
  async function read<T>(work: () => T): Promise<T> {
    if (closed) throw new Error(`${file} is closed`);
    return Promise.resolve(work());
  }

  async function write<T>(work: () => T): Promise<T> {
    if (closed) throw new Error(`${file} is closed`);
    return group.run(work);
  }

  const insert = db.prepare(
    `INSERT INTO tasks (owner, dialect, id, version, live, worker, expires_at, idempotency_key,
       summary, args, input) VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)`,
  );
  const byIdempotencyKey = db.prepare(
    `SELECT summary, args, input, outcome FROM tasks
     WHERE owner = ? AND dialect = ? AND idempotency_key = ?`,
  );
  const freeIdempotencyKey = db.prepare(
    `UPDATE tasks SET idempotency_key = NULL
     WHERE owner = ? AND dialect = ? AND idempotency_key = ? AND expires_at <= ?`,
  );
  const byKey = db.prepare(
    `SELECT summary, args, input, outcome FROM tasks WHERE owner = ? AND dialect = ? AND id = ?`,
  );
  const update = db.prepare(
    `UPDATE tasks SET version = ?, live = ?, worker = ?, summary = ?, input = ?, outcome = ?
     WHERE owner = ? AND dialect = ? AND id = ? AND version = ?`,
  );
  const page = db.prepare(
    `SELECT summary FROM tasks
     WHERE owner = ? AND dialect = ? AND id < ? AND expires_at > ? ORDER BY id DESC LIMIT ?`,
  );
  const due = db.prepare(
    'SELECT rowid AS row, summary FROM tasks WHERE expires_at <= ? ORDER BY expires_at LIMIT ?',
  );
  const remove = db.prepare('DELETE FROM tasks WHERE rowid = ?');
  const nextDue = db.prepare('SELECT MIN(expires_at) AS next FROM tasks');
  const renew = db.prepare('INSERT OR REPLACE INTO leases VALUES (?, ?)');
  const orphans = db.prepare(
    `SELECT summary FROM tasks
     WHERE live = 1 AND worker IN (SELECT worker FROM leases WHERE until <= ?) AND expires_at > ?
     LIMIT ?`,
  );

  /** Above every id: in ASCII, which ids are made of, nothing follows it. */
  const AFTER_ALL = '\x7f';

  return {
    secret: () => Promise.resolve(secret),

    insert: (record, caps) =>
      write(() => {
        const { owner, dialect, idempotency } = record;
        if (idempotency) {
          freeIdempotencyKey.run(owner, dialect, idempotency.key, record.createdAt);
          const earlier = byIdempotencyKey.get(owner, dialect, idempotency.key);
          if (earlier) return { kind: 'existing', record: toRecord(earlier) };
        }
        census ??= takeCensus(db);
        const cap = census.exceeded(owner, caps);
        if (cap) return { kind: 'full', cap };
        insert.run(
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
        );
        census.added(record);
        return { kind: 'inserted' };
      }),

    get: ({ owner, dialect, id }) =>
      read(() => {
        const row = byKey.get(owner, dialect, id);
        return row && toRecord(row);
      }),

    update: (next) =>
      write(() => {
        const live = !isTerminal(next.status);
        const { changes } = update.run(
          next.version,
          live ? 1 : 0,
          next.worker,
          summaryText(next),
          JSON.stringify(next.input),
          next.outcome ?? null,
          next.owner,
          next.dialect,
          next.id,
          next.version - 1,
        );
        const updated = Number(changes) === 1;
        if (updated && !live) census?.ended(next);
        return updated;
      }),

    list: ({ owner, dialect }, { before = AFTER_ALL, limit, now }) =>
      read(() => page.all(owner, dialect, before, now, limit).map(toSummary)),

    expire: (now, limit) =>
      write(() => {
        const rows = due.all(now, limit);
        const removed = rows.map(toSummary);
        for (const { row } of rows) remove.run(Number(row));
        removed.forEach((task) => census?.removed(task));
        const next = nextDue.get()?.['next'];
        return { removed, next: typeof next === 'number' ? next : undefined };
      }),

    renew: (worker, until) => write(() => void renew.run(worker, until)),

    orphans: (now, limit) => read(() => orphans.all(now, now, limit).map(toSummary)),

    close() {
      if (closed) return Promise.resolve();
      closed = true;
      group.flush();
      db.close();
      return Promise.resolve();
    },
  };
}

/** Keeps the indexes of a million tasks at hand. */
const CACHE_KIB = 64 * 1_024;

function open(file: string, driver: SqliteDriver): SqliteDatabase {
  const db = driver(file);
  try {
    // Held until the process ends, however it ends: one writer a file, or leases would mean nothing.
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('PRAGMA journal_mode = WAL');
    db.exec('PRAGMA synchronous = FULL');
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    db.exec('BEGIN EXCLUSIVE; COMMIT');
    migrate(db, file);
    // Whoever held a lease is gone, or the lock would not be ours.
    db.exec(`UPDATE leases SET until = 0;
      DELETE FROM leases WHERE worker NOT IN (SELECT worker FROM tasks WHERE live = 1) AND worker <> ''`);
    return db;
  } catch (error) {
    db.close();
    if (!isBusy(error)) throw error;
    throw new Error(`${file} is in use by another process`, { cause: error });
  }
}

const SECRET_BYTES = 32;

function readSecret(db: SqliteDatabase): Uint8Array {
  db.prepare(`INSERT OR IGNORE INTO settings VALUES ('cursor secret', ?)`).run(
    randomBytes(SECRET_BYTES).toString('base64'),
  );
  const row = db.prepare(`SELECT value FROM settings WHERE name = 'cursor secret'`).get();
  return Buffer.from(String(row?.['value']), 'base64');
}

function takeCensus(db: SqliteDatabase): Census {
  const owners = new Map<string, OwnerCount>();
  for (const row of db.prepare('SELECT owner, COUNT(*) AS n FROM tasks GROUP BY owner').all()) {
    owners.set(String(row['owner']), { live: 0, stored: Number(row['n']) });
  }
  for (const row of db.prepare('SELECT owner FROM tasks WHERE live = 1').all()) {
    const count = owners.get(String(row['owner']));
    if (count) count.live += 1;
  }
  return createCensus(owners);
}

function summaryText(record: TaskRecord): string {
  return JSON.stringify({ ...record, args: undefined, input: undefined, outcome: undefined });
}

function toSummary(row: SqlRow): TaskSummary {
  return JSON.parse(String(row['summary'])) as TaskSummary;
}

function toRecord(row: SqlRow): TaskRecord {
  const outcome = row['outcome'];
  return {
    ...toSummary(row),
    args: String(row['args']),
    input: JSON.parse(String(row['input'])) as TaskRecord['input'],
    ...(typeof outcome === 'string' && { outcome }),
  };
}
