import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { JsonSchema } from '../../json-schema/index.js';
import { createCompiler } from '../read/compiled.js';
import { sized } from '../support/size.js';

const compiler = createCompiler();
afterAll(() => compiler.remove());

const schemaOf = async (schema: JsonSchema): Promise<z.ZodType> =>
  (await compiler.compile(schema)).schema();

type Property = 'string' | 'number';

const object = (properties: Readonly<Record<string, Property>>, required: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(properties).map(([key, type]) => [key, { type }])),
  required: required.filter((key) => key in properties),
});

const part = fc
  .tuple(
    fc.record(
      { a: fc.constant('string' as const), b: fc.constant('number' as const) },
      { requiredKeys: [] },
    ),
    fc.subarray(['a', 'b', 'c']),
  )
  .map(([properties, required]) => object(properties, required));

/** Keywords that say more of an object than Zod can say; they demand no property. */
const MORE: readonly object[] = [
  ...[{}, { minProperties: 0 }, { maxProperties: 9 }, { propertyNames: { maxLength: 9 } }],
  ...[{ patternProperties: { '^x': { type: 'null' } } }, { not: { required: ['z'] } }],
  ...[{ if: { required: ['z'] }, then: { properties: { z: {} } } }, { unevaluatedProperties: {} }],
  ...[{ anyOf: [{ required: ['a'] }, {}] }, { dependentRequired: { z: ['y'] } }],
];

const drawn = fc
  .record({ own: part, parts: fc.array(part, { maxLength: 2 }), more: fc.constantFrom(...MORE) })
  .map(({ own, parts, more }) => ({
    parts: [own, ...parts],
    schema: { ...own, ...(parts.length > 0 && { allOf: parts }), ...more },
  }));

describe('the Zod schema of an object', () => {
  it('is one with the properties of all its parts, whatever else is said of it', async () => {
    for (const { parts, schema } of fc.sample(drawn, { numRuns: sized(250), seed: 51 })) {
      const zod = await schemaOf(schema);
      const shown = JSON.stringify(schema);
      if (!(zod instanceof z.ZodObject)) throw new Error(`No object: ${shown}`);
      const shape = zod.shape as Readonly<Record<string, z.ZodType>>;
      const properties = Object.assign({}, ...parts.map((each) => each.properties)) as object;
      const required = new Set(parts.flatMap((each) => each.required));
      expect(Object.keys(shape).sort(), shown).toEqual(Object.keys(properties).sort());
      for (const [key, each] of Object.entries(shape)) {
        const good = key === 'a' ? 'text' : 5;
        expect(
          [good, null].map((value) => each.safeParse(value).success),
          shown,
        ).toEqual([true, false]);
        expect(each.safeParse(undefined).success && !required.has(key), shown).toBe(false);
        expect(each instanceof z.ZodExactOptional, shown).toBe(!required.has(key));
      }
    }
  });

  it('keeps what it has of a part that is a union, or that Zod cannot say', async () => {
    const either = { anyOf: [{ type: 'object' }, { type: 'string' }] };
    const zod = await schemaOf({
      allOf: [object({ a: 'string' }, ['a']), either, { not: { const: 1 } }],
    });
    expect(zod).toBeInstanceOf(z.ZodObject);
    expect(zod.safeParse({ a: '' }).success).toBe(true);
    expect(zod.safeParse('text').success).toBe(false);
  });
});

describe('the Zod schema of a list', () => {
  it.each<[JsonSchema, object]>([
    [
      { type: 'array', items: { type: 'string' }, minItems: 1, contains: {} },
      { minItems: 1, items: { type: 'string' } },
    ],
    [
      { type: 'array', items: { type: 'null' }, maxItems: 2, contains: { const: 1 } },
      { maxItems: 2, items: { type: 'null' } },
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' }, minItems: 1 },
      { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      { items: {} },
    ],
  ])('says what it can: %j', async (schema, expected) => {
    expect(z.toJSONSchema(await schemaOf(schema))).toMatchObject({ type: 'array', ...expected });
  });
});

describe('the Zod schema of many levels', () => {
  const nested = (levels: number): JsonSchema =>
    levels === 0 ? { type: 'string' } : { type: 'array', items: nested(levels - 1) };
  const wide = (count: number): JsonSchema => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`p${String(index)}`, {}]),
    ),
  });

  it.each<[string, JsonSchema, JsonSchema]>([
    ['levels', nested(10), nested(11)],
    ['properties', wide(1_499), wide(1_500)],
  ])(
    'is left to the validator where the compiler cannot take so many %s',
    async (_, most, more) => {
      expect(await schemaOf(most)).not.toBeInstanceOf(z.ZodCustom);
      const zod = await schemaOf(more);
      expect(zod).toBeInstanceOf(z.ZodCustom);
      expect(zod.safeParse(5).success).toBe(false);
    },
  );
});
