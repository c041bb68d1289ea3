import { describe, expect, it } from 'vitest';
import { compareSchemas } from '../../contracts/lock/compat/index.js';
import type { JsonValue } from '../../json-schema/index.js';

const object = (properties: JsonValue, more: object = {}): JsonValue => ({
  type: 'object',
  properties,
  ...more,
});

/** Alternatives that lead back to themselves, which a naive check tries in exponential time. */
const alternatives = (count: number, most: number): JsonValue =>
  object(
    { a: { $ref: '#/$defs/A' } },
    {
      $defs: {
        A: {
          anyOf: Array.from({ length: count }, (_, index) =>
            object(
              { next: { $ref: '#/$defs/A' }, [`k${String(index)}`]: { maximum: most } },
              { additionalProperties: false },
            ),
          ),
        },
      },
    },
  );

function nested(levels: number, leaf: JsonValue): JsonValue {
  let schema = leaf;
  for (let level = 0; level < levels; level += 1) schema = object({ a: schema });
  return schema;
}

const wide = (count: number, type: string): JsonValue =>
  object(
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${String(at)}`, { type }])),
  );

describe('hostile schemas', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['alternatives that lead back', alternatives(12, 5), alternatives(12, 4)],
    ['40 levels', nested(40, { type: 'string' }), nested(40, { type: 'number' })],
    ['10,000 levels', nested(10_000, { type: 'string' }), nested(10_000, { type: 'number' })],
    ['800 properties', wide(800, 'string'), wide(800, 'number')],
    ['20,000 properties', wide(20_000, 'string'), wide(20_000, 'number')],
    [
      'a pattern that backtracks',
      object({ a: { type: 'string', pattern: '^(a+)+$' } }),
      object({ a: { type: 'string', pattern: '^(a|a)*b$', default: 'a'.repeat(50) } }),
    ],
    [
      'a huge repetition',
      object({ a: { pattern: 'a{1000000}' } }),
      object({ a: { pattern: '(a{9999}){9999}' } }),
    ],
    [
      'a huge minLength',
      object({ a: { type: 'string', minLength: 1e9 } }),
      object({ a: { type: 'string', minLength: 2e9 } }),
    ],
    [
      'a huge minItems',
      object({ a: { type: 'array', minItems: 1e9 } }),
      object({ a: { type: 'array', minItems: 2e9 } }),
    ],
    ['a reference to itself', { $ref: '#' }, { $ref: '#', type: 'object' }],
    ['a reference outside', { $ref: 'https://example.com/a' }, { $ref: 'https://example.com/b' }],
    ['no schema', [], 'text'],
    [
      'a key that objects inherit',
      object({ constructor: { type: 'string' } }),
      object({ constructor: { type: 'number' } }),
    ],
    [
      'a prototype',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as JsonValue,
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"number"}}}') as JsonValue,
    ],
    [
      'constants of many values',
      object({ a: { enum: Array.from({ length: 4_000 }, (_, at) => at) } }),
      object({ a: { enum: Array.from({ length: 4_000 }, (_, at) => at + 1) } }),
    ],
  ])('with %s end, and change nothing silently', (_, before, after) => {
    const changes = [
      ...compareSchemas(before, after, 'input'),
      ...compareSchemas(before, after, 'output'),
    ];
    expect(changes.some(({ verdict }) => verdict !== 'compatible')).toBe(true);
    expect(Object.prototype).not.toHaveProperty('type');
  });
});
