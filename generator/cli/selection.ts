import { dirname, relative, resolve } from 'node:path';
import type { ArgumentsCamelCase, InferredOptionTypes } from 'yargs';
import { CONFIG_FILE, DEFAULT_CONFIG, parseConfig } from '../config/index.js';
import type { Config } from '../config/index.js';
import { nearest, quote } from '../diagnostics/index.js';
import { EMITS } from '../emit/index.js';
import type { Emit } from '../emit/index.js';
import { DEFAULT_LIMITS, isUrl, readIfPresent, REVISIONS } from '../load/index.js';
import { isProtocolName } from '../pipeline.js';
import type { Input } from '../pipeline.js';
import type { OptionTable, PositionalTable } from './command.js';
import { UsageError } from './exit.js';

/** The inputs and settings of `generate` and `check`. */
export interface Selection {
  readonly inputs: readonly Input[];
  readonly emits: readonly Emit[];
  readonly errata: boolean;
  /** The output folder: as an absolute path, and for messages. */
  readonly out: string;
  readonly shownOut: string;
  /** Whether to delete the generated files of other inputs. */
  readonly prune: boolean;
}

export const SELECTION_POSITIONALS = {
  revisions: {
    type: 'string',
    array: true,
    choices: REVISIONS,
    describe: `Revisions to generate (default: those in ${CONFIG_FILE}, else all)`,
  },
} as const satisfies PositionalTable;

const text = { type: 'string', requiresArg: true } as const;

/** The options of both `generate` and `check`. */
export const SELECTION_OPTIONS = {
  schema: { ...text, describe: 'A schema to generate from: a file or a URL' },
  name: { ...text, describe: "The folder for --schema (default: the file's name)" },
  out: { ...text, describe: 'The output folder (default: as in mcp-codegen.json, else generated)' },
  emit: { ...text, describe: `The files to emit: any of ${EMITS.join(',')} (default: all)` },
  'no-errata': { type: 'boolean', describe: 'Do not correct the schemas' },
  config: { ...text, describe: `The configuration file (default: ./${CONFIG_FILE})` },
} as const satisfies OptionTable;

type SelectionArguments = ArgumentsCamelCase<
  InferredOptionTypes<typeof SELECTION_OPTIONS> & InferredOptionTypes<typeof SELECTION_POSITIONALS>
>;

/**
 * Combines the command line with the project's configuration.
 *
 * @throws {UsageError}
 * @throws {DiagnosticError} `bad-config`, or `not-found` for a missing `--config`.
 */
export function select(args: SelectionArguments, cwd: string): Selection {
  const { config, folder } = readConfig(args.config, cwd);
  const settings = config ?? DEFAULT_CONFIG;
  const named = namedInputs(args);
  const out = args.out === undefined ? resolve(folder, settings.out) : resolve(cwd, args.out);
  return {
    inputs: named.length > 0 ? named : inputsOf(settings, folder, cwd),
    emits: args.emit === undefined ? settings.emit : parseEmits(args.emit),
    errata: args.noErrata ? false : settings.errata,
    out,
    shownOut: relative(cwd, out) || '.',
    prune: config !== undefined && named.length === 0,
  };
}

function readConfig(
  written: string | undefined,
  cwd: string,
): { config: Config | undefined; folder: string } {
  const path = resolve(cwd, written ?? CONFIG_FILE);
  const source = readIfPresent(path, DEFAULT_LIMITS);
  if (!source && written !== undefined) {
    throw new UsageError(
      `Cannot find the configuration file ${quote(written)}.`,
      'Give --config an existing file, or remove --config.',
    );
  }
  return {
    config: source && parseConfig(source.text, relative(cwd, path)),
    folder: source ? dirname(path) : cwd,
  };
}

function namedInputs({ revisions = [], schema, name }: SelectionArguments): Input[] {
  const bundled = [...new Set(revisions)].map((revision) => ({ revision }));
  if (schema === undefined) {
    if (name !== undefined) {
      throw new UsageError(
        '--name needs --schema.',
        'Add --schema <file-or-url>, or remove --name.',
      );
    }
    return bundled;
  }
  if (name !== undefined && !isProtocolName(name)) {
    throw new UsageError(
      `Invalid folder name ${quote(name)} for --name.`,
      'Use letters, digits, "_", "-" and ".".',
    );
  }
  return [...bundled, { location: schema, ...(name !== undefined && { name }) }];
}

function inputsOf({ revisions, schemas }: Config, folder: string, cwd: string): Input[] {
  return [
    ...revisions.map((revision) => ({ revision })),
    ...schemas.map(({ name, source }) => ({
      name,
      location: isUrl(source) ? source : relative(cwd, resolve(folder, source)),
    })),
  ];
}

function parseEmits(written: string): Emit[] {
  return written.split(',').map((word) => {
    const emit = EMITS.find((known) => known === word.trim());
    if (emit) return emit;
    const meant = nearest(word, EMITS);
    throw new UsageError(
      `Unknown value ${quote(word)} for --emit.`,
      meant ? `Did you mean ${meant}?` : `Known: ${EMITS.join(', ')}.`,
    );
  });
}
