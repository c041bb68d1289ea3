import type { Command } from './command.js';
import { COMMANDS } from './commands.js';
import type { CommandEntry } from './commands.js';

/** Before the words of an unfinished command line, as the scripts of `completion` pass them. */
export const COMPLETIONS_FLAG = '--get-yargs-completions';

/**
 * The values that may stand at the end of a command line. Undefined where yargs knows them: commands, names of
 * options, and options with a fixed set of values.
 */
export async function valuesAt(words: readonly string[]): Promise<readonly string[] | undefined> {
  const found = entryFor(words.slice(1));
  if (!found) return undefined;
  const { values = {}, positionals }: Command = await found.entry.load();
  const [previous = '', current = ''] = words.slice(-2);
  if (previous.startsWith('--')) return listed(values[previous.slice(2)], current);
  const [first] = Object.keys(positionals);
  const known = Object.keys(positionals).flatMap((name) => values[name] ?? []);
  const isPositional = first !== undefined && !current.startsWith('-');
  return isPositional && known.length > 0 ? [...new Set(known)] : undefined;
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
