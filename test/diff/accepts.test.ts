import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accepts } from '../../generator/diff/meaning.js';
import { definitionsIn } from '../../generator/diff/scope.js';
import type { Scoped } from '../../json-schema/compare/index.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { isWitness } from '../read/differential.js';
import { sized } from '../support/size.js';
import { protocol } from './protocols.js';

function scoped(schema: JsonSchema): Scoped {
  const definitions = definitionsIn(protocol({ Thing: schema }));
  return { node: { kind: 'ref', name: 'Thing' }, definitions };
}

/** Under different names, because equal names count as equal types. */
function isAccepted(outer: JsonSchema, inner: JsonSchema): boolean {
  const definitions = definitionsIn(protocol({ Inner: inner }));
  return accepts(scoped(outer), { node: { kind: 'ref', name: 'Inner' }, definitions });
}

/** Both objects name the same keys, so that only the rules for other keys differ. */
const schemas = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonSchema>(
      {},
      { not: {} },
      { type: 'null' },
      { type: 'boolean' },
      { type: 'string' },
      { type: 'string', minLength: 2 },
      { type: 'string', maxLength: 2 },
      { type: 'string', pattern: '^x' },
      { type: 'number' },
      { type: 'integer' },
      { type: 'integer', minimum: 1 },
      { type: 'number', maximum: 1 },
      { type: 'number', exclusiveMinimum: 1 },
      { type: 'integer', exclusiveMaximum: 1 },
      { type: 'integer', multipleOf: 2 },
      { type: ['string', 'null'] },
      { const: 'x' },
      { enum: ['x', 'xyz', 1, null] },
    ),
    fc.record(
      {
        type: fc.constant('array'),
        items: tie('schema'),
        prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        uniqueItems: fc.boolean(),
        contains: tie('schema'),
      },
      { requiredKeys: ['type', 'items'] },
    ) as fc.Arbitrary<JsonSchema>,
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.record({ a: tie('schema'), b: tie('schema') }),
        required: fc.subarray(['a', 'b', 'c']),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        patternProperties: fc.record({ c: tie('schema') }),
        propertyNames: fc.constantFrom({ maxLength: 1 }, { pattern: '^[ab]' }),
        minProperties: fc.nat(2),
        maxProperties: fc.nat(2),
      },
      { requiredKeys: ['type', 'properties'] },
    ) as fc.Arbitrary<JsonSchema>,
  ),
})).schema;

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>('', 'x', 'xyz', 'abc', 0, 1, 1.5, -3, true, null),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).value;

const ajv = new Ajv2020({ strict: false, unicodeRegExp: true });

describe('accepts', () => {
  it('does not rely on a comparison of recursive types that fails in the end', () => {
    const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
    });
    const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
    const outer = definitionsIn(
      protocol({
        // A is compared first: its b is fine if A is, and its z is not.
        Thing: { anyOf: [object({ a: ref('A') }), ref('B')] },
        A: object({ b: ref('B'), z: { type: 'string' } }),
        B: object({ a: ref('A') }),
      }),
    );
    const inner = definitionsIn(
      protocol({
        A2: object({ b: ref('B2'), z: { type: 'number' } }),
        B2: object({ a: ref('A2') }),
      }),
    );
    const thing: Scoped = { node: { kind: 'ref', name: 'Thing' }, definitions: outer };
    expect(accepts(thing, { node: { kind: 'ref', name: 'B2' }, definitions: inner })).toBe(false);
  });

  it('never accepts a type with a value that the other refuses', () => {
    let yes = 0;
    fc.assert(
      fc.property(schemas, schemas, fc.array(value, { minLength: 20 }), (outer, inner, values) => {
        if (!isAccepted(outer, inner)) return;
        yes += 1;
        const [isInner, isOuter] = [ajv.compile(inner), ajv.compile(outer)];
        for (const each of values) {
          if (!isInner(each) || isOuter(each)) continue;
          // ajv is wrong in a few places. Where it says no, another implementation decides.
          if (isWitness(each, { accepts: inner, refuses: outer }, '2020-12'))
            expect.fail(JSON.stringify({ outer, inner, value: each }));
        }
      }),
      { numRuns: sized(2000) },
    );
    expect(yes).toBeGreaterThan(sized(2000) / 100);
  });

  it('accepts every type for itself', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        expect(isAccepted(schema, schema)).toBe(true);
      }),
      { numRuns: sized(1000) },
    );
  });
});
