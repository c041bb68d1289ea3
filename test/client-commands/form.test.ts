import { describe, expect, it } from 'vitest';
import { checkAnswers, fieldsOf } from '../../cli/client/form.js';
import type { PrimitiveSchemaDefinition } from '../../generated/2025-11-25/index.js';

function readOne(schema: PrimitiveSchemaDefinition, value: unknown): unknown {
  const [field] = fieldsOf({ type: 'object', properties: { it: schema } });
  const read = field?.read(value as string);
  return read && ('value' in read ? read.value : new RangeError(read.problem));
}

describe('a form', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));

  it('may have fields with the names of members that every object has', () => {
    const form = { type: 'object', properties, required: names } as const;
    const given = Object.fromEntries(names.map((name) => [name, 'given']));
    expect(Object.entries(checkAnswers(form, given))).toEqual(Object.entries(given));
    for (const name of names) {
      const others = Object.entries(given).filter(([other]) => other !== name);
      expect(() => checkAnswers(form, Object.fromEntries(others))).toThrow(name);
    }
    expect(Object.entries(checkAnswers({ type: 'object', properties }, {}))).toEqual([]);
  });

  it('may name a format that every object has', () => {
    for (const format of names) {
      expect(readOne({ type: 'string', format } as PrimitiveSchemaDefinition, 'a')).toBe('a');
    }
  });

  it('suggests no text that keeps a check busy', () => {
    const text = `a@${'.'.repeat(2_000_000)} `;
    expect(readOne({ type: 'string', format: 'email' }, text)).toBeInstanceOf(RangeError);
    expect(
      readOne({ type: 'string', format: 'email' }, `a@${'b.'.repeat(1_000_000)}`),
    ).toBeInstanceOf(RangeError);
  });

  it('has no more fields and choices than a person reads', () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`f${String(at)}`, { type: 'string' } as const]),
    );
    expect(() => fieldsOf({ type: 'object', properties: many })).toThrow('200 fields');
    const choices = Array.from({ length: 3_000 }, (_, at) => String(at));
    const it = { type: 'string', enum: choices } as const;
    expect(() => fieldsOf({ type: 'object', properties: { it } })).toThrow('2000 choices');
  });
});

describe('a field', () => {
  it.each<[PrimitiveSchemaDefinition, unknown, unknown]>([
    [{ type: 'string' }, 'a', 'a'],
    [{ type: 'string', minLength: 2 }, 'a', RangeError],
    [{ type: 'string', maxLength: 1 }, '😀', '😀'],
    [{ type: 'string', format: 'email' }, 'a@b.example', 'a@b.example'],
    [{ type: 'string', format: 'email' }, 'a', RangeError],
    [{ type: 'string', format: 'date' }, '2026-02-28', '2026-02-28'],
    [{ type: 'string', format: 'date' }, '28.2.2026', RangeError],
    [{ type: 'string', format: 'date-time' }, '2026-02-28T12:00:00Z', '2026-02-28T12:00:00Z'],
    [{ type: 'string', format: 'uri' }, 'https://x.example', 'https://x.example'],
    [{ type: 'number' }, '1.5', 1.5],
    [{ type: 'number' }, 1.5, 1.5],
    [{ type: 'number' }, '', RangeError],
    [{ type: 'number' }, 'Infinity', RangeError],
    [{ type: 'integer' }, '1.5', RangeError],
    [{ type: 'integer', minimum: 0 }, '-1', RangeError],
    [{ type: 'integer', maximum: 9 }, '10', RangeError],
    [{ type: 'boolean' }, true, true],
    [{ type: 'boolean' }, 'true', RangeError],
    [{ type: 'string', enum: ['a', 'b'] }, 'b', 'b'],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', RangeError],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, 'a', 'a'],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, ['a'], ['a']],
    [{ type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1 }, [], RangeError],
    [
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, maxItems: 0 },
      ['a'],
      RangeError,
    ],
    [{ type: 'array', items: { type: 'string', enum: ['a'] } }, ['b'], RangeError],
  ])('%j reads %j', (schema, value, expected) => {
    const read = readOne(schema, value);
    if (expected === RangeError) expect(read).toBeInstanceOf(RangeError);
    else expect(read).toEqual(expected);
  });

  it('shows the words of the server that made the form', () => {
    const [field] = fieldsOf({
      type: 'object',
      properties: { size: { type: 'string', title: 'Size', enum: ['s'], enumNames: ['Small'] } },
      required: ['size'],
    });
    expect(field).toMatchObject({
      title: 'Size',
      required: true,
      choices: [{ value: 's', label: 'Small' }],
    });
  });
});

it('checks what is given in advance', () => {
  const form = {
    type: 'object' as const,
    properties: { name: { type: 'string' as const }, age: { type: 'integer' as const } },
    required: ['name'],
  };
  expect(checkAnswers(form, { name: 'Ann' })).toEqual({ name: 'Ann' });
  expect(() => checkAnswers(form, { age: 7 })).toThrow('it lacks "name".');
  // The age would have no answer, unnoticed.
  expect(() => checkAnswers(form, { name: 'Ann', agee: 7 })).toThrow(
    'it has no field "agee". Fields: "name", "age".',
  );
  expect(() => checkAnswers(form, { name: 'Ann', age: 1.5 })).toThrow('"age": A whole number.');
  expect(() => checkAnswers(form, { name: 7 })).toThrow('"name"');
});

const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

describe.each(INHERITED)('a field called %s', (name) => {
  const text: PrimitiveSchemaDefinition = { type: 'string' };
  const form = {
    type: 'object' as const,
    properties: Object.fromEntries([[name, text]]),
    required: [name],
  };

  it('is missing where no answer was given for it', () => {
    expect(() => checkAnswers(form, {})).toThrow('lacks');
    expect(checkAnswers({ ...form, required: [] }, {})).toEqual({});
  });

  it('is answered like every other', () => {
    const answer = checkAnswers(form, JSON.parse(`{"${name}": "a"}`) as Record<string, unknown>);
    expect(Object.entries(answer)).toEqual([[name, 'a']]);
  });

  it('may be a format that is not known here', () => {
    const schema = { type: 'string', format: name } as PrimitiveSchemaDefinition;
    expect(readOne(schema, 'a')).toBe('a');
  });
});
