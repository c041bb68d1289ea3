import { describe, expect, it } from 'vitest';
import {
  emitTools,
  emitToolValidators,
  readTools,
  TOOL_LIMITS,
} from '../../generator/tools/index.js';
import type { Json } from '../support/corpus/json.js';

/** The declarations of what a tool returns, and the codes and places of what was said of it. */
async function typesOf(outputSchema: Json): Promise<{ types: string; said: string[] }> {
  const { tools, diagnostics } = readTools([
    { name: 'it', inputSchema: { type: 'object' }, outputSchema },
  ]);
  const text = await emitTools(tools, './validators.js');
  const types = text.slice(text.indexOf('export type ItOutput'), text.indexOf('/** The tools as'));
  const said = diagnostics.map(
    ({ code, severity, pointer }) => `${severity} ${code} ${pointer ?? ''}`,
  );
  return { types: types.replace(/\s+/g, ' ').trim(), said };
}

const typeOf = async (schema: Json): Promise<string> => {
  const { types, said } = await typesOf(schema);
  expect(said).toEqual([]);
  return types.replace(/^export type ItOutput = (.*?);$/, '$1');
};

describe('the type of a schema', () => {
  it.each<[Json, string]>([
    [{}, 'unknown'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'string', nullable: true }, 'string | null'],
    [{ const: null }, 'null'],
    [{ enum: ['a', 1, true, null] }, "'a' | 1 | true | null"],
    [{ type: 'string', enum: ['a', 1] }, "'a'"],
    [{ const: { a: [1, 'x'], b: {} } }, "{ a: [1, 'x']; b: { [key: string]: never } }"],
    [{ type: 'array' }, 'unknown[]'],
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      '[string?, number?, ...unknown[]]',
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, {}], minItems: 1, items: false },
      '[string, unknown?]',
    ],
    [
      { type: 'array', prefixItems: [{ const: 1 }, { const: 2 }], minItems: 2, maxItems: 2 },
      '[1, 2]',
    ],
    [
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'array',
        items: [{ type: 'string' }],
        additionalItems: { type: 'number' },
      },
      '[string?, ...number[]]',
    ],
    [{ type: 'object' }, '{ [k: string]: unknown; }'],
    [{ type: 'object', additionalProperties: false }, '{ [key: string]: never }'],
    [
      { type: 'object', properties: { a: { type: 'string' }, 'b c': {} }, required: ['a'] },
      "{ a: string; 'b c'?: unknown; }",
    ],
    [
      { type: 'object', properties: { a: {} }, required: ['b'], additionalProperties: false },
      '{ a?: unknown; b: never; }',
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
      '{ a?: string; [k: string]: unknown; }',
    ],
    [
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        patternProperties: { '^x': { type: 'number' } },
        additionalProperties: { type: 'boolean' },
      },
      '{ a?: string; [k: string]: boolean | number | string | undefined; }',
    ],
    [
      { type: 'object', patternProperties: { '^x': { type: 'number' } } },
      '{ [k: string]: unknown; }',
    ],
    [
      { properties: { a: { type: 'string' } } },
      '| null | boolean | { a?: string; } | unknown[] | number | string',
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
    [{ oneOf: [{ type: 'string' }, { const: 1 }] }, 'string | 1'],
    [
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      '{ a?: string; } & ( | { a: unknown; } | { b: unknown; } )',
    ],
    [
      {
        allOf: [
          { type: 'object', required: ['a'] },
          { type: 'object', required: ['b'] },
        ],
      },
      '{ a: unknown; } & { b: unknown; }',
    ],
    [
      {
        type: 'object',
        if: { properties: { kind: { const: 'a' } } },
        then: { required: ['x'] },
        else: { required: ['y'] },
      },
      "{ [k: string]: unknown; } & ( | ({ kind?: 'a'; } & { x: unknown; }) | { y: unknown; } )",
    ],
    [{ not: {} }, 'never'],
    [{ not: { type: 'null' } }, 'unknown'],
    [{ if: { type: 'string' }, then: { const: 'a' } }, 'unknown'],
    [{ type: 'object', dependentSchemas: { a: { required: ['b'] } } }, '{ [k: string]: unknown; }'],
    [{ type: 'array', items: { $id: 'https://example.com/other', type: 'string' } }, 'string[]'],
    [
      { type: 'array', items: { type: 'array', prefixItems: [{ const: 1 }] } },
      '[1?, ...unknown[]][]',
    ],
    [
      { allOf: [{ type: ['string', 'null'] }, { properties: { a: {} } }] },
      '(string | null) & (null | string)',
    ],
    [{ const: 'x'.repeat(1_001) }, 'string'],
    [{ type: 'string', minLength: 1, pattern: '^a', format: 'email' }, 'string'],
  ])('%j', async (schema, expected) => {
    expect(await typeOf(schema)).toBe(expected);
  });

  it('has one named type for each reference: by pointer, by anchor and by its own $id', async () => {
    const schema = {
      $id: 'https://example.com/tree',
      type: 'object',
      properties: {
        self: { $ref: '#' },
        again: { $ref: 'https://example.com/tree#/$defs/my%20node' },
        node: { $ref: '#/$defs/my node' },
        leaf: { $ref: '#leaf' },
        deep: { $ref: '#/properties/inline/items' },
        inline: { type: 'array', items: { type: 'boolean' } },
      },
      $defs: {
        'my node': { type: 'object', properties: { next: { $ref: '#/$defs/my node' } } },
        leaf: { $anchor: 'leaf', type: 'string' },
      },
    };
    const { types, said } = await typesOf(schema);
    expect(said).toEqual([]);
    expect(types).toBe(
      'export type ItOutput = { self?: ItOutput; again?: ItOutputMyNode; node?: ItOutputMyNode; ' +
        'leaf?: ItOutputLeaf; deep?: ItOutputItems; inline?: boolean[]; }; ' +
        'export type ItOutputMyNode = { next?: ItOutputMyNode; }; ' +
        'export type ItOutputLeaf = string; export type ItOutputItems = boolean;',
    );
  });
});

describe('what cannot be read gets a warning', () => {
  it.each<[Json, string, string]>([
    [{ $dynamicRef: '#x' }, 'unknown', 'dangling-ref /$dynamicRef'],
    [{ $ref: 'https://example.com/x.json' }, 'unknown', 'remote-ref /$ref'],
    [{ $ref: 'file:///etc/passwd' }, 'unknown', 'remote-ref /$ref'],
    [{ $ref: 'other.json#/x' }, 'unknown', 'remote-ref /$ref'],
    [{ $ref: '#/$defs/none' }, 'unknown', 'dangling-ref /$ref'],
    [{ $ref: '#/constructor' }, 'unknown', 'dangling-ref /$ref'],
    [{ $ref: '#/__proto__/toString' }, 'unknown', 'dangling-ref /$ref'],
    [{ $ref: '#%' }, 'unknown', 'dangling-ref /$ref'],
    [{ type: 'strin' }, 'unknown', 'malformed-keyword /type'],
    [{ type: [] }, 'unknown', 'malformed-keyword /type'],
    [
      { properties: [], type: 'object' },
      '{ [k: string]: unknown; }',
      'malformed-keyword /properties',
    ],
    [{ type: 'array', items: [{ type: 'string' }] }, 'unknown[]', 'malformed-keyword /items'],
    [{ anyOf: [] }, 'unknown', 'malformed-keyword /anyOf'],
    [
      { type: 'object', properties: { toString: { type: 'string' } } },
      '{ toString?: unknown; }',
      'bad-name /properties/toString',
    ],
    [
      JSON.parse(
        '{ "type": "object", "properties": { "__proto__": { "type": "string" } } }',
      ) as Json,
      '{ [k: string]: unknown; }',
      'bad-name /properties/__proto__',
    ],
    [
      { $schema: 'http://json-schema.org/draft-03/schema#', type: 'string' },
      'unknown',
      'not-a-schema ',
    ],
    ['string', 'unknown', 'not-a-schema '],
  ])('%j', async (schema, expected, expectedCode) => {
    const { types, said } = await typesOf(schema);
    expect(types).toBe(`export type ItOutput = ${expected};`);
    const [code = '', place = ''] = expectedCode.split(' ');
    const [said0 = '', ...others] = said;
    expect(others).toEqual([]);
    expect(said0.startsWith(`warning ${code} /tools/it/outputSchema${place}`)).toBe(true);
  });

  it('for a type that refers to itself directly', async () => {
    const { types, said } = await typesOf({
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: {
        a: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/b' }] },
        b: { allOf: [{ $ref: '#/$defs/a' }] },
      },
    });
    expect(types).toContain('ItOutputA = unknown; export type ItOutputB = unknown;');
    expect(said).toEqual([
      'warning circular-ref /tools/it/outputSchema/$defs/a',
      'warning circular-ref /tools/it/outputSchema/$defs/b',
    ]);
  });
});

describe('tools', () => {
  const named = (...names: string[]): Json[] =>
    names.map((name) => ({ name, inputSchema: { type: 'object' } }));
  const identifiers = (...names: string[]): Record<string, string> => {
    const { tools } = readTools(named(...names));
    return Object.fromEntries(tools.map(({ name, identifier }) => [name, identifier]));
  };

  it.each([
    ['slow_compute', 'slowCompute'],
    ['slow-compute', 'slowCompute'],
    ['io.example/slow compute', 'ioExampleSlowCompute'],
    ['HTTP_get', 'httpGet'],
    ['GetIt', 'getIt'],
    ['3d', 'tool3d'],
    ['délai', 'dLai'],
    ['日本', 'tool'],
    ['delete', 'delete'],
    ['then', 'thenTool'],
    ['constructor', 'constructorTool'],
    ['__proto__', 'proto'],
    ['toString', 'toStringTool'],
    ['a*/b`${c}', 'aBC'],
  ])('%s is called as %s', (name, identifier) => {
    expect(identifiers(name)).toEqual({ [name]: identifier });
  });

  it('get numbers when names collide, in any order, and an exact name is kept', () => {
    const expected = { 'a-b': 'aB2', a_b: 'aB3', aB: 'aB', 'a b 2': 'aB22' };
    expect(identifiers('a_b', 'a-b', 'aB', 'a b 2')).toMatchObject({ aB: 'aB' });
    expect(identifiers('a_b', 'a-b', 'aB')).toEqual(identifiers('aB', 'a-b', 'a_b'));
    expect(new Set(Object.values(identifiers(...Object.keys(expected)))).size).toBe(4);
    const { diagnostics } = readTools(named('a_b', 'a-b'));
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'renamed-tool: The function of tool "a_b" is "aB2", because another tool has the name "aB".',
    ]);
  });

  it('that cannot be called are left out with an error', () => {
    const { tools, diagnostics } = readTools([
      null,
      {},
      { name: 7 },
      { name: '' },
      { name: 'x'.repeat(TOOL_LIMITS.name + 1) },
      ...named('twice', 'twice'),
    ]);
    expect(tools.map(({ name }) => name)).toEqual(['twice']);
    expect(
      diagnostics.map(({ code, severity, pointer }) => `${severity} ${code} ${pointer ?? ''}`),
    ).toEqual([
      'error bad-tool /tools/0',
      'error bad-tool /tools/1',
      'error bad-tool /tools/2',
      'error bad-tool /tools/3',
      'error bad-tool /tools/4/name',
      'error bad-tool /tools/6/name',
    ]);
  });

  it('without a valid input schema accept any object', () => {
    for (const inputSchema of [undefined, null, 7, [], true, {}, { $ref: 'https://example.com' }]) {
      const { tools } = readTools([
        { name: 'it', ...(inputSchema !== undefined && { inputSchema }) },
      ]);
      expect(tools[0]?.types[0]?.node).toEqual({
        kind: 'object',
        properties: [],
        additional: { kind: 'unsaid' },
        hasProperties: false,
      });
    }
  });

  it('may be called without arguments when none is required', () => {
    const optional = (inputSchema: Json): boolean | undefined =>
      readTools([{ name: 'it', inputSchema }]).tools[0]?.optional;
    expect(optional({ type: 'object', properties: { a: {} } })).toBe(true);
    expect(optional({ type: 'object', properties: { a: {} }, required: ['a'] })).toBe(false);
  });
});

describe('a schema beyond the limits becomes unknown when it', () => {
  const tooLarge = async (schema: Json): Promise<void> => {
    const { types, said } = await typesOf(schema);
    expect(types.length).toBeLessThan(300_000);
    expect(said).toContain('warning too-large /tools/it/outputSchema');
  };
  const nested = (depth: number): Json =>
    JSON.parse(`${'{"type":"array","items":'.repeat(depth)}{}${'}'.repeat(depth)}`) as Json;

  it('has too many levels', async () => {
    expect(await typeOf(nested(TOOL_LIMITS.depth))).toContain('[][]');
    await tooLarge(nested(5_000));
  });

  it('has too many schemas', async () => {
    await tooLarge({ enum: Array.from({ length: TOOL_LIMITS.nodes + 1 }, (_, index) => index) });
  });

  it('is referenced too often', async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [
        `d${String(index)}`,
        {
          type: 'object',
          properties: { a: { $ref: `#/$defs/d${String(index + 1)}/properties/a` } },
        },
      ]),
    );
    const items = Array.from({ length: 100 }, (_, index) => ({
      $ref: `#${'/anyOf/0'.repeat(index)}`,
    }));
    expect((await typesOf({ anyOf: items, $defs })).types.length).toBeLessThan(100_000);
  });

  it('is a long chain of references', () => {
    const chain = Array.from({ length: 2_000 }, (_, index): [string, Json] => [
      `d${String(index)}`,
      { type: 'object', allOf: [{ $ref: `#/$defs/d${String(index + 1)}` }] },
    ]);
    const $defs = { ...Object.fromEntries(chain), d2000: { type: 'object' } };
    const schema: Json = { $ref: '#/$defs/d0', $defs };
    const { tools, diagnostics } = readTools([{ name: 'it', inputSchema: schema }]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['too-large']);
    expect(emitToolValidators(tools, './tools.js')).toContain('validateInput');
  });

  it.each<[string, (inner: Json, names: string[]) => Json]>([
    ['additionalProperties', (inner, required) => ({ required, additionalProperties: inner })],
    [
      'propertyNames',
      (inner, names) => ({ propertyNames: { enum: names }, additionalProperties: inner }),
    ],
    [
      'an index signature',
      (inner) => ({ properties: { a: inner }, additionalProperties: { type: 'string' } }),
    ],
    ['tuples', (inner) => ({ prefixItems: [inner, ...Array.from({ length: 19 }, () => ({}))] })],
  ])('would double with each level of %s', async (_, wrap) => {
    const names = Array.from({ length: 10 }, (__, index) => `n${String(index)}`);
    let schema: Json = { type: 'string' };
    for (let level = 0; level < 20; level += 1) {
      const outer = wrap(schema, names) as { readonly [key: string]: Json };
      schema = { type: 'prefixItems' in outer ? 'array' : 'object', ...outer };
    }
    const { tools } = readTools([
      { name: 'it', inputSchema: { type: 'object' }, outputSchema: schema },
    ]);
    expect((await emitTools(tools, './validators.js')).length).toBeLessThan(100_000);
    expect(emitToolValidators(tools, './tools.js').length).toBeLessThan(200_000);
  });

  it('has too many combinations', async () => {
    const choice = (letter: string): Json => ({
      anyOf: Array.from({ length: 10 }, (_, index) => ({
        type: 'object',
        properties: { [letter + String(index)]: { const: index } },
        required: [letter + String(index)],
      })),
    });
    await tooLarge({ allOf: [...'abcdefgh'].map(choice) });
    await tooLarge({
      allOf: [...'abcdefgh'].map((letter) => ({
        type: 'object',
        properties: { same: { $ref: `#/$defs/${letter}` } },
      })),
      $defs: Object.fromEntries([...'abcdefgh'].map((letter) => [letter, choice(letter)])),
    });
  });

  it('exceeds the limit of all tools together', () => {
    const inputSchema = {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 4_000 }, (_, index) => [`p${String(index)}`, {}]),
      ),
    };
    const { tools, diagnostics } = readTools(
      Array.from({ length: 20 }, (_, index) => ({ name: `t${String(index)}`, inputSchema })),
    );
    expect(tools).toHaveLength(20);
    expect(diagnostics.length).toBeGreaterThan(5);
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(['too-large']));
  });
});

it('a long description is cut between characters', () => {
  const description = `a${'😀'.repeat(TOOL_LIMITS.description)}`;
  const { tools } = readTools([{ name: 'it', description, inputSchema: { type: 'object' } }]);
  expect(tools[0]?.description).toMatch(/^a(?:😀)+…$/u);
});
