import * as z from 'zod';

import type { PostgresStoreOptions } from '../stores/postgres/options.js';
import type { StorePart } from './parts.js';
import type { SettingsOf } from './settings.js';
import { text } from './setting-types.js';

/** What the environment does not set. */
export type PostgresPartOptions = Pick<
  PostgresStoreOptions,
  'ssl' | 'poolSize' | 'connectTimeoutMs' | 'statementTimeoutMs' | 'pollMs'
>;

/** Made when a program uses them, because the schemas of every part would cost each start. */
const settingsOf = () => ({
  DATABASE_URL: text()
    .optional()
    .describe(
      'postgres://user:password@host:port/database (default: PGHOST, PGPORT, PGUSER and so on decide)',
    ),
  DATABASE_SCHEMA: z
    .string()
    // DBOS has a schema of its own, whose name is 5 characters longer than this one.
    .regex(/^[a-z_][a-z0-9_]{0,57}$/, 'use 1 to 58 of a-z, 0-9 and _, and no digit at the start')
    .default('mcp_tasks')
    .describe('The schema of the tables; servers with other tools need another one'),
  MIGRATE_AT_START: z
    .stringbool({
      truthy: ['true'],
      falsy: ['false'],
      case: 'sensitive',
      error: 'use true or false',
    })
    .default(true)
    .describe('Whether the server creates and updates the tables at its start'),
});

const clusterSettingsOf = () => ({
  ROLE: z
    .enum(['all', 'web', 'worker'])
    .default('all')
    .describe('web: serves clients; worker: runs tasks, and serves /health; all: both'),
  CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(64)
    .describe('Tasks that run at a time in this process'),
});

type Settings = SettingsOf<ReturnType<typeof settingsOf>>;
type ClusterSettings = SettingsOf<ReturnType<typeof clusterSettingsOf>>;

/**
 * Tasks are kept in a PostgreSQL database, which several processes may share. Needs the package `pg`; with `http()` the
 * processes share the work too, and need the package `@dbos-inc/dbos-sdk`. Settings: `DATABASE_URL`, `DATABASE_SCHEMA`,
 * `MIGRATE_AT_START`; with `http()` also `ROLE` and `CONCURRENCY`.
 */
export function postgres(options: PostgresPartOptions = {}): StorePart {
  const { ssl } = options;
  const encryption = ssl === undefined ? {} : { ssl };
  const part: StorePart<ReturnType<typeof settingsOf>> = {
    settings: settingsOf(),
    hints: {
      PostgresError: 'DATABASE_URL sets the address; without it PGHOST, PGPORT and so on do.',
    },
    async open(settings, { name, log }) {
      const { openPostgresStore } = await import('../stores/postgres/index.js');
      return openPostgresStore({
        ...options,
        ...connectionIn(settings),
        migrate: settings.MIGRATE_AT_START,
        applicationName: name,
        onFault: (error) => log.error({ event: 'fault' }, error.message),
      });
    },
    administration: {
      async open(settings) {
        const { openPostgresStore } = await import('../stores/postgres/index.js');
        return openPostgresStore({ ...options, ...connectionIn(settings), migrate: false });
      },
      async migrate(settings, cluster) {
        const { migratePostgres } = await import('../stores/postgres/index.js');
        await migratePostgres({ ...options, ...connectionIn(settings) });
        if (cluster) {
          const { migrateDbos } = await import('../executors/dbos/index.js');
          await migrateDbos({ ...dbosIn(settings), ...encryption });
        }
        return `Schema ${settings.DATABASE_SCHEMA} is up to date`;
      },
    },
    cluster: {
      settings: clusterSettingsOf(),
      servesClients: (settings) => (settings as ClusterSettings).ROLE !== 'worker',
      async executor(settings) {
        const { ROLE, CONCURRENCY } = settings as Settings & ClusterSettings;
        const { createDbosExecutor } = await import('../executors/dbos/index.js');
        return createDbosExecutor({
          ...dbosIn(settings),
          ...encryption,
          migrate: settings.MIGRATE_AT_START,
          role: ROLE,
          concurrency: CONCURRENCY,
        });
      },
    },
  };
  return part;
}

function connectionIn({ DATABASE_URL, DATABASE_SCHEMA }: Settings) {
  return {
    schema: DATABASE_SCHEMA,
    ...(DATABASE_URL !== undefined && { connectionString: DATABASE_URL }),
  };
}

/** Servers whose tasks are in different schemas share no queue either. */
function dbosIn(settings: Settings) {
  return { ...connectionIn(settings), schema: `${settings.DATABASE_SCHEMA}_dbos` };
}
