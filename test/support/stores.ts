import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createMemoryStore, openSqliteStore } from '../../runtime/stores/index.js';
import { libsqlDriver, nodeDriver, type SqliteDriver } from '../../runtime/stores/sqlite/driver.js';
import type { TaskStore } from '../../runtime/tasks/index.js';

/** A place for one store's data; `open` may be called again after a close, and finds it as it was. */
export interface StorePlace {
  readonly open: () => TaskStore | Promise<TaskStore>;
  readonly remove: () => void | Promise<void>;
}

export interface StoreKind {
  readonly name: string;
  readonly durable: boolean;
  readonly place: () => StorePlace;
}

export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'mcp-codegen-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function sqlite(name: string, driver: SqliteDriver): StoreKind {
  return {
    name,
    durable: true,
    place() {
      const folder = temporaryFolder();
      const file = join(folder.path, 'tasks.db');
      return { open: () => openSqliteStore({ file, driver }), remove: folder.remove };
    },
  };
}

const memory: StoreKind = {
  name: 'memory',
  durable: false,
  place: () => ({ open: createMemoryStore, remove: () => undefined }),
};

/** Every driver of SQLite that this machine can run. */
export const SQLITE_DRIVERS = Object.entries({
  libsql: libsqlDriver(),
  'node:sqlite': nodeDriver(),
}).flatMap(([name, driver]) => (driver ? [{ name, driver }] : []));

/** Every store that this machine can run. */
export const STORE_KINDS: readonly StoreKind[] = [
  memory,
  ...SQLITE_DRIVERS.map(({ name, driver }) => sqlite(`sqlite (${name})`, driver)),
];

/** Operations that stores behind a network have begun, and those that have not ended. */
const operations = { begun: 0, running: 0 };

/** A store whose operations take more than turns of the event loop; `untilAtRest` waits for them. */
export function tracked(store: TaskStore): TaskStore {
  const track =
    <A extends unknown[], R>(operation: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      operations.begun += 1;
      operations.running += 1;
      try {
        return await operation(...args);
      } finally {
        operations.running -= 1;
      }
    };
  return {
    ...store,
    insert: track((...args) => store.insert(...args)),
    get: track((...args) => store.get(...args)),
    update: track((...args) => store.update(...args)),
    list: track((...args) => store.list(...args)),
    expire: track((...args) => store.expire(...args)),
    renew: track((...args) => store.renew(...args)),
    orphans: track((...args) => store.orphans(...args)),
  };
}

/** Repeats `turns` until no tracked store has an operation running or begun. */
export async function untilAtRest(turns: () => Promise<void>): Promise<void> {
  for (;;) {
    const { begun } = operations;
    await turns();
    while (operations.running > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    if (operations.begun === begun) return;
  }
}
