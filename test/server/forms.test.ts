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

  it.each([
    [{ type: 'string' }, 7, 'text'],
    [{ type: 'string', minLength: 3 }, 'ab', 'at least 3 long'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'at most 1 long'],
    [{ type: 'integer' }, 1.5, 'an integer'],
    [{ type: 'number', minimum: 2 }, 1, 'at least 2'],
    [{ type: 'number', maximum: 2 }, 3, 'at most 2'],
    [{ type: 'boolean' }, 'true', 'true or false'],
    [{ type: 'string', enum: ['a'] }, 'b', 'one of the choices'],
    [{ type: 'array', items: { anyOf: [{ const: 'a' }] } }, ['b'], 'one of the choices'],
    [{ type: 'array', maxItems: 1, items: {} }, ['a', 'b'], 'at most 1 choices'],
    [{ type: 'string', format: 'email' }, 'ann', 'an e-mail address'],
    [{ type: 'string', format: 'date' }, '2023-02-30', 'a date'],
  ])('%j answered with %j names the field and what it must be', (property, given, expected) => {
    expect(ask(property, given)).toContain('/content/it must be');
    expect(ask(property, given)).toContain(expected);
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
