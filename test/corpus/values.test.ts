import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../json-schema/index.js';
import { randomFrom } from '../read/variants.js';
import { protocolOf } from '../support/protocol.js';
import { createDrawer } from './draw.js';
import { spread } from './gather.js';
import { isOpaque } from './judge.js';
import { matching } from './matching.js';
import { mutantOf } from './mutants.js';
import * as z from 'zod';

const SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[a-z]{2,4}-\\d+$' },
    size: { type: 'integer', minimum: 3, maximum: 9 },
    kind: { enum: ['a', 'b', null] },
    at: { type: 'string', format: 'date' },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2 },
    either: {
      oneOf: [
        { type: 'string', maxLength: 3 },
        { type: 'array', items: { const: 1 } },
      ],
    },
    inner: { $ref: '#/$defs/It' },
  },
  required: ['id', 'kind'],
  additionalProperties: { type: 'boolean' },
} satisfies JsonObject;

/** Values of a schema, with the same seed in each run. */
function drawn(schema: JsonObject, count: number): JsonValue[] {
  const { definitions } = protocolOf({ It: schema });
  const node = definitions.find(({ name }) => name === 'It')?.node ?? { kind: 'any' };
  const draw = createDrawer(definitions, randomFrom(3));
  return Array.from({ length: count }, () => draw(node));
}

const ajv = (schema: JsonObject): ((value: unknown) => boolean) =>
  new Ajv({ strict: false, validateFormats: false }).compile({ ...schema, $defs: { It: schema } });

describe('drawn values', () => {
  it('are valid', () => {
    const validate = ajv(SCHEMA);
    const values = drawn(SCHEMA, 200);
    expect(values.filter((value) => !validate(value))).toEqual([]);
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBeGreaterThan(150);
  });

  it('end, where a schema contains itself in several places', () => {
    const branches = Array.from({ length: 8 }, (_, index) => [
      `branch${String(index)}`,
      { type: 'array', minItems: 1, items: { $ref: '#/$defs/It' } },
    ]);
    const properties = Object.fromEntries(branches) as JsonObject;
    const schema = { type: 'object', properties, required: ['branch0', 'branch1', 'branch2'] };
    for (const value of drawn(schema, 20)) expect(JSON.stringify(value).length).toBeLessThan(1e5);
  });
});

it.each([
  '^a{3}[b-d]+(?:x|y\\d)?$',
  '^[^a-zA-Z]{2}$',
  '^\\S+@\\w+\\.[a-z]{2,}$',
  '^[\\w\\-.]+$',
  '^(?:css|ios)(?:\\.[a-z0-9]+(?:-[a-z0-9]+)*)+$',
])('texts match %s', (pattern) => {
  const regExp = new RegExp(pattern, pattern.includes('\\-') ? '' : 'u');
  for (let seed = 0; seed < 50; seed += 1) {
    expect(matching(pattern, randomFrom(seed))).toMatch(regExp);
  }
});

it('mutants differ from their value, and are often not valid', () => {
  const validate = ajv(SCHEMA);
  const random = randomFrom(5);
  const mutants = drawn(SCHEMA, 200).map((value) => [value, mutantOf(value, ['x', 1], random)]);
  const changed = mutants.filter(([one, other]) => JSON.stringify(one) !== JSON.stringify(other));
  expect(changed.length).toBeGreaterThan(150);
  const invalid = mutants.filter(([, mutant]) => !validate(mutant)).length;
  expect(invalid / mutants.length).toBeGreaterThan(0.4);
});

it('spreads over a list', () => {
  expect(spread([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 3)).toEqual([0, 3, 6]);
  expect(spread([1, 2], 3)).toEqual([1, 2]);
});

it('a schema is opaque where Zod shows nothing of a definition', () => {
  const it_ = { name: 'It', node: { kind: 'string' } } as const;
  expect(isOpaque(z.string(), it_)).toBe(false);
  expect(isOpaque(z.unknown(), it_)).toBe(true);
  expect(isOpaque(z.custom(), it_)).toBe(true);
  expect(
    isOpaque(
      z.lazy(() => z.any().readonly()),
      it_,
    ),
  ).toBe(true);
  expect(
    isOpaque(
      z.lazy(() => z.array(z.unknown())),
      it_,
    ),
  ).toBe(false);
  expect(isOpaque(z.unknown(), { name: 'It', node: { kind: 'any' } })).toBe(false);
});
