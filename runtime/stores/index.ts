export { createMemoryStore } from './memory/index.js';
export {
  backupSqlite,
  openSqliteStore,
  type SqliteBackupOptions,
  type SqliteStoreOptions,
} from './sqlite/index.js';
