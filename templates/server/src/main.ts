import { runUntilStopped } from '@mcp-codegen/runtime/server';
import { backupSqlite } from '@mcp-codegen/runtime/stores/sqlite';
import { ConfigError, readConfig, readDatabase } from './config.js';
import { startServer } from './server.js';

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
  const config = readConfig(process.env);
  await runUntilStopped(() => startServer(config), config.drainMs);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
