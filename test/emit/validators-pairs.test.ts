import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../json-schema/index.js';
import { emitted } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';

const tagged = (kind: JsonSchema, more: object = {}): JsonSchema => ({
  ...{ type: 'object', properties: { kind }, required: ['kind'] },
  ...more,
});

/** Schemas of each type and of each kind, some of which have values in common. */
const SMALL: readonly JsonSchema[] = [
  ...[
    {},
    { not: {} },
    { type: 'null' },
    { type: 'string' },
    { type: 'string', minLength: 2 },
    { type: 'integer' },
  ],
  ...[
    { type: 'number', minimum: 1 },
    { type: ['boolean', 'null'] },
    { enum: ['a', 'ab', 1, null] },
  ],
  ...[{ const: [1] }, { const: { kind: 'a' } }, { type: 'array', items: { type: 'number' } }],
  ...[{ not: { type: 'string' } }, { if: { type: 'object' }, then: { required: ['a'] } }],
  ...[
    tagged({ const: 'a' }),
    tagged({ enum: ['a', 'b'] }),
    tagged({ const: 'b' }, { maxProperties: 1 }),
  ],
  ...[{ type: 'object', properties: { kind: { const: 'c' } } }, { $ref: '#/$defs/Named' }],
];

const VALUES: readonly unknown[] = [
  ...[null, true, '', 'a', 'ab', 'abc', 0, 1, 1.5, [], [1], ['a'], {}, { a: 1 }],
  ...[{ kind: 'a' }, { kind: 'b' }, { kind: 'b', a: 1 }, { kind: 'c' }, { kind: 1 }],
];

const PAIRS = SMALL.flatMap((one, index) => SMALL.slice(index).map((other) => [one, other]));

describe.each(['anyOf', 'oneOf', 'allOf'])('%s', (keyword) => {
  const definitions: Record<string, JsonSchema> = {
    Named: { anyOf: [{ type: 'string' }, tagged({ const: 'a' })] },
    ...Object.fromEntries(PAIRS.map((pair, index) => [`P${String(index)}`, { [keyword]: pair }])),
  };

  it('of any two schemas has the verdicts of ajv', async () => {
    const { is, validate } = await emitted(protocolOf(definitions));
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    ajv.addSchema({ $id: 'all', $defs: definitions });
    for (const name of Object.keys(definitions)) {
      const oracle = ajv.compile({ $ref: `all#/$defs/${name}` });
      const expected = VALUES.map((value) => oracle(value));
      const shown = JSON.stringify(definitions[name]);
      expect(
        VALUES.map((value) => is(name, value)),
        shown,
      ).toEqual(expected);
      expect(
        VALUES.map((value) => validate(name, value).ok),
        shown,
      ).toEqual(expected);
    }
  });
});
