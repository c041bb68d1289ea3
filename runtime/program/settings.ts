import type * as z from 'zod';

import { ConfigError } from '../server/auth/index.js';
import { assertReadsText, isQuotable, meaningOf } from './setting-schema.js';

/** Schemas over texts, by the names of environment variables: `{ GREETING: z.string().default('Hello') }`. */
export type SettingsShape = Readonly<Record<string, z.ZodType>>;

/** The values of settings. */
export type SettingsOf<S extends SettingsShape> = {
  readonly [Name in keyof S]: z.output<S[Name]>;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings with those who declare them, for errors: `http()`, or `settings of runServer`. */
export type Declared = readonly (readonly [by: string, shape: SettingsShape])[];

/**
 * All settings of a program, in order.
 *
 * @throws {TypeError} for a name that two declare, and for a schema that accepts no text.
 */
export function mergedSettings(declared: Declared): SettingsShape {
  const owners = new Map<string, string>();
  for (const [by, shape] of declared) {
    for (const [name, schema] of Object.entries(shape)) {
      const owner = owners.get(name);
      if (owner !== undefined) {
        throw new TypeError(`The setting ${name} of ${by} is one of ${owner}: choose another name`);
      }
      assertReadsText(name, schema);
      owners.set(name, by);
    }
  }
  return Object.assign({}, ...declared.map(([, shape]) => shape)) as SettingsShape;
}

/**
 * Reads settings from the environment. `place` says in errors where else they can be set.
 *
 * @throws {ConfigError} with a line for each setting that is wrong or missing. It quotes numbers, booleans and choices,
 * and no text, because a text may be a secret.
 */
export async function readSettings<S extends SettingsShape>(
  shape: S,
  environment: Environment,
  place: string,
): Promise<SettingsOf<S>> {
  const read = await Promise.all(
    Object.entries(shape).map(async ([name, schema]) => ({
      name,
      ...(await readSetting(name, schema, environment[name], place)),
    })),
  );
  const problems = read.flatMap(({ problem }) => problem ?? []);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return Object.fromEntries(read.map(({ name, value }) => [name, value])) as SettingsOf<S>;
}

/** The value, or what is wrong. */
interface Read {
  readonly value?: unknown;
  readonly problem?: string;
}

async function readSetting(
  name: string,
  schema: z.ZodType,
  text: string | undefined,
  place: string,
): Promise<Read> {
  if (text?.trim() === '') return { problem: `${name} is empty: set it, or remove it` };
  const { value, message } = await parsed(schema, text);
  if (message === undefined) return { value };
  if (text === undefined) return { problem: missing(name, schema, place) };
  const quoted = isQuotable(schema) ? ` is ${JSON.stringify(text)}` : '';
  return { problem: `${name}${quoted}: ${quoted === '' ? withoutText(message, text) : message}` };
}

const INVALID = 'is not valid';

async function parsed(
  schema: z.ZodType,
  text: string | undefined,
): Promise<{ readonly value?: unknown; readonly message?: string }> {
  try {
    const result = await schema.safeParseAsync(text);
    if (result.success) return { value: result.data };
    return { message: result.error.issues[0]?.message ?? INVALID };
  } catch {
    // A transform of the author's threw. Its error may quote the text, as that of `JSON.parse` does.
    return { message: INVALID };
  }
}

function missing(name: string, schema: z.ZodType, place: string): string {
  const meaning = meaningOf(schema);
  return `Set ${name} in the environment${place}${meaning === '' ? '' : `: ${meaning}`}`;
}

/** Shorter pieces of a text stand in messages by chance. */
const SHORTEST_QUOTE = 4;

/** Messages of authors may quote the text, or an entry of a list. */
function withoutText(message: string, text: string): string {
  const pieces = [text, ...text.split(',')].map((piece) => piece.trim());
  const quotes = pieces.some((piece) => piece.length >= SHORTEST_QUOTE && message.includes(piece));
  return quotes ? INVALID : message;
}
