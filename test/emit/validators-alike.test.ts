import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../json-schema/index.js';
import { emitted } from '../support/emitted.js';
import type { Emitted } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { sized } from '../support/size.js';

const NAMES = ['uri', 'name', 'title', 'size', 'note', 'icons', 'kind', 'hints'];
const REQUIRED = ['uri', 'name'];
const ITEM: JsonSchema = {
  type: 'object',
  properties: {
    uri: { type: 'string' },
    name: { type: 'string' },
    title: { type: 'string' },
    size: { type: 'integer' },
    note: { type: 'string', maxLength: 3 },
    icons: { type: 'array', items: { type: 'string' } },
    kind: { enum: ['a', 'b'] },
    hints: { type: 'object', properties: { read: { type: 'boolean' } } },
  },
  required: [...REQUIRED],
};

const right: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  uri: fc.string(),
  name: fc.string(),
  title: fc.string(),
  size: fc.integer(),
  note: fc.string({ maxLength: 3 }),
  icons: fc.array(fc.string(), { maxLength: 2 }),
  kind: fc.constantFrom('a', 'b'),
  hints: fc.record({ read: fc.boolean() }, { requiredKeys: [] }),
};
const wrong = fc.constantFrom(null, 1.5, 'long text', [5], { read: 5 }, true);

const absent = fc.constant(undefined);

const value = (name: string): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 20, arbitrary: right[name] ?? wrong },
    { weight: 1, arbitrary: wrong },
    { weight: REQUIRED.includes(name) ? 1 : 10, arbitrary: absent },
  );

/** An object as JSON has it, with its properties in any order. */
const item = fc
  .tuple(
    fc.shuffledSubarray(NAMES, { minLength: NAMES.length }),
    fc.record(Object.fromEntries(NAMES.map((name) => [name, value(name)]))),
  )
  .map(([order, values]) => {
    const members = order.map((name) => [name, values[name]]);
    return JSON.parse(JSON.stringify(Object.fromEntries(members))) as unknown;
  });

/** The names of the definitions make a module of its own, which has seen nothing. */
const unused = (index: number): Promise<Emitted> =>
  emitted(protocolOf({ [`List${String(index)}`]: { type: 'array', items: ITEM } }));

describe('the items of lists', () => {
  it('have the same verdict, whatever objects the process has met before', async () => {
    const oracle = new Ajv2020({ strict: false }).compile({ type: 'array', items: ITEM });
    let valid = 0;
    for (let index = 0; index < 12; index += 1) {
      const { is } = await unused(index);
      const definition = `List${String(index)}`;
      // Half of the processes have met many orders of properties.
      const before = fc.sample(item, { numRuns: (index % 2) * 400, seed: index });
      before.forEach((each) => is(definition, [each]));
      fc.assert(
        fc.property(fc.array(item, { maxLength: 2 }), (list) => {
          const expected = oracle(list);
          valid += Number(expected);
          expect(is(definition, list)).toBe(expected);
        }),
        { numRuns: sized(150), seed: index },
      );
    }
    expect(valid).toBeGreaterThan(4 * sized(150));
    expect(valid).toBeLessThan(9.5 * sized(150));
  });

  it('of a list that restricts their keys are read in the same way', async () => {
    const closed: JsonSchema = { ...ITEM, additionalProperties: false };
    const { is } = await emitted(protocolOf({ Closed: { type: 'array', items: closed } }));
    const plain = { uri: 'u', name: 'n' };
    expect(is('Closed', [plain])).toBe(true);
    expect(is('Closed', [{ ...plain, other: 1 }])).toBe(false);
    const limited: JsonSchema = { ...ITEM, maxProperties: 3, propertyNames: { maxLength: 5 } };
    const { is: fits } = await emitted(protocolOf({ Sized: { type: 'array', items: limited } }));
    expect(fits('Sized', [{ ...plain, title: 't' }])).toBe(true);
    expect(fits('Sized', [{ ...plain, title: 't', note: 'n' }])).toBe(false);
    expect(fits('Sized', [{ ...plain, otherwise: 't' }])).toBe(false);
  });
});
