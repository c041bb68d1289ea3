import { readDatabase } from './config.js';
import { backupSqlite } from '@mcp-codegen/runtime/stores/sqlite';

/** `npm run tasks:backup -- <file>` copies the tasks to a new file, while the server runs or not. */
const [to, ...others] = process.argv.slice(2);

try {
  if (to === undefined || others.length > 0) throw new Error('Usage: tasks:backup <file>');
  const file = readDatabase(process.env);
  backupSqlite({ file, to });
  console.log(`${file} was copied to ${to}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
