import { expect, it } from 'vitest';
import { emitTypes } from '../../generator/emit/types/emit-types.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { protocolOf } from '../support/protocol.js';
import { object } from './schemas.js';

const string: JsonSchema = { type: 'string' };
const number: JsonSchema = { type: 'number' };
const tuple = (prefixItems: readonly JsonSchema[], more: object = {}): JsonSchema => ({
  ...{ type: 'array', prefixItems: [...prefixItems] },
  ...more,
});
const long = 'x'.repeat(1_001);
/** As many members as this, each with a property of its own. */
const union = (count: number, prefix: string): JsonSchema => ({
  anyOf: Array.from({ length: count }, (_, index) => object({ [prefix + String(index)]: string })),
});

const FORMS: readonly (readonly [type: string, schema: JsonSchema])[] = [
  ['unknown', { if: string, then: { minLength: 1 } }],
  ['number | string', { if: number, then: { minimum: 1 }, else: string }],
  ['never', { allOf: [string, number] }],
  ['number', { allOf: [{ type: ['string', 'number'] }, { type: ['number', 'null'] }] }],
  ["'a' & string", { allOf: [{ enum: ['a', 1] }, { type: ['string', 'null'] }] }],
  ['[1] & unknown[]', { allOf: [{ enum: [[1], 'a'] }, { type: 'array' }] }],
  ['{ a?: string; }', { allOf: [object({ a: string }), { not: { required: ['b'] } }] }],
  [
    '{ a?: string; } & { b?: string; } & { c?: string; }',
    { allOf: [{ allOf: [object({ a: string }), object({ b: string })] }, object({ c: string })] },
  ],
  ['string | number', { oneOf: [string, number] }],
  ['unknown', { anyOf: [string, {}] }],
  ['string', { anyOf: [string, { not: {} }] }],
  ['{ [k: string]: unknown; }', { type: 'object', patternProperties: { '^x': string } }],
  [
    '{ [k: string]: string; }',
    { type: 'object', patternProperties: { '^x': string }, additionalProperties: false },
  ],
  [
    '{ [k: string]: number | string; }',
    { type: 'object', patternProperties: { '^x': string }, additionalProperties: number },
  ],
  [
    '{ a?: number; [k: string]: string | number | undefined; }',
    object({ a: number }, { patternProperties: { '^x': string }, additionalProperties: false }),
  ],
  [
    '{ a?: number; [k: string]: string | number | undefined; }',
    object({ a: number }, { additionalProperties: string }),
  ],
  [
    '{ a: number; [k: string]: string | number; }',
    object({ a: number }, { additionalProperties: string, required: ['a'] }),
  ],
  [
    '{ a?: { b?: string; }; [k: string]: unknown; }',
    object({ a: object({ b: string }) }, { additionalProperties: string }),
  ],
  [
    '{ a?: number[]; [k: string]: string | number[] | undefined; }',
    object({ a: { type: 'array', items: number } }, { additionalProperties: string }),
  ],
  [
    '{ a?: | number | { b?: string; }; [k: string]: unknown; }',
    object({ a: { anyOf: [number, object({ b: string })] } }, { additionalProperties: string }),
  ],
  [
    '{ a?: [1]; [k: string]: unknown; }',
    object({ a: { const: [1] } }, { additionalProperties: string }),
  ],
  [
    '{ a?: { b?: string; } & { c?: string; }; [k: string]: unknown; }',
    object(
      { a: { allOf: [object({ b: string }), object({ c: string })] } },
      { additionalProperties: string },
    ),
  ],
  [
    '{ a?: [string?, ...unknown[]]; [k: string]: unknown; }',
    object({ a: tuple([string]) }, { additionalProperties: string }),
  ],
  ['{ a?: number; [k: string]: unknown; }', object({ a: number }, { additionalProperties: {} })],
  ['{ a?: number; }', object({ a: number }, { additionalProperties: false })],
  [
    '{ a?: number; [k: string]: unknown; }',
    object({ a: number }, { additionalProperties: { anyOf: [string, {}] } }),
  ],
  ['{ toString?: unknown; a?: string; }', object({ toString: string, a: string })],
  ['{ toString: string; }', object({ toString: string }, { required: ['toString'] })],
  ['{ [k: string]: string; }', object({ [long]: string }, { additionalProperties: false })],
  [
    "{ 'a-b'?: string; $c?: string; property__0?: number; É?: string; }",
    object({ 'a-b': string, $c: string, property__0: number, É: string }),
  ],
  ['{ [key: string]: never }', { type: 'object', additionalProperties: false }],
  ['{ [k: string]: unknown; }', { type: 'object', additionalProperties: {} }],
  ['{ [k: string]: unknown; }', { type: 'object' }],
  ['object', object({})],
  ['{ [k: string]: string; }', { type: 'object', additionalProperties: string }],
  ['string', { const: long }],
  ["'a' | string", { enum: [long, 'a'] }],
  ["'xxx'", { const: 'x'.repeat(3) }],
  ['1 | number', { enum: [JSON.parse('1e400') as number, 1] }],
  [
    "{ a: [1, 'b', null]; 'c-d': { [key: string]: never } }",
    { const: { a: [1, 'b', null], 'c-d': {} } },
  ],
  ['{ [key: string]: unknown }', { const: JSON.parse('{"__proto__":1}') as never }],
  ['(0 | 1)[]', { const: Array.from({ length: 21 }, (_, index) => index % 2) }],
  ['-1', { const: -1 }],
  ['-1[]', { type: 'array', items: { const: -1 } }],
  ['[string?, number?, ...unknown[]]', tuple([string, number])],
  ['[string?, number?]', tuple([string, number], { items: false })],
  ['[string, number?]', tuple([string, number], { items: false, minItems: 1 })],
  ['[string, number, ...string[]]', tuple([string, number], { minItems: 2, items: string })],
  ['[string]', tuple([string, number], { minItems: 5, maxItems: 1 })],
  ['[string?, number?]', tuple([string, number], { maxItems: 2 })],
  ['[string?, number?, ...unknown[]]', tuple([string, number], { maxItems: 3 })],
  ['[string?, never?, ...unknown[]]', tuple([string, { not: {} }])],
  [
    '[ string?, string?, string?, string?, string?, string?, string?, string?, string?, string?, string?, string?, string?, string?, string?, string?, string?, string?, string?, string?, ]',
    tuple(
      Array.from({ length: 20 }, () => string),
      { items: false },
    ),
  ],
  [
    '(string | number)[]',
    tuple(
      Array.from({ length: 21 }, () => string),
      { items: number },
    ),
  ],
  [
    'string[]',
    tuple(
      Array.from({ length: 21 }, () => string),
      { items: false },
    ),
  ],
  ['[string?][]', { type: 'array', items: tuple([string], { items: false }) }],
  ['[string?] | number', { anyOf: [tuple([string], { items: false }), number] }],
];

/** The type of each definition, in one line. */
async function typesOf(definitions: Readonly<Record<string, JsonSchema>>): Promise<string[]> {
  const text = await emitTypes(protocolOf(definitions));
  return Object.keys(definitions).map(
    (name) =>
      text
        .split(`export type ${name} =`)[1]
        ?.split(/;\n(?:\n|$)/)[0]
        ?.replaceAll(/\s+/g, ' ')
        .trim() ?? '',
  );
}

it('a type says of a schema what TypeScript can express', async () => {
  const named = FORMS.map(([, schema], index) => [`F${String(index)}`, schema] as const);
  expect(await typesOf(Object.fromEntries(named))).toEqual(FORMS.map(([type]) => type));
});

it('an intersection of unions with very many combinations is unknown, and no more is', async () => {
  const [few, many, within] = await typesOf({
    Few: { allOf: [union(30, 'p'), union(30, 'q')] },
    Many: { allOf: [union(32, 'p'), union(32, 'q')] },
    Within: object({ a: { allOf: [union(32, 'p'), union(32, 'q')] }, b: string }),
  });
  expect(few).toMatch(/\| \{ p29\?: string; \} \) & \(/);
  expect([many, within]).toEqual(['unknown', '{ a?: unknown; b?: string; }']);
});

it('a list in a tuple that leads back to its own intersection has unknown items', async () => {
  const list = { type: 'array', items: { $ref: '#/$defs/A' } };
  const either: JsonSchema = { type: ['null', 'array'] };
  const types = await typesOf({
    A: { allOf: [{ $ref: '#/$defs/C' }, tuple([string, list, { anyOf: [list, number] }])] },
    B: tuple([string, list]),
    C: either,
    D: { allOf: [{ $ref: '#/$defs/C' }, tuple([{ type: 'array', items: string }])] },
  });
  expect(types).toEqual([
    'C & [string?, unknown[]?, (unknown[] | number)?, ...unknown[]]',
    '[string?, A[]?, ...unknown[]]',
    'null | unknown[]',
    'C & [string[]?, ...unknown[]]',
  ]);
});
