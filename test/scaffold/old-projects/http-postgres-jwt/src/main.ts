import { parseArgs } from 'node:util';
import { migrateDbos } from '@mcp-codegen/runtime/executors/dbos';
import {
  bearer,
  ConfigError,
  exitWithReason,
  lineWriter,
  logOptions,
  preferSmallHeap,
  runUntilStopped,
} from '@mcp-codegen/runtime/server';
import { verifyJwt } from '@mcp-codegen/runtime/server/jwt';
import { migratePostgres, openPostgresStore } from '@mcp-codegen/runtime/stores/postgres';
import { pino } from 'pino';
import { dbosSchemaOf, readConfig, readPostgres, variableRows } from './config.js';
import { startServer, version } from './server.js';

/**
 * What to set when the server does not start, by the name of the error.
 *
 */
const HINTS = {
  ListenError: 'PORT and HOST set the address.',

  PostgresError: 'DATABASE_URL sets the address; without it PGHOST, PGPORT and so on do.',
};

type Row = readonly [written: string, meaning: string];

/** The other programs of this file. */
const COMMANDS: readonly Row[] = [
  ['tasks', 'Lists, inspects, cancels, retries and removes tasks'],

  ['board', 'Opens a page with the tasks'],

  ['migrate', 'Creates or updates the tables'],
];

const OPTIONS: readonly Row[] = [
  ['--debug', 'Logs more, and prints the stacks of errors at the start'],

  ['--role <role>', 'What this process does: all, web or worker'],
  ['-h, --help', 'Prints this text'],
  ['-v, --version', 'Prints the version of the server'],
];

try {
  const [command, ...args] = process.argv.slice(2);

  if (command === 'tasks') process.exit(await runTasksCommand(args));

  if (command === 'board') process.exit(await runBoard(args));

  if (command === 'migrate') {
    if (args.length > 0) {
      throw new ConfigError(`Unexpected argument ${JSON.stringify(args[0])}: migrate takes none.`);
    }
    const settings = readPostgres(process.env);
    await migratePostgres(settings);
    await migrateDbos({ ...settings, schema: dbosSchemaOf(settings) });
    console.log(`Schema ${settings.schema} is up to date`);
    process.exit();
  }
  const options = commandLine();
  if (options.help || options.version) {
    console.log(options.help ? helpText().trimEnd() : version);
    process.exit();
  }
  const config = readConfig({
    ...process.env,
    ...(options.debug && { LOG_LEVEL: 'debug' }),

    ...(options.role !== undefined && { ROLE: options.role }),
  });
  const log = pino(logOptions(config.logLevel), lineWriter());
  // Remove it when throughput matters more than memory: garbage collection takes more time then.
  preferSmallHeap();
  await runUntilStopped(() => startServer({ config, log }), config.drainMs, log);
} catch (error) {
  const debug = process.argv.includes('--debug') || process.env['LOG_LEVEL'] === 'debug';
  exitWithReason(error, {
    debug,

    hints: HINTS,
  });
}

/**
 * The options of the command line. `--help` prints them.
 *
 * @throws {ConfigError}
 */
function commandLine() {
  try {
    return parseArgs({
      options: {
        /** Logs more, and prints the stacks of errors at the start. */
        debug: { type: 'boolean' },

        role: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    }).values;
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`${message}. --help lists options and settings.`);
  }
}

/** The text that `--help` prints. */
function helpText(): string {
  return [
    'http-postgres-jwt: an MCP server. Without a command it serves clients.\n',
    section('Usage', [['node dist/main.js [command] [options]', '']]),
    COMMANDS.length === 0 ? '' : section('Commands', COMMANDS),
    section('Options', OPTIONS),
    section('Environment', variableRows()),
  ]
    .filter(Boolean)
    .join('\n');
}

function section(title: string, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([written]) => written.length));
  const lines = rows.map(([written, meaning]) =>
    `  ${written.padEnd(width)}  ${meaning}`.trimEnd(),
  );
  return `${title}:\n${lines.join('\n')}\n`;
}

/**
 * `npm run tasks`: lists, cancels, retries and removes tasks, also while servers run.
 *
 */
async function runTasksCommand(args: readonly string[]): Promise<number> {
  const { tasksCommand } = await import('@mcp-codegen/runtime/admin');
  return tasksCommand(args, {
    open: openTasks,
  });
}

/**
 * `npm run tasks:board`: a page with the tasks, at this machine only unless the server has an authorization.
 *
 */
async function runBoard(args: readonly string[]): Promise<number> {
  const { boardCommand } = await import('@mcp-codegen/runtime/board');
  const log = pino(logOptions('info'), lineWriter());
  return boardCommand(args, {
    name: 'http-postgres-jwt',
    open: openTasks,
    /**
     * For those to whom the authorization server grants the scope of the board. It shows the tasks of all owners.
     *
     */
    auth: () => {
      const { auth } = readConfig(process.env);
      const scopes = [...auth.scopes, 'tasks:board'];
      return bearer({ ...auth, scopes, verify: verifyJwt(auth) });
    },
    onAction: ({ type: event, ...fields }) => log.info({ event, ...fields }, 'Done with the board'),
  });
}

/**
 * The tasks of the server, also while it runs.
 *
 */
function openTasks() {
  return openPostgresStore({ ...readPostgres(process.env), migrate: false });
}
