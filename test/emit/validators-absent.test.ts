import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../json-schema/index.js';
import { emitted } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { sampled } from '../support/size.js';

/** Schemas that say nothing about values of some types, and so nothing about a property that is absent. */
const LOOSE: Readonly<Record<string, JsonSchema>> = {
  any: true,
  not: { not: { type: 'string' } },
  condition: { if: { type: 'string' }, then: { minLength: 2 } },
  keyword: { minLength: 2 },
  minimum: { minimum: 2 },
  properties: { properties: { inner: { type: 'string' } } },
  items: { items: { type: 'string' } },
  one: { oneOf: [{ type: 'string' }, { minimum: 2 }] },
  some: { anyOf: [{ type: 'string' }, { not: { type: 'number' } }] },
  all: { allOf: [{ minLength: 2 }, { maximum: 2 }] },
  reference: { $ref: '#/$defs/Loose' },
  unevaluated: { properties: { inner: true }, unevaluatedProperties: false },
  never: false,
};

/** Optional properties decide how the emitted code reads an object. */
const optional = (count: number): Record<string, JsonSchema> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`more${String(i)}`, { minLength: 2 }]),
  );

const VALUES = [
  {},
  { more0: 'long' },
  { more0: 5 },
  { wanted: null },
  { wanted: 'a' },
  { wanted: 'ab', more1: 'a' },
  { wanted: 1 },
  { wanted: 3, more0: 'ab' },
  { wanted: { inner: 'a' } },
  { wanted: { inner: 1, other: 2 } },
  { wanted: [1] },
  { wanted: [] },
];

const SHAPES = [0, 1, 5, 7].flatMap((count) => [
  { count, isItem: false, closed: false },
  { count, isItem: true, closed: false },
  { count, isItem: false, closed: true },
]);

describe.each(Object.entries(LOOSE))('a required property with the schema "%s"', (_, wanted) => {
  it.each(sampled(SHAPES, 3))('has to be there: %j', async ({ count, isItem, closed }) => {
    const holder: JsonSchema = {
      type: 'object',
      properties: { wanted, ...optional(count) },
      required: ['wanted'],
      ...(closed && { additionalProperties: false }),
    };
    const definitions: Record<string, JsonSchema> = {
      Loose: { not: { type: 'string' } },
      Tested: isItem ? { type: 'array', items: holder } : holder,
    };
    const oracle = new Ajv2020({ strict: false }).compile({
      $defs: definitions,
      $ref: '#/$defs/Tested',
    });
    const { is, validate } = await emitted(protocolOf(definitions));
    for (const value of VALUES.map((each) => (isItem ? [each] : each))) {
      const expected = oracle(value);
      expect(is('Tested', value), JSON.stringify(value)).toBe(expected);
      const verdict = validate('Tested', value);
      expect(verdict.ok, JSON.stringify(value)).toBe(expected);
      if (!verdict.ok) expect(verdict.errors.length).toBeGreaterThan(0);
    }
    const undefinedWanted = isItem ? [{ wanted: undefined }] : { wanted: undefined };
    expect(is('Tested', undefinedWanted)).toBe(false);
  });
});
