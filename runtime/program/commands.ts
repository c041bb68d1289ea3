import { ConfigError } from '../server/auth/index.js';
import type { Program } from './assembly.js';
import type { Row } from './command-line.js';
import { nameOf } from './identity.js';
import type { StoreAdministration } from './parts.js';
import { openLog } from './open-log.js';
import { readSettings, type SettingsOf, type SettingsShape } from './settings.js';

/** The other programs of a server: what runs instead of serving, and its exit code. */
interface Command {
  readonly meaning: string;
  run(program: Program, args: readonly string[]): Promise<number>;
}

const OF_TASKS: Readonly<Record<string, Command>> = {
  tasks: { meaning: 'Lists, inspects, cancels, retries and removes tasks', run: runTasks },
  board: { meaning: 'Opens a page with the tasks', run: runBoard },
};
const MIGRATE: Readonly<Record<string, Command>> = {
  migrate: { meaning: 'Creates or updates the tables', run: runMigrate },
};

function commandsOf({ options: { store } }: Program): Readonly<Record<string, Command>> {
  if (store.administration === undefined) return {};
  return { ...OF_TASKS, ...(store.administration.migrate && MIGRATE) };
}

/** The commands, for `--help`. */
export function commandRows(program: Program): readonly Row[] {
  return Object.entries(commandsOf(program)).map(([name, { meaning }]) => [name, meaning]);
}

/**
 * Runs the command that the arguments begin with. Resolves with the exit code, or with undefined without a command.
 *
 * @throws {ConfigError} for a command that does not exist, or that the store does not have.
 */
export async function runCommand(
  program: Program,
  [name = '', ...args]: readonly string[],
): Promise<number | undefined> {
  const commands = commandsOf(program);
  if (Object.hasOwn(commands, name)) return commands[name]?.run(program, args);
  if (Object.hasOwn(OF_TASKS, name)) throw new ConfigError(refusal(name));
  if (name !== '' && !name.startsWith('-')) throw unknownCommand(name, Object.keys(commands));
  return undefined;
}

function unknownCommand(name: string, known: readonly string[]): ConfigError {
  const all = known.length === 0 ? 'This server has no commands.' : `Known: ${known.join(', ')}.`;
  return new ConfigError(`Unknown command ${JSON.stringify(name)}. ${all}`);
}

function refusal(name: string): string {
  const what = name === 'board' ? 'A task board' : `The command ${name}`;
  return (
    `${what} needs a store that a second process can open: sqlite() or postgres(). This server keeps its tasks in ` +
    'the memory of its process: give runServer another store.'
  );
}

async function runTasks(program: Program, args: readonly string[]): Promise<number> {
  const { tasksCommand } = await import('../admin/index.js');
  const administration = administrationOf(program);
  return tasksCommand(args, {
    open: () => openTasks(program),
    ...(administration.backup && {
      backup: async (file) =>
        administration.backup?.(await storeSettings(program), program.project, file),
    }),
  });
}

/** At this machine only, unless the server has an authorization. The board shows the tasks of all owners. */
async function runBoard(program: Program, args: readonly string[]): Promise<number> {
  const { boardCommand } = await import('../admin/board/index.js');
  const { transport, log = await openLog('info') } = program.options;
  const { auth } = transport;
  return boardCommand(args, {
    name: nameOf(program),
    open: () => openTasks(program),
    ...(auth && {
      auth: async () => {
        const { environment, place } = program;
        return auth.authorize(await readSettings(auth.settings, environment, place), BOARD_SCOPES);
      },
    }),
    onAction: ({ type: event, ...fields }) => log.info({ event, ...fields }, 'Done with the board'),
  });
}

/** The authorization server grants it to operators. */
const BOARD_SCOPES = ['tasks:board'];

async function runMigrate(program: Program, args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    throw new ConfigError(`Unexpected argument ${JSON.stringify(args[0])}: migrate takes none.`);
  }
  const isCluster = program.cluster !== undefined;
  const done = administrationOf(program).migrate?.(await storeSettings(program), isCluster);
  console.log(await done);
  return 0;
}

function administrationOf({ options: { store } }: Program): StoreAdministration<SettingsShape> {
  if (store.administration === undefined) throw new Error('The store has no administration');
  return store.administration;
}

async function openTasks(program: Program) {
  return administrationOf(program).open(await storeSettings(program), program.project);
}

/** Commands need no other setting. */
function storeSettings(program: Program): Promise<SettingsOf<SettingsShape>> {
  const { options, environment, place } = program;
  return readSettings(options.store.settings, environment, place);
}
