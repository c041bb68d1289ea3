import yargs from 'yargs';
import type { ArgumentsCamelCase, Argv } from 'yargs';
import { packageVersion } from '../generator/read/load/version.js';
import type { Command, OptionTable } from './command.js';
import { COMMANDS, type CommandEntry, type CommandGroup, TOPICS } from './commands.js';
import { UsageError } from './exit.js';
import { explain, unexpectedArgument, type Expected } from './explain.js';
import type { Io } from './io.js';
import { checkValues, ownWords } from './values.js';

/** The meaning of a command line: a command to run, or a text to print. */
export type Call =
  | {
      readonly kind: 'run';
      readonly name: string;
      readonly command: Command;
      readonly args: object;
    }
  | { readonly kind: 'print'; readonly text: string };

const PROGRAM = 'mcp-codegen';

/** The options of every command. */
export const COMMON_OPTIONS = {
  color: { type: 'boolean', hidden: true },
  'no-color': { type: 'boolean', describe: 'Plain text' },
  debug: { type: 'boolean', describe: 'Stack traces with errors' },
} as const satisfies OptionTable;

/** The names in a notation like `diff <before> <after>`. */
const nameOf = (usage: string): string => usage.split(' ')[0] ?? usage;

/** The state of parsing. */
interface State extends Expected {
  call?: Call;
  /** The examples of the current command. The overview of all has none. */
  examples: Command['examples'];
}

/** @throws {UsageError} */
export async function parseCommandLine(
  written: readonly string[],
  width: number,
  io: Pick<Io, 'cwd' | 'env'> = { cwd: '.', env: {} },
): Promise<Call> {
  const argv = withDefault(written);
  if (argv[0] === COMPLETIONS_FLAG) {
    const values = await valuesAt(argv.slice(1), io);
    if (values) return { kind: 'print', text: values.map((value) => `${value}\n`).join('') };
  }
  const state: State = {
    argv,
    commands: COMMANDS.map(({ usage }) => nameOf(usage)),
    options: [...Object.keys(COMMON_OPTIONS), 'help', 'version'],
    usage: `${PROGRAM} <command>`,
    examples: [],
  };
  const parser = yargs()
    .scriptName(PROGRAM)
    .parserConfiguration({
      'boolean-negation': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'populate--': true,
    })
    .detectLocale(false)
    .wrap(Math.min(100, width))
    .version(packageVersion())
    .alias({ help: 'h', version: 'v' })
    .options(COMMON_OPTIONS)
    .strict()
    .demandCommand(1)
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      throw explain(error, message ?? '', state);
    });
  for (const each of COMMANDS) addCommand(parser, each, '', state);
  let printed = '';
  await parser.parseAsync(
    namesNoCommand(argv) ? [...argv, '--help'] : argv,
    {},
    (error, args, output) => {
      if (error instanceof Error) throw explain(error, error.message, state);
      printed = args['help'] === true ? helpText(output, state.examples) : output;
    },
  );
  if (argv[0] === COMPLETIONS_FLAG) return { kind: 'print', text: fitting(printed, argv.at(-1)) };
  return state.call ?? { kind: 'print', text: `${printed}\n` };
}

/** Names of options are offered only to a word that begins like one, so that files are offered to others. */
function fitting(printed: string, current = ''): string {
  const lines = printed.split('\n').filter((each) => current.startsWith('-') || !/^-/.test(each));
  return `${lines.join('\n')}\n`;
}

function addCommand(
  parser: Argv,
  each: CommandEntry | CommandGroup,
  prefix: string,
  state: State,
): void {
  if ('commands' in each) addGroup(parser, each, state);
  else addLeaf(parser, each, prefix, state);
}

function addGroup(parser: Argv, group: CommandGroup, state: State): void {
  const { usage, summary, commands, examples } = group;
  parser.command(
    usage,
    summary,
    (inner) => {
      state.commands = commands.map((each) => nameOf(each.usage));
      state.usage = `${PROGRAM} ${usage} <command>`;
      state.examples = examples;
      for (const each of commands) addCommand(inner, each, `${usage} `, state);
      return inner.demandCommand(1);
    },
    () => undefined,
  );
}

function addLeaf(parser: Argv, entry: CommandEntry, prefix: string, state: State): void {
  const { usage, summary, load } = entry;
  let command: Command | undefined;
  parser.command(
    usage,
    summary,
    async (leaf) => {
      command = await load();
      state.commands = [];
      state.options = [...state.options, ...Object.keys(command.options)];
      state.usage = `${PROGRAM} ${prefix}${usage}`;
      state.examples = command.examples;
      for (const [name, positional] of Object.entries(command.positionals)) {
        leaf.positional(name, positional);
      }
      return leaf.options(command.options);
    },
    (args) => {
      const twice = Object.entries(command?.options ?? {}).find(
        ([name, { array }]) => !array && Array.isArray(args[name]),
      )?.[0];
      if (twice !== undefined) throw new UsageError(`--${twice} is given twice.`, 'Give it once.');
      const words = `${prefix}${usage}`.split(' ').filter((word) => !/^[<[]/.test(word));
      const { _: plain, '--': verbatim = [], ...named } = args as ArgumentsCamelCase<Verbatim>;
      const taker = command?.verbatim;
      const extra = [...plain.slice(words.length), ...(taker === undefined ? verbatim : [])][0];
      if (extra !== undefined) throw unexpectedArgument(String(extra), state);
      if (!command) return;
      checkValues(ownWords(state.argv), { ...COMMON_OPTIONS, ...command.options }, named);
      if (taker !== undefined) named[taker] = [...((named[taker] ?? []) as unknown[]), ...verbatim];
      state.call = { kind: 'run', name: words.join(' '), command, args: named };
    },
  );
}

/** The arguments after `--`, unparsed. */
interface Verbatim {
  readonly '--'?: readonly string[];
}

/** `tasks --json` is `tasks list --json`: a group may have a command that need not be named. */
function withDefault(argv: readonly string[]): readonly string[] {
  const group = COMMANDS.find(({ usage }) => usage === argv[0]);
  if (!group || !('commands' in group) || group.preset === undefined) return argv;
  const [, second] = argv;
  const isNamed = second !== undefined && !second.startsWith('-');
  return isNamed || second === '--help' || second === '-h'
    ? argv
    : [group.usage, group.preset, ...argv.slice(1)];
}

/** Whether nothing but a group is named, or nothing at all: that asks for help. */
function namesNoCommand(argv: readonly string[]): boolean {
  const group = COMMANDS.find(({ usage }) => usage === argv[0]);
  return argv.length === 0 || (argv.length === 1 && group !== undefined && 'commands' in group);
}

/** Examples come before the lists, because most users need nothing else. */
function helpText(output: string, examples: Command['examples']): string {
  const parts = `Usage: ${output}`.replaceAll(/\s*\[default: \[\]\]/g, '').split('\n\n');
  const lists = parts.findIndex((part) => /^(?:Commands|Positionals|Options):/.test(part));
  return examples.length === 0
    ? parts.toSpliced(lists, 1, ...topicTexts()).join('\n\n')
    : parts.toSpliced(lists, 0, exampleText(examples)).join('\n\n');
}

/** The commands by what a person has, each in a line. */
function topicTexts(): string[] {
  const names = COMMANDS.map(({ usage }) => nameOf(usage));
  const width = Math.max(...names.map(({ length }) => length));
  return TOPICS.map(({ have, example, commands }) => {
    const lines = commands.map((name) => {
      const { summary } = COMMANDS[names.indexOf(name)] ?? { summary: '' };
      return `  ${name.padEnd(width)}  ${summary}`;
    });
    return [`You have ${have}:`, ...lines, `  $ ${PROGRAM} ${example}`].join('\n');
  });
}

function exampleText(examples: Command['examples']): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, what]) => `  ${PROGRAM} ${line.padEnd(width)}  ${what}`);
  return `Examples:\n${lines.join('\n')}`;
}

/** Before the words of an unfinished command line, as the scripts of `completion` pass them. */
export const COMPLETIONS_FLAG = '--get-yargs-completions';

/**
 * The values that may stand at the end of a command line. Undefined where yargs knows them: commands, names of
 * options, and options with a fixed set of values.
 */
async function valuesAt(
  words: readonly string[],
  io: Pick<Io, 'cwd' | 'env'>,
): Promise<readonly string[] | undefined> {
  const found = entryFor(words.slice(1));
  if (!found) return undefined;
  const command: Command = await found.entry.load();
  const { positionals } = command;
  const [previous = '', current = ''] = words.slice(-2);
  if (previous.startsWith('--')) {
    return listed(await valuesOf(previous.slice(2), command, io), current);
  }
  const [first] = Object.keys(positionals);
  const known: string[] = [];
  for (const name of Object.keys(positionals)) {
    known.push(...((await valuesOf(name, command, io)) ?? []));
  }
  const isPositional = first !== undefined && !current.startsWith('-');
  return isPositional && known.length > 0 ? [...new Set(known)] : undefined;
}

async function valuesOf(
  name: string,
  { values = {}, valuesIn = {} }: Command,
  io: Pick<Io, 'cwd' | 'env'>,
): Promise<readonly string[] | undefined> {
  // A file that cannot be read has no values.
  return values[name] ?? (await valuesIn[name]?.(io).catch(() => []));
}

/** For a list with commas, the values that may follow those that are there. */
function listed(values: readonly string[] | undefined, current: string): string[] | undefined {
  if (values === undefined) return undefined;
  const before = current.slice(0, current.lastIndexOf(',') + 1);
  const taken = before.split(',');
  return values.filter((value) => !taken.includes(value)).map((value) => before + value);
}

function entryFor(words: readonly string[]): { readonly entry: CommandEntry } | undefined {
  const outer = COMMANDS.find(({ usage }) => nameOf(usage) === words[0]);
  if (!outer) return undefined;
  if (!('commands' in outer)) return words.length > 1 ? { entry: outer } : undefined;
  const inner = outer.commands.find(({ usage }) => nameOf(usage) === words[1]);
  return inner && words.length > 2 ? { entry: inner } : undefined;
}
