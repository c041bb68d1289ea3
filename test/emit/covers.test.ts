import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { covers } from '../../generator/emit/validators/covers.js';
import { planOf } from '../../generator/emit/validators/plan.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { protocolOf } from '../support/protocol.js';
import { sized } from '../support/size.js';
import { object } from './schemas.js';

const KEYS = ['a', 'b'] as const;

const { schema: schemas } = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>((tie) => ({
  object: fc
    .record({
      properties: fc.dictionary(fc.constantFrom(...KEYS), tie('schema'), { maxKeys: 2 }),
      required: fc.subarray([...KEYS]),
      additionalProperties: fc.constantFrom<JsonSchema>({}, { type: 'string' }, false),
    })
    .map(({ additionalProperties, ...rest }) => ({
      type: 'object' as const,
      ...rest,
      ...(JSON.stringify(additionalProperties) !== '{}' && { additionalProperties }),
    })),
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonSchema>({}, { type: 'string' }, { type: 'string', minLength: 2 }),
    fc.constantFrom<JsonSchema>({ const: 'x' }, { enum: ['x', 'yy'] }, { type: 'object' }),
    tie('object'),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf })),
    fc.array(tie('object'), { minLength: 2, maxLength: 2 }).map((allOf) => ({ allOf })),
  ),
}));

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('x', 'yy', 5, null),
    fc.dictionary(fc.constantFrom(...KEYS, 'c'), tie('value'), { noNullPrototype: true }),
  ),
})).value;

function isCovered(node: JsonSchema, base: JsonSchema): boolean {
  const { definitions, ...plan } = planOf(protocolOf({ Node: node, Base: base }));
  const nodeOf = (name: string) => definitions.get(name)?.node ?? { kind: 'never' as const };
  return covers(nodeOf('Node'), nodeOf('Base'), { definitions, ...plan });
}

it('a schema that covers another refuses everything that the other refuses', () => {
  const ajv = new Ajv2020({ strict: false });
  let covered = 0;
  fc.assert(
    fc.property(schemas, schemas, fc.array(values, { minLength: 5 }), (node, base, all) => {
      if (!isCovered(node, base)) return;
      covered += 1;
      const [own, other] = [ajv.compile(node), ajv.compile(base)];
      for (const value of all) if (own(value)) expect(other(value)).toBe(true);
    }),
    { numRuns: sized(2_000) },
  );
  expect(covered).toBeGreaterThan(sized(2_000) / 100);
});

const text: JsonSchema = { type: 'string' };
const required = { required: ['a'] };

it.each<[string, JsonSchema, JsonSchema]>([
  ['an equal schema', { type: 'number', minimum: 1 }, { type: 'number', minimum: 1 }],
  ['literals, of a text', { enum: ['a', 'b'] }, text],
  ['a union of literals, of a text', { anyOf: [{ const: 'a' }, text] }, text],
  ['alternatives', { oneOf: [{ const: 'a' }, text] }, text],
  ['an object with more properties', object({ a: text, b: text }), object({ a: text })],
  ['an object with more limits', object({ a: text }, { maxProperties: 1 }), object({ a: text })],
  ['a closed object', object({ a: text }, { additionalProperties: false }), object({ a: text })],
  ['a required property', object({ a: text }, required), object({ a: text })],
  [
    'a required property, of the same',
    object({ a: text }, required),
    object({ a: text }, required),
  ],
  ['an absent property that may be anything', object({ b: text }), object({ a: {} })],
  ['a property, of anything', object({ a: text }), object({ a: {} })],
  [
    'one part of several',
    { allOf: [object({ b: text }), object({ a: text })] },
    object({ a: text }),
  ],
  [
    'an object in an object',
    object({ c: object({ a: { const: 'x' } }) }),
    object({ c: object({ a: text }) }),
  ],
  [
    'an object, of one with a description',
    object({ a: text }),
    object({ a: { ...(text as object), description: 'An A.' } }),
  ],
])('%s is known to restrict as much', (_, node, base) => {
  expect(isCovered(node, base)).toBe(true);
});

it('a schema that is nested more deeply than eight levels counts as another', () => {
  const nested = (levels: number, inner: JsonSchema): JsonSchema =>
    levels === 0 ? inner : object({ a: nested(levels - 1, inner) });
  const verdict = (levels: number): boolean =>
    isCovered(nested(levels, { const: 'x' }), nested(levels, text));
  expect([verdict(3), verdict(9)]).toEqual([true, false]);
});
