import { expect, it } from 'vitest';
import type { JsonSchema } from '../../json-schema/index.js';
import { emitted } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';

const string = (more: object): JsonSchema => ({ type: 'string', ...more });
const number = (more: object): JsonSchema => ({ type: 'number', ...more });
const long = 'x'.repeat(3_000);

/** What a value must be, in an error; the value is wrong for each of the schemas. */
const WORDS: readonly (readonly [expected: string, schema: JsonSchema, value?: unknown])[] = [
  ['absent', { not: {} }],
  ['null', { type: 'null' }],
  ['a boolean', { type: 'boolean' }, 1],
  ['a string', string({})],
  ['a string', string({ minLength: 0 })],
  ['a string of at least 1 character', string({ minLength: 1 })],
  ['a string of at least 2 characters', string({ minLength: 2 })],
  ['a string of at most 1 character', string({ maxLength: 1 })],
  ['a string of at most 0 characters', string({ minLength: 0, maxLength: 0 })],
  ['a string of 1 to 1 characters', string({ minLength: 1, maxLength: 1 })],
  ['a string that matches ^a', string({ pattern: '^a' })],
  [
    'a string of 1 to 2 characters that matches ^a',
    string({ ...{ minLength: 1, maxLength: 2 }, pattern: '^a' }),
  ],
  ['a URI of at least 9 characters', string({ format: 'uri', minLength: 9 })],
  [`a string that matches ${'x'.repeat(2_000)}…`, string({ pattern: long })],
  ['a number', number({})],
  ['an integer', { type: 'integer' }],
  ['a number of at least 0', number({ minimum: 0 })],
  ['a number of at most 0', number({ maximum: 0 })],
  ['a number from 0 to 1', number({ minimum: 0, maximum: 1 })],
  ['a number above 0', number({ exclusiveMinimum: 0 })],
  ['a number below 0', number({ exclusiveMaximum: 0 })],
  ['a number of at least 0 below 1', number({ minimum: 0, exclusiveMaximum: 1 })],
  [
    'an integer above 0 that is a multiple of 3',
    { type: 'integer', exclusiveMinimum: 0, multipleOf: 3 },
  ],
  ['an object', { type: 'object' }],
  ['an array', { type: 'array' }],
  ['"a"', { const: 'a' }],
  ['one of "a", 1, null', { enum: ['a', 1, null] }],
  [`"${'x'.repeat(1_999)}…`, { const: long }],
  ['{"a":[1]}', { const: { a: [1] } }],
  [`["${'x'.repeat(1_998)}…`, { const: [long] }],
  ['a string or a number', { type: ['string', 'number'] }],
  ['a string or null', { anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'string' }] }],
  ['something else', { not: { type: 'boolean' } }],
  ['at least 1 long', { type: 'array', minItems: 1 }, []],
  ['at least 1 long', { type: 'array', prefixItems: [{ type: 'string' }], minItems: 1 }, []],
  ['at most 1 long', { type: 'array', maxItems: 1 }, [1, 1]],
  ['free of duplicates', { type: 'array', uniqueItems: true }, [1, 1]],
  ['an object with at least 1 properties', { type: 'object', minProperties: 1 }, {}],
  ['an object with at most 1 properties', { type: 'object', maxProperties: 1 }, { a: 1, b: 1 }],
  [
    'an object with at most 0 properties',
    { type: 'object', minProperties: 0, maxProperties: 0 },
    { a: 1 },
  ],
  [
    'an object with at least 1 and at most 2 properties',
    { type: 'object', minProperties: 1, maxProperties: 2 },
    {},
  ],
];

it('an error says what its schema demands', async () => {
  const { validate } = await emitted(
    protocolOf(Object.fromEntries(WORDS.map(([, schema], index) => [`W${String(index)}`, schema]))),
  );
  const found = WORDS.map(([, , value = true], index) => {
    const verdict = validate(`W${String(index)}`, value);
    return verdict.ok ? 'nothing' : verdict.errors.map(({ expected }) => expected).join();
  });
  expect(found).toEqual(WORDS.map(([expected]) => expected));
});
