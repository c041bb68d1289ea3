import type { ConnectionOptions } from 'node:tls';

export interface PostgresStoreOptions {
  /**
   * `postgres://user:password@host:port/database?sslmode=…`. Without it the environment decides, as for
   * `psql`: `PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD`, `PGDATABASE`.
   */
  readonly connectionString?: string;
  /** TLS: `true`, or options such as `{ ca }`. Default none. `sslmode=disable` or `no-verify` overrides it. */
  readonly ssl?: boolean | ConnectionOptions;
  /** Where the tables are; made if it does not exist. A lower-case name. Default `mcp_tasks`. */
  readonly schema?: string;
  /**
   * Whether `openPostgresStore` creates or updates the schema. Otherwise it throws for a schema of an older
   * version. Default true.
   */
  readonly migrate?: boolean;
  /** Connections for reads and writes; one more listens. Default 10. */
  readonly poolSize?: number;
  /** Milliseconds to wait for a connection, new or of the pool. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds after which the server ends a statement. Default 10,000. */
  readonly statementTimeoutMs?: number;
  /** Milliseconds between reads of the changes that no notification reported. Default 5,000. */
  readonly pollMs?: number;
  /** Shown in `pg_stat_activity`; the one that listens has ` (listener)` behind it. Default `mcp-codegen`. */
  readonly applicationName?: string;
  /** Receives faults of the background: a lost listener, a notification that was not sent. */
  readonly onFault?: (error: Error) => void;
}

export type CompleteOptions = PostgresStoreOptions &
  Required<
    Pick<
      PostgresStoreOptions,
      | 'schema'
      | 'migrate'
      | 'poolSize'
      | 'connectTimeoutMs'
      | 'statementTimeoutMs'
      | 'pollMs'
      | 'applicationName'
      | 'onFault'
    >
  >;

/** Fills in the defaults. Throws a RangeError that names the first option that makes no sense. */
export function completeOptions(given: PostgresStoreOptions): CompleteOptions {
  const defaults = {
    schema: 'mcp_tasks',
    migrate: true,
    poolSize: 10,
    connectTimeoutMs: 5_000,
    statementTimeoutMs: 10_000,
    pollMs: 5_000,
    applicationName: 'mcp-codegen',
    onFault: () => undefined,
  };
  const options: CompleteOptions = { ...defaults, ...withoutUndefined(given) };
  for (const name of ['poolSize', 'connectTimeoutMs', 'statementTimeoutMs', 'pollMs'] as const) {
    const value = options[name];
    if (!Number.isSafeInteger(value) || value < 1 || value > 2 ** 31 - 1) {
      throw new RangeError(`${name} must be a positive integer, not ${String(value)}`);
    }
  }
  // Names that need no quotes, and that the server does not cut.
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(options.schema)) {
    throw new RangeError(
      `schema must have 1 to 63 of a-z, 0-9 and _, and not begin with a digit: ${options.schema}`,
    );
  }
  return options;
}

function withoutUndefined(options: PostgresStoreOptions): PostgresStoreOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
