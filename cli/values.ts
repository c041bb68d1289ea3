import { quote } from '../json-schema/text.js';
import type { OptionTable } from './command.js';
import { UsageError } from './exit.js';

/**
 * Refuses the values that the parser takes without a word: it reads `--dry-run=1` as "no", and an empty text,
 * which an unset variable of a script leaves, as the current folder.
 *
 * @throws {UsageError}
 */
export function checkValues(
  words: readonly string[],
  options: OptionTable,
  args: Readonly<Record<string, unknown>>,
): void {
  for (const word of words) {
    const [, written = '', value = 'true'] = /^--([^=]+)=(.*)$/s.exec(word) ?? [];
    const name = written.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (options[name]?.type !== 'boolean' || value === 'true' || value === 'false') continue;
    throw new UsageError(`--${name} takes no value, and got ${quote(value)}.`, `Use --${name}.`);
  }
  for (const [name, { mayBeEmpty }] of Object.entries(options)) {
    const values = [args[name]].flat();
    if (mayBeEmpty || !values.includes('')) continue;
    throw new UsageError(
      `--${name} needs a value, and got "".`,
      `Give one, or leave --${name} out.`,
    );
  }
}

/** The arguments before `--`; those after it are another program's. */
export function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

/** Whether a flag is given, for what must be settled before the arguments are parsed. */
export function hasFlag(argv: readonly string[], name: string): boolean {
  return ownWords(argv).some((word) => word === `--${name}` || word === `--${name}=true`);
}
