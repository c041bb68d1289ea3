import { parseArgs } from 'node:util';
import { migrateDbos } from '@mcp-codegen/runtime/executors/dbos';
import { runUntilStopped } from '@mcp-codegen/runtime/server';
import { migratePostgres, PostgresError } from '@mcp-codegen/runtime/stores/postgres';
import { backupSqlite } from '@mcp-codegen/runtime/stores/sqlite';
import { ConfigError, dbosSchemaOf, readConfig, readDatabase, readPostgres } from './config.js';
import { feature } from './feature.js';
import { createLog } from './log.js';
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
  /** @when sqlite */
  const [command, to, ...others] = process.argv.slice(2);
  /** @when sqlite */
  if (command === 'backup') {
    if (to === undefined || others.length > 0) throw new ConfigError('Usage: backup <file>');
    const file = readDatabase(process.env);
    // Also while another process serves from the file.
    backupSqlite({ file, to });
    console.log(`${file} was copied to ${to}`);
    process.exit();
  }
  /** @when postgres */
  if (process.argv[2] === 'migrate') {
    const settings = readPostgres(process.env);
    await migratePostgres(settings);
    if (feature.http) await migrateDbos({ ...settings, schema: dbosSchemaOf(settings) });
    console.log(`Schema ${settings.schema} is up to date`);
    process.exit();
  }
  const config = readConfig(feature.http && feature.postgres ? withRole() : process.env);
  const log = createLog(config.logLevel);
  await runUntilStopped(() => startServer(config, log), config.drainMs, log);
} catch (error) {
  const explained = EXPLAINED.find((kind) => error instanceof kind) && (error as Error);
  console.error(explained?.message ?? error);
  process.exit(1);
}
