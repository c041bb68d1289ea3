import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';

import { DEFINITION_RULES } from '../../runtime/server/definitions/rules.js';
import {
  createTaskServer,
  defineTool,
  type ServerTool,
  type ToolDefinition,
} from '../../runtime/server/index.js';

/** As JavaScript calls it. */
const define = defineTool as unknown as (definition: unknown) => ServerTool;
const valid: Readonly<Record<string, unknown>> = {
  name: 'weather',
  title: 'Weather',
  description: 'Tells the weather.',
  input: z.object({ city: z.string() }),
  output: z.object({ celsius: z.number() }),
  annotations: { readOnlyHint: true },
  icons: [{ src: 'https://example.com/icon.png' }],
  meta: { key: 1 },
  scopes: ['weather'],
  taskSupport: 'optional',
  asks: ['sampling'],
  retryable: true,
  steps: true,
  immediateResponse: 'It is on its way.',
  prepare: ({ args }: { args: unknown }) => Promise.resolve(args),
  run: () => ({ celsius: 21 }),
};
/** The types of a definition and its checks at run time have the same keys. */
const RULES: Readonly<Record<keyof ToolDefinition<z.ZodObject, undefined>, object>> =
  DEFINITION_RULES;
const KEYS = Object.keys(RULES);
const REQUIRED = KEYS.filter((key) => DEFINITION_RULES[key as 'name'].isRequired);

/** The error of a definition, which has to name the tool and the key. */
function refusal(definition: unknown): TypeError {
  try {
    define(definition);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return error as TypeError;
  }
  throw new Error('The definition was accepted');
}

describe('a definition in JavaScript', () => {
  it('is accepted with every key, and with the required ones alone', () => {
    expect(Object.keys(valid).sort()).toEqual([...KEYS].sort());
    expect(define(valid).name).toBe('weather');
    const required = Object.fromEntries(REQUIRED.map((key) => [key, valid[key]]));
    expect(define(required).name).toBe('weather');
  });

  it.each(REQUIRED)('is refused without `%s`', (key) => {
    const { [key]: _, ...rest } = valid;
    const { message } = refusal(rest);
    expect(message).toContain(
      `\`${key}\` is missing: add ${DEFINITION_RULES[key as 'name'].expected}`,
    );
    if (key !== 'name') expect(message).toContain('Tool "weather"');
  });

  it.each(KEYS)('is refused with a wrong `%s`', (key) => {
    const { accepts, expected } = DEFINITION_RULES[key as 'name'];
    const values = fc.oneof(
      fc.anything({ withDate: true, withMap: true, withNullPrototype: true, withBigInt: true }),
      fc.constantFrom<unknown>(() => undefined, Symbol('s'), z.string(), /a/, new Date(), null, ''),
    );
    fc.assert(
      fc.property(values, (value) => {
        fc.pre(value !== undefined && !accepts(value));
        const { message } = refusal({ ...valid, [key]: value });
        expect(message).toContain(`\`${key}\` must be ${expected}`);
        if (key !== 'name') expect(message).toContain('Tool "weather"');
      }),
    );
  });

  it('is refused with any unknown key, which is named', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (key) => {
        fc.pre(!KEYS.includes(key) && key !== '__proto__');
        expect(refusal({ ...valid, [key]: 1 }).message).toContain(
          `Tool "weather": unknown key \`${key}\``,
        );
      }),
    );
  });

  it.each([
    ['inputSchema', 'call it `input`'],
    ['outputSchema', 'call it `output`'],
    ['parameters', 'call it `input`'],
    ['handler', 'call it `run`'],
    ['execute', 'call it `run`'],
    ['_meta', 'call it `meta`'],
    ['execution', 'call it `taskSupport`'],
    ['toString', 'remove it'],
  ])('that has `%s` is told the mend: %s', (key, mend) => {
    const { input: _, ...rest } = valid;
    expect(refusal({ ...rest, [key]: z.object({}) }).message).toContain(
      `Tool "weather": unknown key \`${key}\`: ${mend}`,
    );
  });

  it.each([undefined, null, 7, 'weather', [], () => valid])('is refused when it is %j', (value) => {
    expect(refusal(value).message).toContain('defineTool needs an object');
  });

  it.each([
    ['a shape', { city: z.string() }, 'Put z.object(…) around it'],
    [
      'a shape with names of keywords',
      { title: z.string(), items: 3 },
      'Put z.object(…) around it',
    ],
    ['a text', 'string', 'not "string"'],
    ['no schema', { city: 'string' }, 'not an object'],
    ['a date', new Date(), 'not an object'],
    ['another library', { '~standard': { version: 1, vendor: 'x' } }, 'It has no JSON Schema'],
    ['Zod 3', { _def: { typeName: 'ZodObject' }, safeParseAsync: () => undefined }, 'Zod 3'],
    ['Zod Mini', mini.object({ city: mini.string() }), 'it is made by zod/mini, use zod'],
    ['Valibot', { '~standard': { version: 1, vendor: 'valibot' } }, 'toStandardJsonSchema(…)'],
    ['old ArkType', { '~standard': { version: 1, vendor: 'arktype' } }, '2.1.28 or newer'],
    [
      'Zod 4.1',
      { '~standard': { vendor: 'zod' }, _zod: { version: { major: 4, minor: 1 } } },
      'it is made by Zod 4.1, use 4.2 or newer',
    ],
  ])('whose input is %s is told the mend', (_, input, mend) => {
    const { message } = refusal({ ...valid, input });
    expect(message).toMatch(/^Tool "weather": `input` must be a schema: of Zod 4, ArkType/);
    expect(message).toContain(mend);
  });

  it.each([
    ['a text', z.string()],
    ['a list', z.array(z.string())],
    ['a union without an object', z.union([z.string(), z.number()])],
    ['a text in JSON Schema', { type: 'string' }],
    ['a choice of texts', { enum: ['a', 'b'] }],
    ['a reference to a text', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }],
  ])('whose arguments are %s is told to put it into an object', (_, input) => {
    expect(refusal({ ...valid, input }).message).toContain(
      'Tool "weather": `input` cannot be sent to clients: the arguments of a tool are an object, and the schema accepts none. Mend: put it into an object: z.object({ value: … })',
    );
  });

  it.each([
    ['a type', { properties: { a: { type: 'text' } } }, '/properties/a/type', 'one of array'],
    ['a pattern', { properties: { a: { pattern: '(' } } }, '/properties/a/pattern', 'regular'],
    [
      'a pattern without the flag u',
      { properties: { a: { pattern: '^[\\w-.]+$' } } },
      '/properties/a/pattern',
      'valid with the flag u: write - for \\-, _ for \\_, and [\\w.-] for [\\w-.]',
    ],
    ['a shape', { properties: { a: 'string' } }, '/properties', 'an object of schemas'],
    ['a limit', { properties: { a: { maxLength: -1 } } }, '/properties/a/maxLength', '0 or more'],
    ['names', { properties: {}, required: 'a' }, '/required', 'a list of names'],
    ['a step', { anyOf: [{ properties: { 'a/b': { multipleOf: 0 } } }] }, '/a~1b/multipleOf', '0'],
    [
      'a reference',
      { properties: { a: { $ref: '#/$defs/b' } } },
      '/properties/a/$ref',
      'not contain',
    ],
    ['a document', { $ref: 'https://example.com/a.json' }, '/$ref', 'copy that into `$defs`'],
    [
      'a draft',
      { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' },
      '/$schema',
      'draft-07',
    ],
  ])('whose JSON Schema has %s that is wrong is told where', (_, input, place, mend) => {
    const { message } = refusal({ ...valid, input });
    expect(message).toContain('Tool "weather": `input` cannot be sent to clients at ');
    expect(message).toContain(place);
    expect(message).toContain(mend);
  });

  const header = (type: string, name: unknown = 'Region') => ({ type, 'x-mcp-header': name });
  it.each<[string, Record<string, unknown>, string]>([
    ['a number', { a: header('number') }, 'for a string, an integer or a boolean only'],
    ['a name with a blank', { a: header('string', 'My Region') }, 'is not a name of a header'],
    ['an empty name', { a: header('string', '') }, 'is not a name of a header'],
    ['one name twice', { a: header('string'), b: header('string', 'region') }, 'declared twice'],
    ['a list', { a: { type: 'array', items: header('string') } }, 'for properties only'],
    ['a choice', { a: { anyOf: [header('string')] } }, 'for properties only'],
  ])('is refused with a header that repeats %s', (_, properties, what) => {
    const { message } = refusal({ ...valid, input: { type: 'object', properties } });
    expect(message).toContain('Tool "weather": `input` cannot be sent to clients: x-mcp-header');
    expect(message).toContain(what);
  });

  it('is refused with a schema that refers to itself in memory', () => {
    const circle: Record<string, unknown> = { type: 'object' };
    circle['properties'] = { circle };
    expect(refusal({ ...valid, input: circle }).message).toContain('use `$ref`');
  });
});

/** Schemas that JSON Schema cannot express, and what has to be in the error. */
const INEXPRESSIBLE: readonly (readonly [string, z.ZodType, string])[] = [
  ['z.date()', z.date(), 'z.iso.datetime()'],
  ['z.bigint()', z.bigint(), 'z.int()'],
  ['z.map()', z.map(z.string(), z.string()), 'z.record'],
  ['z.set()', z.set(z.string()), 'z.array'],
  ['z.symbol()', z.symbol(), 'z.string()'],
  ['z.undefined()', z.undefined(), '.optional()'],
  ['z.void()', z.void(), '.optional()'],
  ['z.nan()', z.nan(), 'z.number()'],
  ['z.custom()', z.custom(), '.refine'],
];

/** Places in a schema, with the path that the error has to name. */
const NESTED: readonly (readonly [string, (inner: z.ZodType) => z.ZodType, string])[] = [
  ['itself', (inner) => inner, '/properties/when'],
  ['optional', (inner) => inner.optional(), '/properties/when'],
  ['a list', (inner) => z.array(inner), '/properties/when/items'],
  ['an object', (inner) => z.object({ at: inner }), '/properties/when/properties/at'],
  ['a union', (inner) => z.union([z.string(), inner]), '/properties/when/anyOf/1'],
  ['a record', (inner) => z.record(z.string(), inner), '/properties/when/additionalProperties'],
  ['lazy', (inner) => z.lazy(() => z.object({ at: inner })), '/properties/when'],
];

describe.each(['input', 'output'])('the %s', (key) => {
  it.each(
    INEXPRESSIBLE.flatMap(([name, schema, mend]) =>
      NESTED.map(([where, nest, path]) => [name, where, nest(schema), path, mend] as const),
    ),
  )('is refused with %s, %s, by tool, key, place and mend', (_, __, when, path, mend) => {
    const { message } = refusal({ ...valid, [key]: z.object({ when }) });
    expect(message).toContain(`Tool "weather": \`${key}\` cannot be sent to clients at ${path}`);
    expect(message).toContain(mend);
  });

  it('may have what becomes JSON: dates as codecs, defaults, recursion', () => {
    const codec = z.codec(z.iso.datetime(), z.string(), {
      decode: (text) => text,
      encode: (t) => t,
    });
    const tree: z.ZodType = z.lazy(() => z.object({ children: z.array(tree) }));
    const schema = z.object({ codec, tree, page: z.int().default(1) });
    expect(define({ ...valid, [key]: schema }).name).toBe('weather');
  });
});

describe('createTaskServer in JavaScript', () => {
  const start = (tools: unknown) =>
    createTaskServer({ name: 'test', version: '1.0.0', tools: tools as ServerTool[] });

  it.each([
    ['a definition that is not defined', [valid], 'Tool "weather" is not made by defineTool'],
    ['no tool', [undefined], 'tools[0] is not made by defineTool'],
    ['a function', [() => 'x'], 'is not made by defineTool'],
    ['no list', { weather: valid }, '`tools` must be a list'],
    ['nothing', undefined, '`tools` must be a list'],
    [
      'a tool that no client could list',
      [define({ ...valid, taskSupport: 'forbidden', icons: [{ src: 7 }] })],
      'Tool "weather" cannot be listed in 2026-07-28: /icons/0/src must be a URI',
    ],
  ])('refuses %s', async (_, tools, says) => {
    await expect(start(tools)).rejects.toThrow(says);
    await expect(start(tools)).rejects.toBeInstanceOf(TypeError);
  });
});
