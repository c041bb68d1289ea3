import type { ArgumentsCamelCase, InferredOptionTypes, Options, PositionalOptions } from 'yargs';
import type { Diagnostic, Paint } from '../generator/diagnostics/index.js';
import type { Io } from './io.js';
import type { WatchedFiles } from './watch.js';

/** The result of a command. */
export interface Report {
  /** One of `EXIT`, or that of a server whose end is this program's end. */
  readonly exitCode: number;
  /** The text for users, on stdout. */
  readonly text: (paint: Paint) => string;
  /** The data for programs, on stdout with `--json`. */
  readonly data: object;
  readonly diagnostics?: readonly Diagnostic[];
  /** Whether the command runs again after a change of its watched files, until it is interrupted. */
  readonly runsAgain?: boolean;
}

/** One result of a command that has very many. */
export interface Item {
  readonly text: (paint: Paint) => string;
  readonly data: object;
}

/** Prints a result at once. */
export type Emit = (item: Item) => void;

/** An option as yargs declares it. */
export interface Option extends Options {
  /** Whether an empty text has a meaning of its own; otherwise it is refused. */
  readonly mayBeEmpty?: boolean;
}

export type OptionTable = Readonly<Record<string, Option>>;
export type PositionalTable = Readonly<Record<string, PositionalOptions>>;

interface Declared<P, O> {
  /** Command lines without the program's name, each with its description. */
  readonly examples: readonly (readonly [string, string])[];
  readonly positionals: P;
  readonly options: O;
  /** The list that gets the arguments after `--`: a positional, or a name of its own. Without it they are refused. */
  readonly verbatim?: string;
  /** Values for completion, by option or positional, where yargs does not check them itself. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** The same for values that depend on the user's files. */
  readonly valuesIn?: Readonly<
    Record<string, (io: Pick<Io, 'cwd' | 'env'>) => Promise<readonly string[]>>
  >;
  /** The name of the list that contains the emitted items with `--json`, if `run` emits any. */
  readonly emits?: string;
}

export interface Definition<P extends PositionalTable, O extends OptionTable> extends Declared<
  P,
  O
> {
  readonly run: (
    args: ArgumentsCamelCase<InferredOptionTypes<P> & InferredOptionTypes<O>>,
    io: Io,
    emit: Emit,
    watched: WatchedFiles,
  ) => Promise<Report> | Report;
}

/** A command with any arguments, for the table of commands. */
export interface Command extends Declared<PositionalTable, OptionTable> {
  readonly run: (
    args: object,
    io: Io,
    emit: Emit,
    watched: WatchedFiles,
  ) => Promise<Report> | Report;
}

export function defineCommand<P extends PositionalTable, O extends OptionTable>(
  definition: Definition<P, O>,
): Command {
  type Arguments = Parameters<typeof definition.run>[0];
  // The arguments are parsed by the same definition's positionals and options.
  return {
    ...definition,
    run: (args, ...context) => definition.run(args as Arguments, ...context),
  };
}

export const JSON_OPTION = {
  json: { type: 'boolean', describe: 'One JSON document on stdout' },
} as const satisfies OptionTable;
