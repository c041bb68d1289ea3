import type { Command } from './command.js';
import { COMMANDS } from './commands.js';
import type { CommandEntry } from './commands.js';
import type { Io } from './io.js';

/** Before the words of an unfinished command line, as the scripts of `completion` pass them. */
export const COMPLETIONS_FLAG = '--get-yargs-completions';

/**
 * The values that may stand at the end of a command line. Undefined where yargs knows them: commands, names of
 * options, and options with a fixed set of values.
 */
export async function valuesAt(
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
  const nameOf = ({ usage }: { readonly usage: string }): string => usage.split(' ')[0] ?? usage;
  const outer = COMMANDS.find((each) => nameOf(each) === words[0]);
  if (!outer) return undefined;
  if (!('commands' in outer)) return words.length > 1 ? { entry: outer } : undefined;
  const inner = outer.commands.find((each) => nameOf(each) === words[1]);
  return inner && words.length > 2 ? { entry: inner } : undefined;
}
