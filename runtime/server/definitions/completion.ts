import type { JsonObject } from '../../tasks/index.js';

/** Suggestions, the best first. Clients get 100 at most. */
export type Completions =
  | readonly string[]
  | {
      readonly values: readonly string[];
      /** How many there are, where these are not all. */
      readonly total?: number;
      readonly hasMore?: boolean;
    };

/**
 * Suggests values for an argument of a prompt, or a variable of a URI template, to a client whose user types. `value`
 * is the text so far. `context` has the values that are settled already.
 */
export type Completer<C> = (value: string, context: C) => Completions | Promise<Completions>;

/** Completers by what they complete. They get the context of their definition. */
export type Completers = ReadonlyMap<string, Completer<JsonObject>>;

/** @throws {TypeError} for a name that is not among `names`, which `what` says. */
export function completersIn(
  subject: string,
  what: string,
  names: readonly string[],
  complete: object = {},
): Completers {
  const unknown = Object.keys(complete).find((name) => !names.includes(name));
  if (unknown === undefined) return new Map(Object.entries(complete) as Entries);
  const known = names.length > 0 ? names.join(', ') : 'none';
  throw new TypeError(`${subject}: \`complete\` has ${unknown}, but the ${what} are: ${known}`);
}

type Entries = [string, Completer<JsonObject>][];
