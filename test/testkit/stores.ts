import { copyFileSync, existsSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { createMemoryStore, openSqliteStore } from '../../runtime/stores/index.js';
import type { SqliteDatabase, SqliteDriver } from '../../runtime/stores/sqlite/driver.js';
import type { DurableStore, StoreUnderTest } from '../../runtime/testing/testkit/index.js';
import type { TaskStore } from '../../runtime/tasks/index.js';
import { compiled } from '../support/program.js';
import { temporaryFolder } from '../support/stores.js';
import { sharedStore } from '../tasks/support.js';
import { openLogStore, type Write } from './log-store.js';

/** A folder, and whether its disk refuses to be written. */
export interface DiskPlace {
  readonly folder: string;
  readonly disk: { full: boolean };
}

function newPlace(): DiskPlace {
  return { folder: temporaryFolder().path, disk: { full: false } };
}

const removePlace = ({ folder }: DiskPlace): void =>
  rmSync(folder, { recursive: true, force: true });

function failWrites({ disk }: DiskPlace): () => void {
  disk.full = true;
  return () => {
    disk.full = false;
  };
}

/** Copies those of the files that there are, at once. */
function copyOf({ folder }: DiskPlace, names: readonly string[]): DiskPlace {
  const copy = newPlace();
  for (const name of names) {
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy.folder, name));
  }
  return copy;
}

const programs = new Map<string, URL>();
export function program(name: string): URL {
  const found =
    programs.get(name) ?? pathToFileURL(compiled(new URL(`./${name}.process.ts`, import.meta.url)));
  programs.set(name, found);
  return found;
}

export const memoryUnderTest: StoreUnderTest<null> = {
  create: () => null,
  open: () => createMemoryStore(),
  administration: true,
  durable: 'It keeps tasks in memory.',
  shared: 'It keeps tasks in memory.',
};

/** One memory store that all who open it get. */
export const sharedMemoryUnderTest: StoreUnderTest<TaskStore> = {
  create: sharedStore,
  open: (store) => store,
  administration: true,
  durable: 'It keeps tasks in memory.',
  shared: {},
};

const logDurability: DurableStore<DiskPlace> = {
  leases: 'kept',
  crash: (place) => copyOf(place, ['tasks.log', 'tasks.closed.log']),
  process: ({ folder }) => ({ module: program('log-store'), argument: folder }),
  failWrites,
  files: ({ folder }) => [join(folder, 'tasks.closed.log')],
};

/** No test cuts the power. */
const writeWithoutFlush: Write = (file, bytes, at) =>
  void writeSync(file, bytes, 0, bytes.length, at);

export const logStoreUnderTest = {
  create: newPlace,
  open: ({ folder, disk }) =>
    openLogStore(folder, (...write) => {
      if (disk.full) throw new Error('ENOSPC');
      writeWithoutFlush(...write);
    }),
  remove: removePlace,
  administration: true,
  durable: logDurability,
  shared: 'One process has the folder.',
} satisfies StoreUnderTest<DiskPlace>;

/** A driver whose commits fail while the disk is full. */
function onDisk(driver: SqliteDriver, { disk }: DiskPlace): SqliteDriver {
  return (file): SqliteDatabase => {
    const db = driver(file);
    return {
      prepare: (sql) => db.prepare(sql),
      close: () => db.close(),
      exec(sql) {
        if (sql === 'COMMIT' && disk.full) throw new Error('database or disk is full');
        db.exec(sql);
      },
    };
  };
}

export function sqliteUnderTest(name: string, driver: SqliteDriver) {
  const fileOf = ({ folder }: DiskPlace): string => join(folder, 'tasks.db');
  return {
    create: newPlace,
    open: (place) => openSqliteStore({ file: fileOf(place), driver: onDisk(driver, place) }),
    remove: removePlace,
    administration: true,
    durable: {
      // Its lock proves that the process before has ended.
      leases: 'ended',
      crash: (place) => copyOf(place, ['tasks.db', 'tasks.db-wal']),
      process: (place) => ({
        module: program('sqlite'),
        argument: JSON.stringify({ file: fileOf(place), name }),
      }),
      failWrites,
      files: (place) => [fileOf(place)],
    },
    shared: 'One process has the file.',
  } satisfies StoreUnderTest<DiskPlace>;
}
