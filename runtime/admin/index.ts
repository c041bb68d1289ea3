import { administer, type AdministeredStore, messageOf, TaskError } from '../tasks/index.js';
import { COMMANDS } from './commands.js';
import { type Options, readOptions, USAGE, UsageError } from './options.js';

export interface TasksCommandOptions {
  /** Opens the store, for as long as the command runs. Any store with `administration` will do. */
  readonly open: () => AdministeredStore | Promise<AdministeredStore>;
  /** Copies the database to a file. Absent where the database has a command of its own for that. */
  readonly backup?: (file: string) => void | Promise<void>;
  /** Default: standard output. */
  readonly print?: (text: string) => void;
  /** Default: standard error. */
  readonly printError?: (text: string) => void;
}

/**
 * Runs one command of a server's administration: `list`, `inspect`, `cancel`, `retry`, `purge` or `backup`.
 * Resolves with the exit code: 0 done, 1 something could not be done, 2 wrong arguments.
 */
export async function tasksCommand(
  args: readonly string[],
  options: TasksCommandOptions,
): Promise<number> {
  const { print = console.log, printError = console.error } = options;
  const json = args.includes('--json');
  try {
    const given = readOptions(args);
    if (given.help) {
      print(USAGE);
      return 0;
    }
    const { document, text, failed = false } = await run(given, options);
    print(given.json ? JSON.stringify({ schemaVersion: 1, ...document }) : text);
    return failed ? 1 : 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const message = messageOf(error);
    const reason = isUsage ? 'usage' : error instanceof TaskError ? error.reason : 'failed';
    if (json) print(JSON.stringify({ schemaVersion: 1, errors: [{ reason, message }] }));
    else printError(isUsage ? `${message}\n\nSee npm run tasks -- --help` : message);
    return isUsage ? 2 : 1;
  }
}

async function run(given: Options, { open, backup }: TasksCommandOptions) {
  const [file = ''] = given.rest;
  if (given.command === 'backup') {
    if (backup === undefined) {
      throw new UsageError('Use the command of the database: pg_dump for PostgreSQL');
    }
    await backup(file);
    return { document: { backup: file }, text: `The database was copied to ${file}` };
  }
  const command = COMMANDS[given.command];
  if (command === undefined) throw new UsageError(`Unknown command ${given.command}`);
  const store = await open();
  try {
    return await command(administer(store), given);
  } finally {
    await store.close();
  }
}
