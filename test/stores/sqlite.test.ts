import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { openSqliteStore } from '../../runtime/stores/index.js';
import { openSqliteBeside } from '../../runtime/stores/sqlite/index.js';
import type {
  SqliteDatabase,
  SqliteDriver,
  SqliteStatement,
} from '../../runtime/stores/sqlite/driver.js';
import { createGroupCommit } from '../../runtime/stores/sqlite/group-commit.js';
import type { TaskChange } from '../../runtime/tasks/index.js';
import { NO_CAPS, sampleTask } from '../../runtime/testing/testkit/index.js';
import { SQLITE_DRIVERS, temporaryFolder } from '../support/stores.js';

describe.each(SQLITE_DRIVERS)('SQLite through $name', ({ driver }) => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  function newFile(): string {
    const folder = temporaryFolder();
    cleanups.push(() => folder.remove());
    return join(folder.path, 'tasks.db');
  }

  /** Opens a file with a driver that writes down every statement that is executed as a script. */
  function spied(file: string): { driver: SqliteDriver; scripts: string[]; db(): SqliteDatabase } {
    const scripts: string[] = [];
    let opened: SqliteDatabase | undefined;
    return {
      scripts,
      db() {
        if (!opened) throw new Error(`${file} is not open`);
        return opened;
      },
      driver(path) {
        const db = driver(path);
        opened = db;
        return {
          prepare: (sql) => db.prepare(sql),
          close: () => db.close(),
          exec(sql) {
            scripts.push(sql);
            db.exec(sql);
          },
        };
      },
    };
  }

  it('is configured to survive a power failure', async () => {
    const file = newFile();
    const spy = spied(file);
    const store = openSqliteStore({ file, driver: spy.driver });
    expect(spy.db().prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' });
    expect(spy.db().prepare('PRAGMA synchronous').get()).toMatchObject({ synchronous: 2 });
    await store.close();
  });

  it('refuses a file that is open elsewhere, and opens it once it is closed', async () => {
    const file = newFile();
    const first = openSqliteStore({ file, driver });
    expect(() => openSqliteStore({ file, driver })).toThrow(`${file} is in use by another process`);
    await first.insert(sampleTask(1), NO_CAPS);
    await first.close();
    const second = openSqliteStore({ file, driver });
    expect(await second.get(sampleTask(1))).toEqual(sampleTask(1));
    await second.close();
  });

  it('refuses a file of a newer version and does not change it', async () => {
    const file = newFile();
    await openSqliteStore({ file, driver }).close();
    const db = driver(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    const bytes = readFileSync(file);
    expect(() => openSqliteStore({ file, driver })).toThrow('was written by a newer version (99');
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('refuses a file that is not a database', async () => {
    const { writeFileSync } = await import('node:fs');
    const file = newFile();
    writeFileSync(file, 'Dear diary, '.repeat(1_000));
    expect(() => openSqliteStore({ file, driver })).toThrow(/not a database/);
  });

  it('frees the tasks of the previous process at once, because the lock proves that it ended', async () => {
    const file = newFile();
    const first = openSqliteStore({ file, driver });
    await first.renew('worker', 1e15);
    await first.insert(sampleTask(1, { worker: 'worker' }), NO_CAPS);
    expect(await first.orphans(0, 9)).toEqual([]);
    await first.close();
    const second = openSqliteStore({ file, driver });
    expect(await second.orphans(1, 9)).toHaveLength(1);
    await second.close();
  });

  it('commits the writes of one turn together, and acknowledges them after the commit', async () => {
    const file = newFile();
    const spy = spied(file);
    const store = openSqliteStore({ file, driver: spy.driver });
    spy.scripts.length = 0;
    let acknowledged = 0;
    const writes = Array.from({ length: 50 }, (_, n) =>
      store.insert(sampleTask(n), NO_CAPS).then(() => (acknowledged += 1)),
    );
    expect(acknowledged).toBe(0);
    expect(await store.get(sampleTask(0))).toBeUndefined();
    await Promise.all(writes);
    expect(spy.scripts).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
    await store.close();
  });

  it('one bad operation fails alone and leaves no trace', async () => {
    const store = openSqliteStore({ file: newFile(), driver });
    const bad = sampleTask(2, { owner: null as unknown as string });
    const results = await Promise.allSettled(
      [sampleTask(1), bad, sampleTask(3)].map((task) =>
        store.insert(task, { ...NO_CAPS, live: 2 }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await store.insert(sampleTask(4), { ...NO_CAPS, live: 2 })).toEqual({
      kind: 'full',
      cap: 'live',
    });
    await store.close();
  });

  it('reports changes of other processes also when it notices them beside a bad operation', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    cleanups.push(() => vi.useRealTimers());
    const file = newFile();
    const store = openSqliteStore({ file, driver });
    await store.insert(sampleTask(1), NO_CAPS);
    const noticed: TaskChange[] = [];
    cleanups.push(store.watch?.((change) => noticed.push(change)) ?? (() => undefined));
    const beside = openSqliteBeside({ file, driver });
    await beside.update(sampleTask(1, { version: 2 }));
    vi.advanceTimersByTime(500);
    const bad = sampleTask(2, { owner: null as unknown as string });
    await expect(store.insert(bad, NO_CAPS)).rejects.toThrow();
    vi.advanceTimersByTime(500);
    await store.probe();
    expect(noticed).toMatchObject([{ kind: 'changed', version: 2 }]);
    await beside.close();
    await store.close();
  });

  it('an observer beside the server goes on while the file cannot be read', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    cleanups.push(() => vi.useRealTimers());
    const file = newFile();
    await openSqliteStore({ file, driver }).close();
    let fault: Error | undefined;
    const beside = openSqliteBeside({
      file,
      driver(path) {
        const db = driver(path);
        const prepare = (sql: string): SqliteStatement => {
          const statement = db.prepare(sql);
          return {
            run: (...values) => statement.run(...values),
            all: (...values) => statement.all(...values),
            get(...values) {
              if (fault) throw fault;
              return statement.get(...values);
            },
          };
        };
        return { prepare, exec: (sql) => db.exec(sql), close: () => db.close() };
      },
    });
    const listener = vi.fn();
    beside.administration.observe(listener);
    fault = new Error('disk I/O error');
    vi.advanceTimersByTime(1_000);
    expect(listener).toHaveBeenCalledOnce();
    fault = undefined;
    vi.advanceTimersByTime(1_000);
    expect(listener).toHaveBeenCalledTimes(2);
    await beside.close();
  });

  it('commits waiting writes when it is closed, and rejects later ones', async () => {
    const file = newFile();
    const store = openSqliteStore({ file, driver });
    const write = store.insert(sampleTask(1), NO_CAPS);
    await store.close();
    expect(await write).toEqual({ kind: 'inserted' });
    await expect(store.insert(sampleTask(2), NO_CAPS)).rejects.toThrow();
    await expect(store.get(sampleTask(1))).rejects.toThrow();
  });

  it('a write shares the transaction of one that was called in the turn before', async () => {
    const { group, statements } = recordedGroup();
    const first = group.run(() => 1);
    const second = new Promise((resolve) => {
      setImmediate(() => resolve(group.run(() => 2)));
    });
    expect(await Promise.all([first, second])).toEqual([1, 2]);
    expect(statements).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
  });

  it('large writes get transactions of their own, and other work runs in between', async () => {
    const { group, statements } = recordedGroup();
    const turns: number[] = [];
    const all = [10, 3_999_990, 11, 5_000_000, 12].map((size) =>
      group.run(() => void turns.push(statements.length), size),
    );
    await Promise.all(all);
    expect(turns).toEqual([1, 1, 3, 5, 7]);
    expect(statements).toHaveLength(8);
  });

  it('large writes that wait are all committed at the end', () => {
    const { group, statements } = recordedGroup();
    for (let write = 0; write < 5; write += 1) void group.run(() => write, 3_000_000);
    group.flush();
    expect(statements.filter((sql) => sql === 'COMMIT')).toHaveLength(5);
  });

  it('all operations of a group reject when its commit fails', async () => {
    const failing: SqliteDatabase = {
      exec(sql) {
        if (sql === 'COMMIT') throw new Error('disk full');
      },
      prepare: () => {
        throw new Error('unused');
      },
      close: () => undefined,
    };
    let rollbacks = 0;
    const group = createGroupCommit(failing, {
      onRollback() {
        rollbacks += 1;
      },
    });
    const results = await Promise.allSettled([group.run(() => 1), group.run(() => 2)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(rollbacks).toBe(3);
  });
});

/** A group commit on a database that records what it executes. */
function recordedGroup() {
  const statements: string[] = [];
  const db: SqliteDatabase = {
    exec: (sql) => void statements.push(sql),
    prepare: () => {
      throw new Error('unused');
    },
    close: () => undefined,
  };
  return { group: createGroupCommit(db, { onRollback: () => undefined }), statements };
}
