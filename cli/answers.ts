import { basename, dirname, relative, resolve } from 'node:path';
import { quote } from '../json-schema/text.js';
import {
  checkProjectName,
  checkValues,
  choose,
  ScaffoldError,
} from '../generator/scaffold/index.js';
import type { Choices, Template } from '../generator/scaffold/index.js';
import { diskFolder } from '../generator/write/index.js';
import { UsageError } from './exit.js';
import type { Io, Terminal } from './io.js';
import { packageManager } from './packages.js';
import { askFolder, askOptions, askWhether, isAsked } from './prompts.js';

/** The command line of `new`; a template's options are flags like the others. */
export interface NewArguments {
  readonly [flag: string]: unknown;
  readonly dir?: string;
  readonly name?: string;
  readonly runtime?: string;
  readonly install?: boolean;
  readonly git?: boolean;
  readonly yes?: boolean;
  readonly noInput?: boolean;
  readonly json?: boolean;
}

/** The project's folder and its package name. */
export interface Place {
  /** The package's name. */
  readonly name: string;
  /** The folder: as an absolute path, as the user wrote it, and relative to the current folder. */
  readonly root: string;
  readonly dir: string;
  readonly shown: string;
}

/** The input of `planProject` and of the next steps. */
export interface Answers extends Place {
  readonly choices: Choices;
  readonly install: boolean;
  readonly git: boolean;
  /** The value of `--runtime`, a range of versions. */
  readonly runtime: string | undefined;
}

/** The terminal to prompt on, if the command line allows it. */
function terminalFor(args: NewArguments, io: Io): Terminal | undefined {
  return args.yes || args.noInput || args.json ? undefined : io.terminal;
}

/**
 * Takes the folder from the command line, or prompts for it on a terminal.
 *
 * @throws {UsageError} when it is missing and there is no terminal, or cannot be used.
 * @throws {ScaffoldError} for an invalid name.
 * @throws {InterruptedError}
 */
export async function findPlace(template: Template, args: NewArguments, io: Io): Promise<Place> {
  const terminal = terminalFor(args, io);
  const problemOf = (folder: string): string | undefined => {
    try {
      placeOf(folder, args.name, io);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  const dir =
    args.dir ?? (terminal && (await askFolder(template.placeholder, problemOf, terminal)));
  if (dir === undefined) {
    throw new UsageError('No folder is given.', `Usage: mcp-codegen new ${template.name} <folder>`);
  }
  return placeOf(dir, args.name, io);
}

/**
 * Takes the other answers from the command line, and prompts for missing ones on a terminal.
 *
 * @throws {UsageError} when an answer is missing and there is no terminal.
 * @throws {ScaffoldError} for an invalid answer.
 * @throws {InterruptedError}
 */
export async function gather(
  template: Template,
  args: NewArguments,
  place: Place,
  io: Io,
): Promise<Answers> {
  const terminal = terminalFor(args, io);
  const options = await settle(template, args, terminal);
  const ask = async (given: boolean | undefined, message: string): Promise<boolean> =>
    given ?? (terminal ? await askWhether(message, terminal) : false);
  return {
    ...place,
    choices: chooseIn(place, template, options, io),
    runtime: args.runtime,
    git: await ask(args.git, 'Create a git repository?'),
    install: await ask(args.install, 'Install the dependencies?'),
  };
}

/**
 * The choices of a project in a folder that exists, with defaults for what the user has not answered yet. Undefined when
 * there is nothing to ask, nothing in the way, or when the command line needs other answers than the defaults.
 */
export function choicesBeforeQuestions(
  template: Template,
  args: NewArguments,
  place: Place,
  io: Io,
): Choices | undefined {
  const { root } = place;
  const isThere = diskFolder(dirname(root)).look(basename(root)).kind !== 'nothing';
  if (!isThere || !terminalFor(args, io)) return undefined;
  try {
    return chooseIn(place, template, givenOptions(template, args), io);
  } catch (error) {
    if (error instanceof ScaffoldError) return undefined;
    throw error;
  }
}

function chooseIn({ root }: Place, template: Template, options: Written, io: Io): Choices {
  const folders = [diskFolder(root), diskFolder(io.cwd)];
  return choose(template, { pm: packageManager(folders, io.env), ...options });
}

function placeOf(dir: string, name: string | undefined, { cwd }: Io): Place {
  // eslint-disable-next-line no-control-regex -- refuses control characters
  if (/[\u0000-\u001f\u007f]/.test(dir)) {
    throw new UsageError(
      `The folder name ${quote(dir)} contains control characters.`,
      'Name a folder without them.',
    );
  }
  const root = resolve(cwd, dir);
  // Uses the last part as written: `..` is not a valid name, so no project is created there by mistake.
  const named = name ?? (/^\.[/\\]?$/.test(dir) ? basename(root) : basename(dir));
  checkProjectName(named);
  if (diskFolder(dirname(root)).look(basename(root)).kind === 'file') {
    throw new UsageError(`${quote(dir)} is a file, not a folder.`, 'Name another folder.');
  }
  return { root, dir, shown: relative(cwd, root) || '.', name: named };
}

type Written = Readonly<Record<string, string | undefined>>;

/** The options from flags and prompts. */
async function settle(
  template: Template,
  args: NewArguments,
  terminal: Terminal | undefined,
): Promise<Written> {
  const given = givenOptions(template, args);
  if (args.yes) return given;
  if (terminal) return await askOptions(template, given, terminal);
  const missing = template.options.find((option) => isAsked(option, given));
  if (!missing) return given;
  const values = missing.choices.map(({ value }) => value).join('|');
  throw new UsageError(
    `The option --${missing.name} is missing.`,
    `Give --${missing.name} ${values}, or --yes for the defaults.`,
  );
}

/** @throws {ScaffoldError} for an option of the command line with an unknown value. */
export function checkGiven(template: Template, args: NewArguments): void {
  checkValues(template, givenOptions(template, args));
}

/** The options of the command line. */
function givenOptions({ options }: Template, args: NewArguments): Written {
  return Object.fromEntries(
    options.flatMap(({ name, isFlag }) => {
      const written = isFlag && args[name] === true ? name : args[name];
      return typeof written === 'string' ? [[name, written]] : [];
    }),
  );
}
