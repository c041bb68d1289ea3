import { describe, expect, expectTypeOf, it } from 'vitest';
import { type } from 'arktype';
import * as z from 'zod';

import { defineTool, jsonSchema, type ServerTool } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { connect, transportTo, WAYS } from '../client/harness.js';
import { legacy, modern, rig } from '../server/support.js';
import { byLibrary } from './libraries.js';

const NAMES = byLibrary.map(({ name }) => name);

describe.each(WAYS)('tools of every library, %s over %s', (dialect, kind) => {
  it('are listed with an object at the root, and called', async () => {
    const rigged = await rig({ tools: byLibrary });
    const { tasks } = await connect(transportTo(rigged, kind), dialect);
    const listed = await tasks.tools();
    expect(listed.map(({ name }) => name)).toEqual(NAMES);
    for (const { inputSchema } of listed) expect(inputSchema.type).toBe('object');
    for (const name of NAMES) {
      const { content, structuredContent } = await tasks.call(name, { city: 'Bonn', days: 3 });
      if (name === 'draft-07') expect(content).toEqual([{ type: 'text', text: 'BONN for 3' }]);
      else expect(structuredContent).toEqual({ text: 'BONN for 3' });
    }
  });

  it.each(NAMES)('of %s refuse wrong arguments, and name the place', async (name) => {
    const rigged = await rig({ tools: byLibrary });
    const { tasks } = await connect(transportTo(rigged, kind), dialect);
    const wrong: readonly [JsonObject, string][] = [
      [{}, ''],
      [{ city: '' }, '/city: '],
      [{ city: 'Bonn', days: 15 }, '/days: '],
      [{ city: 'Bonn', days: 'three' }, '/days: '],
    ];
    for (const [args, place] of wrong) {
      const says = `Invalid arguments for tool ${name}: ${place}`;
      await expect(tasks.call(name, args, { asTask: false })).rejects.toThrow(says);
      await expect(tasks.call(name, args)).rejects.toThrow(says);
    }
  });
});

const shapes = [z.object({ side: z.number() }), z.object({ radius: z.number() })] as const;
const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('square'), side: z.number() }),
  z.object({ kind: z.literal('circle'), radius: z.number() }),
]);

const UNIONS: readonly (readonly [string, ServerTool, 'oneOf' | 'anyOf', JsonObject])[] = [
  [
    'z.union',
    defineTool({
      name: 'union',
      description: 'A union of Zod.',
      input: z.union(shapes),
      run: ({ args }) => ('side' in args ? 'square' : 'circle'),
    }),
    'anyOf',
    { side: 2 },
  ],
  [
    'z.discriminatedUnion',
    defineTool({
      name: 'union',
      description: 'A union with a discriminator.',
      input: kinds,
      run: ({ args }) => args.kind,
    }),
    'oneOf',
    { kind: 'square', side: 2 },
  ],
  [
    'ArkType',
    defineTool({
      name: 'union',
      description: 'A union of ArkType.',
      input: type({ side: 'number' }).or({ radius: 'number' }),
      run: ({ args }) => ('side' in args ? 'square' : 'circle'),
    }),
    'anyOf',
    { side: 2 },
  ],
  [
    'JSON Schema',
    defineTool({
      name: 'union',
      description: 'A union of JSON Schema.',
      input: {
        oneOf: [
          { type: 'object', properties: { side: { type: 'number' } }, required: ['side'] },
          { type: 'object', properties: { radius: { type: 'number' } }, required: ['radius'] },
        ],
      },
      run: ({ args }) => ('side' in args ? 'square' : 'circle'),
    }),
    'oneOf',
    { side: 2 },
  ],
];

/** Each revision, as its clients list and call tools. */
const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

async function ask(tool: ServerTool, revision: string, method: string, params: JsonObject = {}) {
  const rigged = await rig({ tools: [tool] });
  if (revision === '2026-07-28') return modern(rigged, method, params);
  return (await legacy(rigged, { revision })).request(method, params);
}

describe.each(UNIONS)('a union as input, of %s', (_, tool, keyword, args) => {
  it.each(REVISIONS)(
    'is listed as an object with alternatives, and called, in %s',
    async (revision) => {
      const { result } = await ask(tool, revision, 'tools/list');
      const [{ inputSchema } = { inputSchema: {} }] = result?.['tools'] as [
        { inputSchema: JsonObject },
      ];
      expect(inputSchema['type']).toBe('object');
      expect(inputSchema[keyword]).toHaveLength(2);
      const called = await ask(tool, revision, 'tools/call', { name: 'union', arguments: args });
      expect(called.result?.['content']).toEqual([{ type: 'text', text: 'square' }]);
      const refused = await ask(tool, revision, 'tools/call', { name: 'union', arguments: {} });
      expect(refused.result?.['isError']).toBe(true);
    },
  );
});

it.each(REVISIONS)('schemas that are true or false are listed in %s', async (revision) => {
  const tool = defineTool({
    name: 'loose',
    description: 'Any a, and no b.',
    input: { type: ['object', 'null'], properties: { a: true, b: false } },
    run: ({ args }) => JSON.stringify(args),
  });
  const { result, error } = await ask(tool, revision, 'tools/list');
  expect(error).toBeUndefined();
  expect(result?.['tools']).toMatchObject([
    { inputSchema: { type: 'object', properties: { a: {}, b: { not: {} } } } },
  ]);
  const call = async (args: JsonObject): Promise<unknown> =>
    (await ask(tool, revision, 'tools/call', { name: 'loose', arguments: args })).result?.[
      'isError'
    ];
  expect(await call({ a: [1] })).not.toBe(true);
  expect(await call({ b: 1 })).toBe(true);
});

describe('a check that is asynchronous', () => {
  const free = z.string().refine((name) => Promise.resolve(name !== 'taken'), 'is taken');
  const tool = defineTool({
    name: 'register',
    description: 'Registers a name.',
    input: z.object({ name: free }),
    output: z.object({ name: free }),
    run: ({ args }) => ({ name: args.name.slice(1) }),
  });
  const call = async (name: string) =>
    ask(tool, '2025-11-25', 'tools/call', { name: 'register', arguments: { name } });

  it('is awaited for arguments and results', async () => {
    expect((await call('xann')).result?.['structuredContent']).toEqual({ name: 'ann' });
    expect((await call('taken')).result?.['content']).toEqual([
      { type: 'text', text: 'Invalid arguments for tool register: /name: is taken' },
    ]);
    expect((await call('xtaken')).error).toMatchObject({
      code: -32603,
      message: 'Tool register returned an invalid result: /structuredContent/name: is taken',
    });
  });
});

it('the schemas are converted when tools are defined, and never for a list', async () => {
  let conversions = 0;
  const counted = (schema: z.ZodObject) => ({
    '~standard': {
      ...schema['~standard'],
      jsonSchema: {
        input: (options: { target: string }) => {
          conversions += 1;
          return schema['~standard'].jsonSchema.input(options);
        },
        output: schema['~standard'].jsonSchema.output,
      },
    },
  });
  const tools = Array.from({ length: 200 }, (_, at) =>
    defineTool({
      name: `tool-${at}`,
      description: 'One of many.',
      input: counted(z.object({ at: z.literal(at) })),
      run: () => 'ran',
    }),
  );
  expect(conversions).toBe(200);
  const rigged = await rig({ tools });
  const client = await legacy(rigged);
  for (const _ of [1, 2, 3]) {
    expect((await client.request('tools/list')).result?.['tools']).toHaveLength(200);
    expect((await modern(rigged, 'tools/list')).result?.['tools']).toHaveLength(200);
  }
  expect(conversions).toBe(200);
});

it('an author who changes a schema later does not change what is served', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const tool = defineTool({ name: 'kept', description: 'Is kept.', input: schema, run: () => 'x' });
  const rigged = await rig({ tools: [tool] });
  schema.properties.a.type = 'none';
  expect((await modern(rigged, 'tools/list')).result?.['tools']).toMatchObject([
    { inputSchema: { properties: { a: { type: 'string' } } } },
  ]);
});

it('the types of arguments and results are those of the schema', () => {
  defineTool({
    name: 'types',
    description: 'Types.',
    input: z.object({ at: z.string().transform(Number), page: z.int().default(1) }),
    output: z.array(z.string()),
    prepare: ({ args }) => {
      expectTypeOf(args).toEqualTypeOf<{ at: number; page: number }>();
      return Promise.resolve({ at: '1' });
    },
    run: ({ args }) => {
      expectTypeOf(args).toEqualTypeOf<{ at: number; page: number }>();
      return [String(args.page)];
    },
  });
  defineTool({
    name: 'types',
    description: 'Types.',
    input: type({ city: 'string' }),
    run: ({ args }) => {
      expectTypeOf(args).toEqualTypeOf<{ city: string }>();
      return args.city;
    },
  });
  defineTool({
    name: 'types',
    description: 'Types.',
    input: { type: 'object' },
    run: ({ args }) => {
      expectTypeOf(args).toEqualTypeOf<JsonObject>();
      return 'x';
    },
  });
  defineTool({
    name: 'types',
    description: 'Types.',
    input: jsonSchema<{ city: string }>({ type: 'object' }),
    run: ({ args }) => {
      expectTypeOf(args).toEqualTypeOf<{ city: string }>();
      return args.city;
    },
  });
  const wrongResult = () =>
    defineTool({
      name: 'types',
      description: 'Types.',
      input: z.object({}),
      output: z.object({ sum: z.number() }),
      // @ts-expect-error the sum is a number
      run: () => ({ sum: 'many' }),
    });
  const noObject = () =>
    defineTool({
      name: 'types',
      description: 'Types.',
      // @ts-expect-error arguments are objects
      input: z.string(),
      run: () => 'x',
    });
  expect(wrongResult).not.toThrow();
  expect(noObject).toThrow(TypeError);
});
