export { createMemoryStore } from './memory/index.js';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/index.js';
