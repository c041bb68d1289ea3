import type { ArgumentsCamelCase, InferredOptionTypes, Options, PositionalOptions } from 'yargs';
import type { Diagnostic, Paint } from '../diagnostics/index.js';
import type { ExitCode } from './exit.js';
import type { Io } from './io.js';

/** What a command has to say when it is done. */
export interface Report {
  readonly exitCode: ExitCode;
  /** For people, on stdout. */
  readonly text: (paint: Paint) => string;
  /** For programs, on stdout, under `--json`. */
  readonly data: object;
  readonly diagnostics?: readonly Diagnostic[];
}

/** One of very many results. */
export interface Item {
  readonly text: (paint: Paint) => string;
  readonly data: object;
}

/** Prints a result as soon as it is known. */
export type Emit = (item: Item) => void;

export type OptionTable = Readonly<Record<string, Options>>;
export type PositionalTable = Readonly<Record<string, PositionalOptions>>;

interface Declared<P, O> {
  /** What to write after the program's name, and what that does. */
  readonly examples: readonly (readonly [string, string])[];
  readonly positionals: P;
  readonly options: O;
  /** The positional list that what stands behind `--` belongs to, if the command takes any. */
  readonly verbatim?: string;
  /** Under `--json`, the name of the list that what `run` emits stands in, if it emits. */
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
  ) => Promise<Report> | Report;
}

/** A command as the command line sees it, whatever its arguments are. */
export interface Command extends Declared<PositionalTable, OptionTable> {
  readonly run: (args: object, io: Io, emit: Emit) => Promise<Report> | Report;
}

export function defineCommand<P extends PositionalTable, O extends OptionTable>(
  definition: Definition<P, O>,
): Command {
  type Arguments = Parameters<typeof definition.run>[0];
  // The arguments are parsed by the same definition's positionals and options.
  return { ...definition, run: (args, io, emit) => definition.run(args as Arguments, io, emit) };
}

export const JSON_OPTION = {
  json: { type: 'boolean', describe: 'One JSON document on stdout' },
} as const satisfies OptionTable;
