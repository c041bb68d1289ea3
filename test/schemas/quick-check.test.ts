import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { jsonCheck, loadJsonValidator } from '../../runtime/schemas/json-validator.js';
import { quickCheck } from '../../runtime/schemas/quick-check.js';
import { sized } from '../support/size.js';

beforeAll(loadJsonValidator);

const scalar = fc.oneof(
  fc.constantFrom<unknown>('', 'a', 'ab', '😀', '😀😀', '\ud800', 0, 1, 2, 1.5, -1, true, null),
  fc.jsonValue({ maxDepth: 0 }),
);
const name = fc.constantFrom('a', 'b', 'c');
const types = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];
const type = fc.constantFrom(...types);
const size = fc.nat({ max: 3 });

const bounds = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems'],
];

function keyword(key: string, stated: fc.Arbitrary<unknown>): fc.Arbitrary<[string, unknown]> {
  return stated.map((each) => [key, each]);
}

/** Keywords that are checked quickly, and some that are not. */
const { schema } = fc.letrec<{ schema: Record<string, unknown> | boolean }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc
      .array(
        fc.oneof(
          keyword('type', fc.oneof(type, fc.uniqueArray(type, { minLength: 1 }))),
          keyword('enum', fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 })),
          keyword('const', scalar),
          keyword('properties', fc.dictionary(name, tie('schema'))),
          keyword('additionalProperties', tie('schema')),
          keyword('required', fc.uniqueArray(name)),
          keyword('items', tie('schema')),
          keyword('anyOf', fc.array(tie('schema'), { minLength: 1, maxLength: 2 })),
          fc.constantFrom(...bounds).chain((each) => keyword(each, size)),
          keyword('pattern', fc.constantFrom('^a', 'b$', '^.$')),
          keyword('description', fc.string()),
        ),
        { maxLength: 3 },
      )
      .map((pairs) => Object.fromEntries(pairs)),
  ),
}));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value')),
  ),
}));

it('a quick check has the verdict of the library', () => {
  const seen = { true: 0, false: 0, none: 0 };
  const test = fc.property(schema, fc.array(value, { minLength: 5 }), (root, values) => {
    if (typeof root === 'boolean') return;
    const matches = quickCheck(root);
    const check = jsonCheck(root);
    for (const each of values) {
      if (matches === undefined) seen.none += 1;
      else {
        const isMatch = matches(each);
        seen[`${isMatch}`] += 1;
        expect(isMatch).toBe(check(each).issues === undefined);
      }
    }
  });
  fc.assert(test, { numRuns: sized(1500) });
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(sized(1500) / 15);
});

it.each([
  ['a reference', { $ref: '#/$defs/a', $defs: { a: {} } }],
  ['patterns of names further in', { properties: { a: { items: { patternProperties: {} } } } }],
  ['an unknown keyword', { shape: 'round' }],
  ['an object among the values of enum', { enum: [{}] }],
  ['a list of schemas for items', { items: [{ type: 'string' }] }],
])('a schema with %s is left to the library', (_, root) => {
  expect(quickCheck(root)).toBeUndefined();
});

it('a name that objects inherit is not required to be absent or present', () => {
  const matches = quickCheck({ properties: { toString: { type: 'string' } } });
  expect(matches?.({})).toBe(true);
  expect(matches?.({ toString: 1 })).toBe(false);
  expect(quickCheck({ required: ['toString'] })?.({})).toBe(false);
});
