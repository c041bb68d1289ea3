import { parseArgs } from 'node:util';

import { ConfigError } from '../server/auth/index.js';

/** What the command line of a server without a command says. */
export interface CommandLine {
  readonly debug?: boolean | undefined;
  readonly help?: boolean | undefined;
  readonly version?: boolean | undefined;
  readonly role?: string | undefined;
}

/** What is written, and its meaning. */
export type Row = readonly [written: string, meaning: string];

const ROLE: Row = ['--role <role>', 'What this process does: all, web or worker'];

/** The options, for `--help`. */
export function optionRows(hasRoles: boolean): readonly Row[] {
  return [
    ['--debug', 'Logs more, and prints the stacks of errors at the start'],
    ...(hasRoles ? [ROLE] : []),
    ['-h, --help', 'Prints this text'],
    ['-v, --version', 'Prints the version of the server'],
  ];
}

/** @throws {ConfigError} that names the option or the argument that is wrong. */
export function readCommandLine(args: readonly string[], hasRoles: boolean): CommandLine {
  try {
    const { role, ...flags } = parseArgs({
      args: [...args],
      options: {
        debug: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        ...(hasRoles && { role: { type: 'string' as const } }),
      },
    }).values;
    return typeof role === 'string' ? { ...flags, role } : flags;
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`${message}. --help lists options and settings.`);
  }
}

/** Options that stand for a setting, which they come before. */
export function settingsIn({ debug, role }: CommandLine): Readonly<Record<string, string>> {
  return {
    ...(debug === true && { LOG_LEVEL: 'debug' }),
    ...(role !== undefined && { ROLE: role }),
  };
}
