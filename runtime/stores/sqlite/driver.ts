import { createRequire } from 'node:module';

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, unknown>>;

/** The subset of SQLite that the store needs and that `node:sqlite` and `libsql` share. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): SqlRow | undefined;
  all(...values: SqlValue[]): SqlRow[];
}

export type SqliteDriver = (file: string) => SqliteDatabase;

interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => SqliteDatabase;
}

/** `node:sqlite`, if this Node has it without a flag. */
export function nodeDriver(): SqliteDriver | undefined {
  const sqlite = process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown as
    NodeSqlite | undefined;
  return sqlite && ((file) => new sqlite.DatabaseSync(file));
}

/** The package `libsql`, if it is installed. */
export function libsqlDriver(): SqliteDriver | undefined {
  let Database: new (file: string) => SqliteDatabase;
  try {
    Database = createRequire(import.meta.url)('libsql') as typeof Database;
  } catch {
    return undefined;
  }
  return (file) => new Database(file);
}

/** Throws an Error that says what to install when neither is there. */
export function availableDriver(): SqliteDriver {
  const driver = nodeDriver() ?? libsqlDriver();
  if (driver) return driver;
  throw new Error('No SQLite: use Node 22.13 or newer, or install the package libsql');
}
