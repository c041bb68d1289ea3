import { ASKS } from '../../rules/questions.js';
import { isDescribed, isJsonSchema, mendOf } from '../../schemas/index.js';
import { isObject, kindOf } from '../../peer/wire/json.js';
import type { JsonObject } from '../../tasks/index.js';

/**
 * Checks the definitions of authors at the start, for JavaScript and for TypeScript that is not strict: the types of
 * `defineTool` and its siblings forbid most of what is refused here.
 */

export interface Rule {
  readonly isRequired?: true;
  /** What the value has to be, as an error says it. */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  /** For errors with what to do about a schema that is not accepted. */
  readonly isSchema?: true;
}

type Rules = Readonly<Record<string, Rule>>;

/** A kind of definition. */
export interface DefinitionKind {
  /** As errors say it: `Tool`. */
  readonly noun: string;
  /** The function that makes one. */
  readonly maker: string;
  /** By the keys of a definition. */
  readonly rules: Rules;
  /** How others call the keys: the official SDK, the wire, and other frameworks. */
  readonly otherNames: Readonly<Record<string, string>>;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNamed = (value: unknown): boolean => isText(value) && value !== '';

export const TEXT: Rule = { expected: 'a text', accepts: isText };
export const NAME: Rule = {
  isRequired: true,
  expected: 'a text that is not empty',
  accepts: isNamed,
};
export const OBJECT: Rule = { expected: 'an object', accepts: isObject };
export const ICONS: Rule = { expected: 'a list of icons', accepts: Array.isArray };
export const FUNCTION: Rule = {
  expected: 'a function',
  accepts: (value) => typeof value === 'function',
};
/** Scopes of OAuth: visible ASCII without quotes and backslashes (RFC 6749, section 3.3). */
export const SCOPES: Rule = {
  expected: "a list of scopes: ['reports:write']",
  accepts: (value) =>
    Array.isArray(value) &&
    value.every((each) => isText(each) && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(each as string)),
};
/** Functions by names. */
export const FUNCTIONS: Rule = {
  expected: 'an object of functions',
  accepts: (value) => isObject(value) && Object.values(value).every(FUNCTION.accepts),
};
const FLAG: Rule = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};
/** Texts by names, as clients of prompts send them. */
export const ZOD_OBJECT: Rule = {
  expected: 'a Zod 4 object schema: z.object({ … })',
  accepts: isObjectSchema,
  isSchema: true,
};
const SCHEMA: Rule = {
  expected: 'a schema: of Zod 4, ArkType or Valibot, or JSON Schema',
  accepts: (value) => isDescribed(value) || isJsonSchema(value),
  isSchema: true,
};

function oneOf(...values: readonly string[]): Rule {
  return {
    expected: `one of ${values.map((value) => `'${value}'`).join(', ')}`,
    accepts: (value) => values.includes(value as string),
  };
}

/** @throws {TypeError} that names the definition, the key and the mend. */
export function assertRules(kind: DefinitionKind, definition: unknown): void {
  const { maker, rules } = kind;
  if (!isObject(definition)) {
    throw new TypeError(`${maker} needs an object with a definition, not ${kindOf(definition)}`);
  }
  const subject = subjectOf(kind.noun, definition['name']);
  for (const key of Object.keys(definition)) {
    if (Object.hasOwn(rules, key)) continue;
    throw new TypeError(`${subject}: unknown key \`${key}\`: ${mendOfKey(kind, key)}`);
  }
  for (const [key, rule] of Object.entries(rules)) {
    const value = definition[key];
    if (value === undefined && rule.isRequired !== true) continue;
    if (value === undefined)
      throw new TypeError(`${subject}: \`${key}\` is missing: add ${rule.expected}`);
    if (rule.accepts(value)) continue;
    throw new TypeError(
      `${subject}: \`${key}\` must be ${rule.expected}, not ${shown(value)}${rule.isSchema === true ? mendOf(value) : ''}`,
    );
  }
}

/** How an error names a definition: `Tool "add"`, or `A tool` where it has no name. */
export function subjectOf(noun: string, name: unknown): string {
  return typeof name === 'string' && name !== ''
    ? `${noun} ${JSON.stringify(name.slice(0, 128))}`
    : `A ${noun.toLowerCase()}`;
}

function mendOfKey({ rules, otherNames }: DefinitionKind, key: string): string {
  const known = Object.hasOwn(otherNames, key) ? otherNames[key] : undefined;
  if (known !== undefined) return `call it \`${known}\`: ${rules[known]?.expected}`;
  return `remove it; a definition has ${Object.keys(rules).join(', ')}`;
}

function isObjectSchema(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { _zod: internals, safeParseAsync } = value;
  const isOfZod4 = isObject(internals) && typeof safeParseAsync === 'function';
  return isOfZod4 && isObject(internals['def']) && internals['def']['type'] === 'object';
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 200));
  return Array.isArray(value) ? 'this list' : kindOf(value);
}

const RULES = {
  name: {
    isRequired: true,
    expected: '1 to 128 letters, digits, _ - . or /',
    accepts: (value) => isText(value) && /^[A-Za-z0-9_./-]{1,128}$/.test(value as string),
  },
  title: TEXT,
  description: { isRequired: true, expected: 'a text for the model', accepts: isText },
  input: { ...SCHEMA, isRequired: true },
  output: SCHEMA,
  annotations: OBJECT,
  icons: ICONS,
  meta: OBJECT,
  scopes: SCOPES,
  taskSupport: oneOf('forbidden', 'optional', 'required'),
  asks: {
    expected: `a list of ${Object.keys(ASKS)
      .map((ask) => `'${ask}'`)
      .join(', ')}`,
    accepts: (value) =>
      Array.isArray(value) && value.every((each) => Object.hasOwn(ASKS, each as string)),
  },
  retryable: FLAG,
  steps: FLAG,
  immediateResponse: TEXT,
  prepare: FUNCTION,
  run: { ...FUNCTION, isRequired: true, expected: 'a function: run: ({ args }) => …' },
} satisfies Readonly<Record<string, Rule>>;

type Key = keyof typeof RULES;

/** By the keys of a `ToolDefinition`. */
export const DEFINITION_RULES: Readonly<Record<Key, Rule>> = RULES;

const OTHER_NAMES: Readonly<Record<string, Key>> = {
  ...{ inputSchema: 'input', parameters: 'input', schema: 'input', args: 'input' },
  ...{ outputSchema: 'output', returns: 'output', _meta: 'meta', execution: 'taskSupport' },
  ...{ handler: 'run', execute: 'run', callback: 'run', cb: 'run', call: 'run', fn: 'run' },
};

const TOOL: DefinitionKind = {
  noun: 'Tool',
  maker: 'defineTool',
  rules: RULES,
  otherNames: OTHER_NAMES,
};

/** @throws {TypeError} that names the tool, the key and the mend. */
export function assertDefinition(definition: unknown): void {
  assertRules(TOOL, definition);
}

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
