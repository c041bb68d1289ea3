import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formProblem } from '../../runtime/peer/wire/forms.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { sized } from '../support/size.js';

/** The check of forms against ajv, on every kind of field that the protocol's form schema has. */

const ajv = new Ajv({ strict: false, ownProperties: true });
formats.default(ajv);

const choices = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'toString'), { minLength: 1 });
const titled = choices.map((all) => all.map((value) => ({ const: value, title: `The ${value}` })));
const small = fc.integer({ min: -3, max: 6 });

const text = fc.record(
  { type: fc.constant('string'), minLength: fc.nat(4), maxLength: fc.nat(4) },
  { requiredKeys: ['type'] },
);
const format = fc.record({
  type: fc.constant('string'),
  format: fc.constantFrom('email', 'uri', 'date', 'date-time'),
});
const number = fc.record(
  { type: fc.constantFrom('number', 'integer'), minimum: small, maximum: small },
  { requiredKeys: ['type'] },
);
const field = fc.oneof(
  text,
  format,
  number,
  fc.constant({ type: 'boolean' }),
  choices.map((all) => ({ type: 'string', enum: all })),
  titled.map((oneOf) => ({ type: 'string', oneOf })),
  fc.record(
    {
      type: fc.constant('array'),
      items: fc.oneof(
        choices.map((all) => ({ type: 'string', enum: all })),
        titled.map((anyOf) => ({ anyOf })),
      ),
      minItems: fc.nat(3),
      maxItems: fc.nat(3),
    },
    { requiredKeys: ['type', 'items'] },
  ),
);
// Without `__proto__`, which ajv passes over.
const NAMES = ['one', 'two', 'constructor', 'toString'] as const;
const form = fc.record({
  type: fc.constant('object'),
  properties: fc.dictionary(fc.constantFrom(...NAMES), field, { noNullPrototype: true }),
  required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
});

const TEXTS = [
  '',
  'a',
  'toString',
  '\u{1f600}\u{1f600}',
  'ann@example.com',
  'ann@',
  '@example.com',
  'https://example.com/a?b=c#d',
  'urn:isbn:1',
  'example.com',
  'https://a b',
  '2024-02-29',
  '2023-02-29',
  '2023-1-1',
  '2024-02-29T12:30:00Z',
  '2024-02-29T12:30:00.5+02:00',
  '2024-02-29T25:30:00Z',
  '2024-02-29 12:30',
];
const value = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom(0, 1, -1, 1.5, 7, true, false, null),
  fc.array(fc.constantFrom('a', 'b', 'c', 'z', 1), { maxLength: 4 }),
  fc.constant({}),
);

it('SEC-5 forms are judged as JSON Schema judges them', () => {
  const content = fc.dictionary(fc.constantFrom(...NAMES, 'other'), value, {
    noNullPrototype: true,
  });
  fc.assert(
    // Compiling a schema costs ajv far more than a check, so each is used for many answers.
    fc.property(form, fc.array(content, { minLength: 15, maxLength: 15 }), (schema, answers) => {
      const judge = ajv.compile(schema);
      for (const given of answers) {
        expect([formProblem(schema, given) === undefined, given]).toEqual([judge(given), given]);
      }
    }),
    { numRuns: sized(150), seed: 3, endOnFailure: true },
  );
});

describe('the problem of an invalid form', () => {
  const ask = (property: JsonObject, given: unknown): string | undefined =>
    formProblem({ type: 'object', properties: { it: property } }, { it: given });

  it.each<[JsonObject, unknown, string]>([
    [{ type: 'string' }, 7, 'text'],
    [{ type: 'string', minLength: 3 }, 'ab', 'at least 3 long'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'at most 1 long'],
    [{ type: 'string', minLength: 2 }, '\u{1f600}', 'at least 2 long'],
    [{ type: 'integer' }, 1.5, 'an integer'],
    [{ type: 'integer' }, '1', 'an integer'],
    [{ type: 'integer', minimum: 2 }, 1, 'at least 2'],
    [{ type: 'integer', maximum: 2 }, 3, 'at most 2'],
    [{ type: 'number' }, '1', 'a number'],
    [{ type: 'number' }, Infinity, 'a number'],
    [{ type: 'number', minimum: 2 }, 1.9, 'at least 2'],
    [{ type: 'number', maximum: 2 }, 2.1, 'at most 2'],
    [{ type: 'number', enum: [1, 2] }, 3, 'one of the choices'],
    [{ type: 'integer', enum: [1, 2] }, 3, 'one of the choices'],
    [{ type: 'boolean' }, 'true', 'true or false'],
    [{ type: 'string', enum: ['a'] }, 'b', 'one of the choices'],
    [{ type: 'string', oneOf: [{ const: 'a' }] }, 'b', 'one of the choices'],
    [{ type: 'string', enum: ['a', 'b'], oneOf: [{ const: 'a' }] }, 'b', 'one of the choices'],
    [{ enum: ['a'] }, 'b', 'one of the choices'],
    [{ type: 'array', items: {} }, 'a', 'a list'],
    [{ type: 'array', items: {} }, { 0: 'a' }, 'a list'],
    [{ type: 'array', minItems: 2, items: {} }, ['a'], 'at least 2 choices'],
    [{ type: 'array', maxItems: 1, items: {} }, ['a', 'b'], 'at most 1 choices'],
    [
      { type: 'array', items: { anyOf: [{ const: 'a' }] } },
      ['a', 'b'],
      'a list, each item of it one of the choices',
    ],
    [{ type: 'array', items: { type: 'string' } }, ['a', 1], 'a list, each item of it text'],
    [{ type: 'string', format: 'email' }, 'ann', 'an e-mail address'],
    [{ type: 'string', format: 'uri' }, 'example.com', 'a URI'],
    [{ type: 'string', format: 'uri' }, 'http://', 'a URI'],
    [{ type: 'string', format: 'date' }, '2023-02-30', 'a date (YYYY-MM-DD)'],
    [{ type: 'string', format: 'date' }, '2023-13-01', 'a date (YYYY-MM-DD)'],
    [{ type: 'string', format: 'date-time' }, '2024-02-29', 'a date and time (RFC 3339)'],
    [{ type: 'string', format: 'date-time' }, '2023-02-29T01:02:03Z', 'a date and time (RFC 3339)'],
    [{ type: 'string', format: 'date-time' }, '2024-02-29x01:02:03Z', 'a date and time (RFC 3339)'],
    [{ type: 'string', format: 'date-time' }, '2024-02-29T01:02:03', 'a date and time (RFC 3339)'],
  ])('%j answered with %j names the field and what it must be', (property, given, expected) => {
    expect(ask(property, given)).toBe(`/content/it must be ${expected}`);
  });

  it.each<[JsonObject, unknown]>([
    [{ type: 'string', minLength: 2, maxLength: 2 }, 'ab'],
    [{ type: 'string', maxLength: 1 }, '\u{1f600}'],
    [{ type: 'string', minLength: '3' }, 'ab'],
    [{ type: 'string', maxLength: '1' }, 'ab'],
    [{ type: 'string', enum: 'a' }, 'b'],
    [{ type: 'string', enum: ['a', 'b'] }, 'b'],
    [{ type: 'string', format: 'constructor' }, 'b'],
    [{ type: 'string', format: 7 }, 'b'],
    [{ type: 'string', format: 'email' }, 'ann@example.com'],
    [{ type: 'string', format: 'uri' }, 'urn:isbn:1'],
    [{ type: 'string', format: 'date' }, '2024-12-31'],
    [{ type: 'string', format: 'date-time' }, '2024-02-29t23:59:60.5+23:59'],
    [{ type: 'number', minimum: 2, maximum: 2 }, 2],
    [{ type: 'number', minimum: '3', maximum: '1' }, 2],
    [{ type: 'integer', minimum: 2, maximum: 2 }, 2],
    [{ type: 'boolean' }, false],
    [{ type: 'array', minItems: 1, maxItems: 1 }, ['a']],
    [{ type: 'array', minItems: '2', maxItems: '0', items: 'none' }, ['a']],
    [{}, { any: 'value' }],
  ])('there is none with %j answered with %j', (property, given) => {
    expect(ask(property, given)).toBeUndefined();
  });

  it.each<[string, unknown, unknown, string | undefined]>([
    ['content that is no object', {}, 7, '/content must be an object'],
    ['content that is a list', {}, [], '/content must be an object'],
    ['no content for no question', undefined, null, undefined],
    ['content for a schema that is none', 'none', { a: 1 }, undefined],
    ['names that are no texts', { required: [7, 'a'] }, { a: 1 }, undefined],
    [
      'a required name that content only inherits',
      { required: ['toString'] },
      {},
      '/content/toString is missing',
    ],
    ['a field that the schema does not name', { properties: {} }, { a: 1 }, undefined],
    ['a field whose schema is none', { properties: { a: 7 } }, { a: 1 }, undefined],
    ['a field that may be missing', { properties: { a: { type: 'string' } } }, {}, undefined],
    ['required that is no list', { required: 'a' }, {}, undefined],
    [
      'several problems',
      { required: ['b'], properties: { a: { type: 'string' }, c: { type: 'boolean' } } },
      { a: 1, c: 1 },
      '/content/b is missing; /content/a must be text; /content/c must be true or false',
    ],
  ])('is exact for %s', (_, schema, given, expected) => {
    expect(formProblem(schema, given)).toBe(expected);
  });

  it('never holds a value', () => {
    fc.assert(
      fc.property(form, fc.constantFrom(...NAMES), (schema, name) => {
        const given = Object.fromEntries([[name, 'hunter2-hunter2']]);
        expect(formProblem(schema, given) ?? '').not.toContain('hunter2');
      }),
      { seed: 3 },
    );
  });

  it('names each field that is missing', () => {
    expect(formProblem({ type: 'object', required: ['a', 'b'] }, undefined)).toBe(
      '/content/a is missing; /content/b is missing',
    );
  });
});
