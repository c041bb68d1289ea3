import { expect, it } from 'vitest';
import { compile, read, TooManySteps } from '../../json-schema/index.js';

/** Schemas and values of a size, for which a check takes steps that are proportional to their product, or more. */
const MANY = 200;
const many = <T>(make: (index: number) => T): T[] =>
  Array.from({ length: MANY }, (_, i) => make(i));
const named = (prefix: string, content: unknown): Record<string, unknown> =>
  Object.fromEntries(many((i) => [`${prefix}${i}`, content]));
const TEXT = 'a'.repeat(MANY * 100);

function nested(levels: number, wrap: (inner: object) => object): object {
  let schema: object = { type: 'integer' };
  for (let level = 0; level < levels; level += 1) schema = wrap(schema);
  return schema;
}

const PRODUCTS: readonly (readonly [string, object, unknown])[] = [
  ['allOf', { items: { allOf: many((i) => ({ maximum: i + 1 })) } }, many(() => 0)],
  ['anyOf', { items: { anyOf: many((i) => ({ const: i })) } }, many(() => MANY - 1)],
  [
    'anyOf of objects',
    { items: { anyOf: many((i) => ({ required: [`p${i}`] })) } },
    many(() => ({ [`p${MANY - 1}`]: 1 })),
  ],
  ['oneOf', { items: { oneOf: many((i) => ({ minimum: i })) } }, many(() => 0)],
  ['enum of objects', { items: { enum: many((i) => ({ i })) } }, many(() => ({ i: MANY - 1 }))],
  ['an enum of a large object', { items: { enum: [many((i) => i)] } }, many(() => many((i) => i))],
  ['members of allOf', { allOf: many((i) => ({ properties: { [`a${i}`]: {} } })) }, named('b', 1)],
  [
    'patternProperties',
    { patternProperties: Object.fromEntries(many((i) => [`^a${i}$`, {}])) },
    named('b', 1),
  ],
  ['lengths of a text', { allOf: many((i) => ({ minLength: TEXT.length - i })) }, TEXT],
  ['patterns of a text', { allOf: many(() => ({ pattern: '^(a+)+$' })) }, TEXT],
  ['formats of a text', { allOf: many(() => ({ format: 'byte' })) }, TEXT],
  ['uniqueItems', { allOf: many(() => ({ uniqueItems: true })) }, many((i) => i)],
  ['contains', { allOf: many(() => ({ contains: { type: 'integer' } })) }, many((i) => i)],
  ['not', { items: nested(150, (inner) => ({ not: inner })) }, many((i) => i)],
  ['if', { items: nested(150, (inner) => ({ if: inner, else: false })) }, many((i) => i)],
  [
    'unevaluatedProperties',
    { allOf: many((i) => ({ properties: { [`a${i}`]: {} } })), unevaluatedProperties: true },
    named('b', 1),
  ],
];

it.each(PRODUCTS)('a check ends at its limit: %s', (_, schema, value) => {
  const { node, definitions, exact } = read(schema);
  expect(exact).toBe(true);
  const verdict = (steps: number): boolean => compile(node, definitions, { steps }).accepts(value);
  expect(() => verdict(10_000)).toThrow(TooManySteps);
  expect(() => verdict(10_000_000)).not.toThrow();
});

it('a name of a host takes steps for each of its characters', () => {
  const { node, definitions } = read({ items: { format: 'idn-hostname' } });
  const value = many(() => 'ü'.repeat(50));
  const check = (steps: number): boolean => compile(node, definitions, { steps }).accepts(value);
  expect(() => check(50 * MANY)).toThrow(TooManySteps);
  expect(check(200 * MANY)).toBe(true);
});

it('a check of a plain schema takes as many steps as the value has parts', () => {
  const schema = {
    items: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string', pattern: '^[a-z]+$' }, tags: { uniqueItems: true } },
    },
  };
  const { node, definitions } = read(schema);
  const value = Array.from({ length: 1_000 }, () => ({ id: 'abc', tags: ['x', 'y'] }));
  const parts = 7_000;
  expect(compile(node, definitions, { steps: 2 * parts }).accepts(value)).toBe(true);
});

/** Definitions that each name the next one twice. */
function doubling(steps: number, keyword: string): Record<string, object> {
  const $defs: Record<string, object> = { [`d${steps}`]: { type: 'string' } };
  for (let step = 0; step < steps; step += 1) {
    const next = { $ref: `#/$defs/d${step + 1}` };
    $defs[`d${step}`] = { [keyword]: [next, next] };
  }
  return $defs;
}

it.each(['allOf', 'anyOf'])('a refusal looks for types once in each definition: %s', (keyword) => {
  const alternative = { allOf: [{ type: 'integer', maximum: 0 }, { $ref: '#/$defs/d0' }] };
  const schema = { $defs: doubling(60, keyword), anyOf: [alternative, alternative] };
  const { node, definitions } = read(schema);
  expect(compile(node, definitions).refusals(1)).toHaveLength(1);
});

it('a schema that nests too deeply is a fault, however it is read', () => {
  const schema = JSON.parse(`${'{"items":'.repeat(20_000)}{}${'}'.repeat(20_000)}`) as object;
  expect(read(schema)).toMatchObject({ exact: false, faults: [{ code: 'too-large' }] });
});
