import * as z from 'zod';

import { isObject } from '../wire/json.js';
import { kindOf } from './principal.js';

/**
 * Checks the definitions of tools at the start, for JavaScript and for TypeScript that is not strict: the types of
 * `defineTool` forbid most of what is refused here.
 */

interface Rule {
  readonly isRequired?: true;
  /** What the value has to be, as an error says it. */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isFunction = (value: unknown): boolean => typeof value === 'function';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const oneOf = (...values: readonly string[]): Omit<Rule, 'isRequired'> => ({
  expected: `one of ${values.map((value) => `'${value}'`).join(', ')}`,
  accepts: (value) => values.includes(value as string),
});
const ASKS = ['elicitation.form', 'elicitation.url', 'sampling', 'sampling.tools', 'roots'];
const SCHEMA: Omit<Rule, 'isRequired'> = {
  expected: 'a Zod 4 object schema: z.object({ … })',
  accepts: isObjectSchema,
};

const RULES = {
  name: {
    isRequired: true,
    expected: '1 to 128 letters, digits, _ - . or /',
    accepts: (value) => isText(value) && /^[A-Za-z0-9_./-]{1,128}$/.test(value as string),
  },
  title: { expected: 'a text', accepts: isText },
  description: { isRequired: true, expected: 'a text for the model', accepts: isText },
  input: { isRequired: true, ...SCHEMA },
  output: SCHEMA,
  annotations: { expected: 'an object', accepts: isObject },
  icons: { expected: 'a list of icons', accepts: Array.isArray },
  meta: { expected: 'an object', accepts: isObject },
  taskSupport: oneOf('forbidden', 'optional', 'required'),
  asks: {
    expected: `a list of ${ASKS.map((ask) => `'${ask}'`).join(', ')}`,
    accepts: (value) =>
      Array.isArray(value) && value.every((each) => ASKS.includes(each as string)),
  },
  retryable: { expected: 'true or false', accepts: isFlag },
  steps: { expected: 'true or false', accepts: isFlag },
  immediateResponse: { expected: 'a text', accepts: isText },
  prepare: { expected: 'a function', accepts: isFunction },
  run: { isRequired: true, expected: 'a function: run: ({ args }) => …', accepts: isFunction },
} satisfies Readonly<Record<string, Rule>>;

type Key = keyof typeof RULES;

/** By the keys of a `ToolDefinition`. */
export const DEFINITION_RULES: Readonly<Record<Key, Rule>> = RULES;

/** How others call the keys: the official SDK, the wire, and other frameworks. */
const OTHER_NAMES: Readonly<Record<string, Key>> = {
  ...{ inputSchema: 'input', parameters: 'input', schema: 'input', args: 'input' },
  ...{ outputSchema: 'output', returns: 'output', _meta: 'meta', execution: 'taskSupport' },
  ...{ handler: 'run', execute: 'run', callback: 'run', cb: 'run', call: 'run', fn: 'run' },
};

/** @throws {TypeError} that names the tool, the key and the mend. */
export function assertDefinition(definition: unknown): void {
  if (!isObject(definition)) {
    throw new TypeError(`defineTool needs an object with a definition, not ${kindOf(definition)}`);
  }
  const tool = toolIn(definition);
  for (const key of Object.keys(definition)) {
    if (Object.hasOwn(DEFINITION_RULES, key)) continue;
    throw new TypeError(`${tool}: unknown key \`${key}\`: ${mendOf(key)}`);
  }
  for (const [key, rule] of Object.entries(DEFINITION_RULES)) {
    const value = definition[key];
    if (value === undefined && rule.isRequired !== true) continue;
    if (value === undefined)
      throw new TypeError(`${tool}: \`${key}\` is missing: add ${rule.expected}`);
    if (rule.accepts(value)) continue;
    throw new TypeError(
      `${tool}: \`${key}\` must be ${rule.expected}, not ${shown(value)}${hint(value)}`,
    );
  }
}

/**
 * The JSON Schema of a tool's schema, as clients get it.
 *
 * @throws {TypeError} that names the place in the schema which JSON Schema cannot express, and the mend.
 */
export function jsonSchemaOf(
  tool: string,
  key: 'input' | 'output',
  schema: z.ZodObject,
): Record<string, unknown> {
  try {
    return z.toJSONSchema(schema, { io: key });
  } catch (error) {
    const found = inexpressibleIn(schema, key);
    const why = error instanceof Error ? error.message : String(error);
    const place = found === undefined ? '' : ` at ${['', ...found.path].join('/')}`;
    const mend = MENDS[found?.type ?? ''] ?? 'use a schema that JSON Schema has';
    throw new TypeError(
      `Tool ${JSON.stringify(tool)}: \`${key}\` cannot be sent to clients${place}: ${why.replace(/\.?$/, '')}. Mend: ${mend}`,
      { cause: error },
    );
  }
}

const MENDS: Readonly<Record<string, string>> = {
  date: 'use z.iso.datetime(), and new Date(…) in `run`',
  bigint: 'use z.int(), or z.string() for more than 53 bits',
  map: 'use z.record(…)',
  set: 'use z.array(…)',
  undefined: 'use .optional()',
  void: 'use .optional()',
  nan: 'use z.number()',
  symbol: 'use z.string() or z.enum([…])',
  function: 'a message holds no function: remove it',
  transform: 'convert in `run`, or use z.codec(…)',
  custom: 'use a schema of JSON with .refine(…)',
};

interface Inexpressible {
  readonly path: readonly string[];
  readonly type: string;
}

function inexpressibleIn(schema: z.ZodObject, io: 'input' | 'output'): Inexpressible | undefined {
  let found: Inexpressible | undefined;
  try {
    z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override({ zodSchema, path }) {
        const { type } = zodSchema._zod.def;
        if (type in MENDS) found ??= { type, path: path.map(String) };
      },
    });
  } catch {
    // Then the error names no place.
  }
  return found;
}

function toolIn({ name }: Readonly<Record<string, unknown>>): string {
  return typeof name === 'string' && name !== ''
    ? `Tool ${JSON.stringify(name.slice(0, 128))}`
    : 'A tool';
}

function mendOf(key: string): string {
  const known = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
  if (known !== undefined) return `call it \`${known}\`: ${DEFINITION_RULES[known].expected}`;
  return `remove it; a definition has ${Object.keys(DEFINITION_RULES).join(', ')}`;
}

function isObjectSchema(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { _zod: internals, safeParseAsync } = value;
  const isOfZod4 = isObject(internals) && typeof safeParseAsync === 'function';
  return isOfZod4 && isObject(internals['def']) && internals['def']['type'] === 'object';
}

/** What a schema of another kind needs. */
function hint(value: unknown): string {
  if (!isObject(value)) return '';
  if (isObject(value['_zod'])) return '. Put it into an object: z.object({ value: … })';
  if (isObject(value['_def'])) return '. It is a schema of Zod 3: use Zod 4';
  if ('~standard' in value) return '. It is the schema of another library: use Zod 4';
  if (typeof value['type'] === 'string')
    return '. It is JSON Schema: use z.fromJSONSchema(…) or z.object({ … })';
  const members = Object.values(value);
  const isShape =
    members.length > 0 && members.every((each) => isObject(each) && isObject(each['_zod']));
  return isShape ? '. Put z.object(…) around it' : '';
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 200));
  return Array.isArray(value) ? 'this list' : kindOf(value);
}
