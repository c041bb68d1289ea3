import { nearest } from '../json-schema/nearest.js';
import { quote } from '../json-schema/text.js';
import { shownLocation } from '../generator/read/load/location.js';
import { UsageError } from './exit.js';
import { ownWords } from './values.js';

/** What the parser expected where it stopped. */
export interface Expected {
  readonly argv: readonly string[];
  /** The known commands and options, for suggestions. */
  commands: readonly string[];
  options: readonly string[];
  /** The usage of the current command. */
  usage: string;
}

/** Replaces an error message of yargs by one with help. */
export function explain(error: Error | undefined, message: string, expected: Expected): Error {
  if (error && error.name !== 'YError') return error;
  const [, stranger] = /^Unknown (?:argument|command)s?: ([^,]*)/.exec(message) ?? [];
  if (stranger !== undefined) return unexpected(stranger, expected);
  const [, lacking] = /^Not enough arguments following: (.*)$/.exec(message) ?? [];
  if (lacking !== undefined) return new UsageError(`--${lacking} needs a value.`, see(expected));
  const [, one, other] = /^Arguments (.+) and (.+) are mutually exclusive$/.exec(message) ?? [];
  if (one && other) {
    return new UsageError(`--${one} and --${other} cannot be combined.`, 'Remove one of them.');
  }
  const [, needing, needed] = /^Missing dependent arguments:\n (\S+) -> (\S+)/.exec(message) ?? [];
  if (needing && needed) {
    return new UsageError(
      `--${needing} needs --${needed}.`,
      `Add --${needed}, or remove --${needing}.`,
    );
  }
  const [, place, given, choices] =
    /Argument: (\S+), Given: "([^"]*)".*?, Choices: (.*)/.exec(message) ?? [];
  if (place && given !== undefined && choices) return notAChoice(place, given, choices, expected);
  if (/^Not enough non-option arguments/.test(message)) {
    const what = expected.commands.length > 0 ? 'No command is given.' : 'An argument is missing.';
    return new UsageError(what, see(expected));
  }
  return new UsageError(message, see(expected));
}

/** A word of the command line: a URL in the wrong place may have secrets in it. */
const shownWord = (word: string): string => quote(shownLocation(word));

function notAChoice(place: string, given: string, list: string, { options }: Expected): UsageError {
  const choices = [...list.matchAll(/"([^"]*)"/g)].map(([, choice]) => choice ?? '');
  const meant = nearest(given, choices);
  return new UsageError(
    options.includes(place)
      ? `Unknown value ${shownWord(given)} for --${place}.`
      : `Unknown ${place.replace(/s$/, '')} ${shownWord(given)}.`,
    meant ? `Did you mean ${meant}?` : `Known: ${choices.join(', ')}.`,
  );
}

function unexpected(name: string, expected: Expected): UsageError {
  if (expected.argv.includes(name) && !name.startsWith('-')) {
    return expected.commands.length > 0
      ? unknown('command', name, expected.commands, expected)
      : unexpectedArgument(name, expected);
  }
  // The parser leaves out the dashes.
  const isShort = !ownWords(expected.argv).some((word) => word.split('=')[0] === `--${name}`);
  const written = isShort && name.length === 1 ? `-${name}` : `--${name}`;
  return unknown(
    'option',
    written,
    expected.options.map((option) => `--${option}`),
    expected,
  );
}

function unknown(
  kind: string,
  written: string,
  known: readonly string[],
  expected: Expected,
): UsageError {
  const meant = nearest(written, known);
  return new UsageError(
    `Unknown ${kind} ${shownWord(written)}.`,
    meant ? `Did you mean ${meant}?` : see(expected),
  );
}

export function unexpectedArgument(written: string, expected: Expected): UsageError {
  return new UsageError(`Unexpected argument ${shownWord(written)}.`, see(expected));
}

function see({ usage }: Expected): string {
  return `Usage: ${usage}`;
}
