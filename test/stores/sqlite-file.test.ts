import fs, {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';

import { backupSqlite, openSqliteStore } from '../../runtime/stores/index.js';
import { type SqliteDatabase, type SqliteDriver } from '../../runtime/stores/sqlite/driver.js';
import { openSqliteBeside } from '../../runtime/stores/sqlite/index.js';
import { SCHEMA_VERSION } from '../../runtime/stores/sqlite/schema.js';
import { NO_CAPS, sampleTask } from '../../runtime/testing/testkit/index.js';
import type { AdministeredStore, TaskStore } from '../../runtime/tasks/index.js';
import { asOtherUser } from '../support/other-user.js';
import { SQLITE_DRIVERS, temporaryFolder } from '../support/stores.js';
import { fixtureOf, KEPT_TASKS } from './fixtures/make.js';

/** Windows flushes what is open for writing, which a folder cannot be. */
function flushAsWindows(): () => void {
  const { fsyncSync, openSync } = fs;
  const { platform } = os;
  const writable = new Set<number>();
  os.platform = () => 'win32';
  fs.openSync = (path, flags, mode) => {
    const descriptor = openSync(path, flags, mode);
    if (flags === 'r') writable.delete(descriptor);
    else writable.add(descriptor);
    return descriptor;
  };
  fs.fsyncSync = (descriptor) => {
    if (!writable.has(descriptor)) throw new Error('EPERM: operation not permitted, fsync');
    fsyncSync(descriptor);
  };
  syncBuiltinESMExports();
  return () => {
    os.platform = platform;
    Object.assign(fs, { fsyncSync, openSync });
    syncBuiltinESMExports();
  };
}

describe.each(SQLITE_DRIVERS)('the file of SQLite through $name', ({ driver }) => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  function newFile(): string {
    const folder = temporaryFolder();
    cleanups.push(() => folder.remove());
    return join(folder.path, 'tasks.db');
  }

  function open(file: string, by: SqliteDriver = driver): TaskStore {
    const store = openSqliteStore({ file, driver: by });
    cleanups.push(() => store.close());
    return store;
  }

  describe('permissions', () => {
    it('only the owner can read the database and the files beside it', async () => {
      const before = process.umask(0);
      cleanups.push(() => process.umask(before));
      const file = newFile();
      const store = open(file);
      await store.insert(sampleTask(1), NO_CAPS);
      backupSqlite({ file, to: `${file}.copy`, driver });
      const modes = readdirSync(dirname(file)).map((name) => [
        name,
        (statSync(join(dirname(file), name)).mode & 0o777).toString(8),
      ]);
      expect(modes.map(([name]) => name).sort()).toEqual([
        'tasks.db',
        'tasks.db-lock',
        'tasks.db-shm',
        'tasks.db-wal',
        'tasks.db.copy',
      ]);
      for (const mode of modes) expect(mode).toEqual([mode[0], '600']);
    });

    it('an existing file keeps its permissions', async () => {
      const file = newFile();
      await open(file).close();
      chmodSync(file, 0o640);
      await open(file).insert(sampleTask(1), NO_CAPS);
      expect(statSync(file).mode & 0o777).toBe(0o640);
      expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o640);
    });
  });

  describe('while it is open', () => {
    const LOSSES: readonly (readonly [string, (file: string) => void])[] = [
      ['deleted', (file) => rmSync(file)],
      ['moved away', (file) => renameSync(file, `${file}.old`)],
      [
        'replaced by a copy',
        (file) => {
          copyFileSync(file, `${file}.new`);
          renameSync(`${file}.new`, file);
        },
      ],
      ['overwritten by another store', (file) => copyFileSync(fixtureOf(1), file)],
      ['overwritten by something else', (file) => writeFileSync(file, 'x'.repeat(65_536))],
      ['emptied', (file) => truncateSync(file)],
      ['deprived of its log', (file) => rmSync(`${file}-wal`)],
      ['deprived of its index', (file) => rmSync(`${file}-shm`)],
      ['deprived of its lock', (file) => rmSync(`${file}-lock`)],
      ['deprived of its folder', (file) => rmSync(dirname(file), { recursive: true })],
    ];

    /** A write a moment after another one is checked only after its commit. */
    const PAUSES = [0, 10];
    const lossesAfter = PAUSES.flatMap((ms) =>
      LOSSES.map(([what, lose]) => [what, ms, lose] as const),
    );

    it.each(lossesAfter)(
      'the store acknowledges nothing after the file was %s, %i ms after a write',
      async (_, ms, lose) => {
        const file = newFile();
        const store = open(file);
        await store.insert(sampleTask(1), NO_CAPS);
        await sleep(ms);
        lose(file);
        const pattern = /tasks\.db\S* was (deleted|replaced|overwritten) while it was open/;
        await expect(store.renew('worker', 1)).rejects.toThrow(pattern);
        await expect(store.insert(sampleTask(2), NO_CAPS)).rejects.toThrow(pattern);
        await expect(store.get(sampleTask(1))).rejects.toThrow(pattern);
        await expect(store.probe()).rejects.toThrow(pattern);
        await store.close();
      },
    );

    it('closing the first store does not damage a store opened in its place', async () => {
      const file = newFile();
      const first = open(file);
      await first.insert(sampleTask(1), NO_CAPS);
      for (const end of ['', '-wal', '-shm', '-lock']) rmSync(file + end);
      const second = open(file);
      await second.insert(sampleTask(2), NO_CAPS);
      await expect(first.insert(sampleTask(3), NO_CAPS)).rejects.toThrow('replaced');
      await first.close();
      await second.insert(sampleTask(4), NO_CAPS);
      await second.close();
      const third = open(file);
      const found = await Promise.all([1, 2, 3, 4].map((n) => third.get(sampleTask(n))));
      expect(found.map((task) => task !== undefined)).toEqual([false, true, false, true]);
    });

    it('a file is the same under every link to it', () => {
      const file = newFile();
      open(file);
      mkdirSync(`${file}.links`);
      symlinkSync(file, join(`${file}.links`, 'tasks.db'));
      expect(() => open(join(`${file}.links`, 'tasks.db'))).toThrow('in use by another process');
    });
  });

  describe('a full disk', () => {
    /** A driver whose databases may not grow. */
    function full(): { driver: SqliteDriver; fill(): void; free(): void } {
      let db: SqliteDatabase | undefined;
      const limit = (pages: number) => db?.exec(`PRAGMA max_page_count = ${pages}`);
      return {
        driver: (path) => {
          const opened = driver(path);
          if (!path.endsWith('-lock')) db = opened;
          return opened;
        },
        fill: () => limit(1),
        free: () => limit(1_000_000),
      };
    }

    it('the store rejects writes that do not fit, keeps others, and continues when there is room', async () => {
      const file = newFile();
      const disk = full();
      const store = open(file, disk.driver);
      await store.insert(sampleTask(1), NO_CAPS);
      disk.fill();
      const big = sampleTask(2, { args: JSON.stringify('x'.repeat(100_000)) });
      await expect(store.insert(big, NO_CAPS)).rejects.toThrow(/full/);
      expect(await store.get(sampleTask(1))).toEqual(sampleTask(1));
      disk.free();
      await store.insert(big, NO_CAPS);
      // For a while, lest a health check that comes in between two faults finds nothing.
      await expect(store.probe()).rejects.toThrow(/full/);
    });
  });

  describe('a damaged file', () => {
    /** A closed store with large tasks, whose file was then changed. */
    async function damaged(change: (bytes: Buffer) => void): Promise<string> {
      const file = newFile();
      const store = openSqliteStore({ file, driver });
      const args = JSON.stringify('secret'.repeat(5_000));
      await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          store.insert(sampleTask(n, { args, statusMessage: 'secret'.repeat(500) }), NO_CAPS),
        ),
      );
      await store.close();
      const bytes = readFileSync(file);
      change(bytes);
      writeFileSync(file, bytes);
      return file;
    }

    /** Makes texts of no JSON, which SQLite does not notice. */
    function breakTexts(bytes: Buffer): void {
      const words = Buffer.from('secretsecret');
      for (let at = bytes.indexOf(words); at >= 0; at = bytes.indexOf(words, at + 1)) {
        bytes.write('"', at + 6);
      }
    }

    it('is detected on reading, fails the probe from then on, and shows no user data', async () => {
      const store = open(await damaged(breakTexts));
      await store.probe();
      const [fault] = await Promise.allSettled([store.get(sampleTask(1))]);
      expect(fault).toMatchObject({ status: 'rejected', reason: { name: 'DamagedError' } });
      expect(JSON.stringify(fault)).not.toMatch(/secret/);
      await expect(store.probe()).rejects.toThrow('damaged');
    });

    it.each(Array.from({ length: 12 }, (_, n) => n / 12))(
      'in pages from %d of it on is refused, or answers with errors or what it held',
      async (from) => {
        const file = await damaged((bytes) => {
          const start = Math.floor(bytes.length * from);
          bytes.fill(0xa5, start, start + Math.floor(bytes.length / 12));
        });
        let store: TaskStore;
        try {
          store = open(file);
        } catch (error) {
          expect(String(error)).toMatch(
            /tasks\.db.*(malformed|not a database).*Stop the server and/,
          );
          return;
        }
        const tasks = Array.from({ length: 40 }, (_, n) => sampleTask(n));
        const reads = await Promise.allSettled(tasks.map((task) => store.get(task)));
        const held = reads.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
        for (const task of held) expect(task?.statusMessage ?? 'secret').toMatch(/^(secret)+$/);
        const probed = store.probe();
        if (held.length < tasks.length) await expect(probed).rejects.toThrow(/malformed|damaged/);
        else await probed.catch(() => undefined);
        expect(() => backupSqlite({ file, to: `${file}.copy`, driver })).toThrow();
        expect(readdirSync(dirname(file)).filter((name) => name.includes('copy'))).toEqual([]);
      },
    );

    it.each([0, 10, 500, 5_000])(
      'a log damaged from byte %i does not affect older data',
      async (from) => {
        const file = newFile();
        const first = open(file);
        await first.insert(sampleTask(1), NO_CAPS);
        const killed = newFile();
        // What a killed process leaves, with what it had checkpointed before.
        copyFileSync(file, killed);
        const log = readFileSync(`${file}-wal`);
        log.fill(0xa5, Math.min(from, log.length));
        writeFileSync(`${killed}-wal`, log);
        const second = open(killed);
        await second.probe();
        expect([undefined, 'working']).toContain((await second.get(sampleTask(1)))?.status);
      },
    );
  });

  describe('opening', () => {
    it.each([
      ['in a folder that does not exist', (file: string) => join(`${file}.none`, 'x.db'), 'ENOENT'],
      ['that is a folder', (file: string) => dirname(file), 'it is a folder'],
      [
        'below a file',
        (file: string) => {
          writeFileSync(file, '');
          return join(file, 'x.db');
        },
        'ENOTDIR',
      ],
    ])('reports a path %s', (_, pathOf, message) => {
      const path = pathOf(newFile());
      expect(() => open(path)).toThrow(`Cannot open ${path}: `);
      expect(() => open(path)).toThrow(message);
    });

    it('reports a folder or a file that it must not write', async () => {
      const file = newFile();
      chmodSync(dirname(file), 0o555);
      await asOtherUser(() =>
        expect(() => open(file)).toThrow(/^Cannot open .*(EACCES|readonly).* may write the folder/),
      );
      chmodSync(dirname(file), 0o777);
      copyFileSync(fixtureOf(1), file);
      chmodSync(file, 0o444);
      await asOtherUser(() =>
        expect(() => open(file)).toThrow(/^Cannot open .*(EACCES|readonly).* may write the folder/),
      );
    });

    it.each([0, 1, SCHEMA_VERSION, SCHEMA_VERSION + 1])(
      'refuses a database of another program, whose version is %i, and does not change it',
      (version) => {
        const file = newFile();
        const db = driver(file);
        db.exec(`CREATE TABLE tasks (id TEXT, title TEXT); PRAGMA user_version = ${version}`);
        db.close();
        const bytes = readFileSync(file);
        expect(() => open(file)).toThrow(`${file} is a database of another program`);
        expect(() => openSqliteBeside({ file, driver })).toThrow(
          `${file} is a database of another program`,
        );
        expect(readFileSync(file).equals(bytes)).toBe(true);
      },
    );

    it.each(Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1))(
      'brings a file of schema version %i up to date, and keeps every task',
      async (version) => {
        const file = newFile();
        copyFileSync(fixtureOf(version), file);
        const store = open(file);
        for (const task of KEPT_TASKS) expect(await store.get(task)).toEqual(task);
        const { idempotency } = KEPT_TASKS[0] ?? {};
        const again = sampleTask(9, idempotency && { idempotency });
        expect((await store.insert(again, NO_CAPS)).kind).toBe('existing');
        expect(await store.orphans(1, 9)).toHaveLength(2);
        await store.close();
        const db = driver(file);
        const { user_version } = db.prepare('PRAGMA user_version').get() ?? {};
        expect(user_version).toBe(SCHEMA_VERSION);
        db.close();
      },
    );

    it.each(Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1))(
      'finds the failed work in a file of schema version %i',
      async (version) => {
        const file = newFile();
        copyFileSync(fixtureOf(version), file);
        const [, ended = sampleTask(2)] = KEPT_TASKS;
        // What a store of that version kept of a tool that returned an error.
        const old = driver(file);
        old.exec(
          `UPDATE tasks SET summary = json_set(summary, '$.statusMessage', 'No paper') WHERE id = '${ended.id}'`,
        );
        old.close();
        const { administration } = open(file) as AdministeredStore;
        expect(await administration.count(ended.createdAt)).toMatchObject({
          failed: 1,
          completed: 0,
        });
        const page = (status: 'failed' | 'completed') =>
          administration.find({ status, limit: 9, now: ended.createdAt });
        expect((await page('failed')).map(({ id }) => id)).toEqual([ended.id]);
        expect(await page('completed')).toEqual([]);
      },
    );
  });

  describe('a backup', () => {
    it('is complete, can be opened, and has the content of one moment', async () => {
      const file = newFile();
      const store = open(file);
      await Promise.all(Array.from({ length: 50 }, (_, n) => store.insert(sampleTask(n), NO_CAPS)));
      const secret = await store.secret();
      const to = join(dirname(file), 'copy.db');
      backupSqlite({ file, to, driver });
      await store.insert(sampleTask(99), NO_CAPS);
      const restored = open(to);
      expect(await restored.get(sampleTask(49))).toEqual(sampleTask(49));
      expect(await restored.get(sampleTask(99))).toBeUndefined();
      expect(await restored.secret()).toEqual(secret);
    });

    it('is written where only files that are open for writing can be flushed', async () => {
      const file = newFile();
      await open(file).insert(sampleTask(1), NO_CAPS);
      cleanups.push(flushAsWindows());
      backupSqlite({ file, to: `${file}.copy`, driver });
      expect(await open(`${file}.copy`).get(sampleTask(1))).toEqual(sampleTask(1));
    });

    it('overwrites no file and creates no empty store', async () => {
      const file = newFile();
      await open(file).insert(sampleTask(1), NO_CAPS);
      const to = `${file}.copy`;
      writeFileSync(to, 'precious');
      expect(() => backupSqlite({ file, to, driver })).toThrow('exists already');
      expect(readFileSync(to, 'utf8')).toBe('precious');
      expect(() => backupSqlite({ file: `${file}.none`, to: `${file}.x`, driver })).toThrow(
        'There is no database',
      );
    });

    it('says what keeps it from being written', async () => {
      const file = newFile();
      await open(file).insert(sampleTask(1), NO_CAPS);
      const to = join(dirname(file), 'none', 'copy.db');
      const message = `Cannot write ${to}: ENOENT: no such file or directory. Create its folder, or choose another file.`;
      expect(() => backupSqlite({ file, to, driver })).toThrow(message);
    });
  });
});
