import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import type { JsonValue } from '../../json-schema/index.js';
import { emitted } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';

type JsonObject = Readonly<Record<string, JsonValue>>;

/** Constants that are names, and some that no key is. */
const CONSTANTS: readonly JsonValue[] = ['a', 'b', '', ['a'], [], { a: 1 }, null, 1, true];
const ONE: readonly JsonObject[] = CONSTANTS.flatMap((value) => [
  { const: value },
  { enum: [value] },
  { enum: ['b', value, 'c'] },
]);
const LISTS: readonly JsonValue[] = [
  ...ONE,
  ...ONE.flatMap((one) => [{ anyOf: [one] }, { anyOf: [{ const: 'b' }, one] }]),
  ...ONE.slice(0, 9).flatMap((one) => [
    { type: 'string', ...one },
    { type: ['string'], ...one },
    { type: 'number', ...one },
    { ...one, description: 'Names.' },
    { ...one, maxLength: 0 },
    { anyOf: [{ ...one, type: 'null' }, { const: 'b' }] },
    { anyOf: [{ const: 'a' }], ...one },
  ]),
  ...[{}, true, false, { anyOf: [true] }, { anyOf: [{}, { const: 'a' }] }],
  { const: 'a', enum: ['a', 'b'] },
];
const AROUND: readonly object[] = [
  ...[{}, { patternProperties: {} }, { patternProperties: { '^a': { type: 'number' } } }],
  ...[{ properties: {} }, { properties: { a: { type: 'number' } } }],
  ...[{ additionalProperties: { type: 'number' } }, { additionalProperties: false }],
  ...[{ required: ['a'] }, { required: ['z'] }, { unevaluatedProperties: { type: 'number' } }],
  { unevaluatedProperties: { type: 'null' }, additionalProperties: {} },
];
const VALUES = [{}, { a: 1 }, { a: '' }, { b: 1 }, { a: 1, b: 1 }, { '': 1 }, { c: 1, z: 1 }];

it('objects whose names are listed have the verdicts of ajv', async () => {
  const schemas = LISTS.flatMap((propertyNames) =>
    AROUND.map((around) => ({ type: 'object', propertyNames, ...around })),
  );
  const definitions = Object.fromEntries(
    schemas.map((schema, index) => [`P${String(index)}`, schema]),
  );
  const { is } = await emitted(protocolOf(definitions));
  const ajv = new Ajv2020({ strict: false });
  for (const [name, schema] of Object.entries(definitions)) {
    const expected = VALUES.map((value) => ajv.validate(schema as object, value));
    expect(
      VALUES.map((value) => is(name, value)),
      JSON.stringify(schema),
    ).toEqual(expected);
  }
});
