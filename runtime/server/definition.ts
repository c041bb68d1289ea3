import * as z from 'zod';

import {
  assertRules,
  type DefinitionKind,
  FLAG,
  FUNCTION,
  ICONS,
  isText,
  OBJECT,
  oneOf,
  type Rule,
  SCHEMA,
  subjectOf,
  TEXT,
} from './rules.js';

const ASKS = ['elicitation.form', 'elicitation.url', 'sampling', 'sampling.tools', 'roots'];

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
  taskSupport: oneOf('forbidden', 'optional', 'required'),
  asks: {
    expected: `a list of ${ASKS.map((ask) => `'${ask}'`).join(', ')}`,
    accepts: (value) =>
      Array.isArray(value) && value.every((each) => ASKS.includes(each as string)),
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
      `${subjectOf('Tool', tool)}: \`${key}\` cannot be sent to clients${place}: ${why.replace(/\.?$/, '')}. Mend: ${mend}`,
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
