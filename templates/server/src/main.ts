import { parseArgs } from 'node:util';
import { tasksCommand } from '@mcp-codegen/runtime/admin';
import { migrateDbos } from '@mcp-codegen/runtime/executors/dbos';
import { lineWriter, logOptions, runUntilStopped } from '@mcp-codegen/runtime/server';
import {
  migratePostgres,
  openPostgresStore,
  PostgresError,
} from '@mcp-codegen/runtime/stores/postgres';
import { backupSqlite, openSqliteBeside } from '@mcp-codegen/runtime/stores/sqlite';
import { pino } from 'pino';
import { ConfigError, dbosSchemaOf, readConfig, readDatabase, readPostgres } from './config.js';
import { feature } from './feature.js';
import { startServer } from './server.js';

/** Errors whose message says all that there is to say. */
const EXPLAINED = [
  ConfigError,
  // @when postgres
  PostgresError,
];

/**
 * The environment with the role of the command line.
 *
 * @throws {ConfigError}
 * @when http postgres
 */
function withRole(): NodeJS.ProcessEnv {
  try {
    const { role } = parseArgs({ options: { role: { type: 'string' } } }).values;
    return role === undefined ? process.env : { ...process.env, ROLE: role };
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

try {
  /** @when durable */
  const [command, ...args] = process.argv.slice(2);
  /** @when durable */
  if (command === 'tasks') process.exit(await runTasksCommand(args));
  /** @when postgres */
  if (command === 'migrate') {
    const settings = readPostgres(process.env);
    await migratePostgres(settings);
    if (feature.http) await migrateDbos({ ...settings, schema: dbosSchemaOf(settings) });
    console.log(`Schema ${settings.schema} is up to date`);
    process.exit();
  }
  const config = readConfig(feature.http && feature.postgres ? withRole() : process.env);
  const log = pino(logOptions(config.logLevel), lineWriter());
  await runUntilStopped(() => startServer({ config, log }), config.drainMs, log);
} catch (error) {
  const explained = EXPLAINED.find((kind) => error instanceof kind) && (error as Error);
  console.error(explained?.message ?? error);
  process.exit(1);
}

/**
 * `npm run tasks`: lists, cancels, retries and removes tasks, also while servers run.
 *
 * @when durable
 */
function runTasksCommand(args: readonly string[]): Promise<number> {
  return tasksCommand(args, {
    open: () =>
      feature.postgres
        ? openPostgresStore({ ...readPostgres(process.env), migrate: false })
        : openSqliteBeside({ file: readDatabase(process.env) }),
    // @when sqlite
    backup: (to) => backupSqlite({ file: readDatabase(process.env), to }),
  });
}
