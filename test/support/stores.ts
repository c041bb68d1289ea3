import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createMemoryStore, openSqliteStore } from '../../runtime/stores/index.js';
import { libsqlDriver, nodeDriver, type SqliteDriver } from '../../runtime/stores/sqlite/driver.js';
import type { TaskStore } from '../../runtime/tasks/index.js';

/** A place for one store's data; `open` may be called again after a close, and finds it as it was. */
export interface StorePlace {
  readonly open: () => TaskStore;
  readonly remove: () => void;
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

const drivers = { 'sqlite (libsql)': libsqlDriver(), 'sqlite (node:sqlite)': nodeDriver() };

/** Every store that this machine can run. */
export const STORE_KINDS: readonly StoreKind[] = [
  memory,
  ...Object.entries(drivers).flatMap(([name, driver]) => (driver ? [sqlite(name, driver)] : [])),
];
