import fc from 'fast-check';
import { expect, it } from 'vitest';
import { metamodelOf } from '../../generator/emit/index.js';
import { formatTypeScript } from '../../generator/emit/format/format.js';
import { emitProtocol } from '../../generator/emit/protocol/emit-protocol.js';
import { emitStandard } from '../../generator/emit/standard/emit-standard.js';
import { emitTypes } from '../../generator/emit/types/emit-types.js';
import type { Protocol } from '../../generator/ir/index.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { protocolOf } from '../support/protocol.js';
import { sized } from '../support/size.js';
import { allOf, drawnDefinitions } from './drawn.js';

const text = fc.oneof(
  fc.constantFrom('a', "it's", '"', `'"`, '\\', '\n', '\u2028', '__proto__', 'a-b', '1a', 'ä', ''),
  fc.string({ maxLength: 12 }),
  fc.string({ minLength: 60, maxLength: 110 }),
);

/** Constants with texts and keys that have to be quoted, of each length. */
const constant = fc.jsonValue({ maxDepth: 2 }).chain((value) =>
  fc
    .record({
      text,
      key: text,
      value: fc.constant(value),
      list: fc.array(text, { maxLength: 4 }),
    })
    .map(({ key, ...rest }): JsonSchema => ({
      const: JSON.parse(JSON.stringify({ ...rest, [key]: 1 })) as never,
      description: rest.text,
    })),
);

/** Methods, keys and results whose names have any length. */
const methods = fc.array(
  fc.record({
    method: fc.oneof(
      fc.constantFrom('a', 'a/b', "it's", '__proto__'),
      fc.string({ minLength: 1, maxLength: 90 }),
    ),
    results: fc.subarray(['A', 'Bb', 'C'.repeat(40), 'D'.repeat(60)]),
    senders: fc.subarray(['client', 'server'] as const),
    capabilities: fc.array(
      fc.record({
        party: fc.constantFrom('client' as const, 'server' as const),
        path: fc.array(fc.constantFrom('tools', 'list-changed', 'x'.repeat(30)), { maxLength: 3 }),
      }),
      { maxLength: 2 },
    ),
  }),
  { maxLength: 4 },
);

/** More of them would have lists of lists and names of 60 characters, which Prettier breaks elsewhere. */
const FEW = 15;

it('the JSON Schemas of drawn definitions are formatted as by Prettier', async () => {
  const constants = fc.sample(constant, { numRuns: FEW, seed: 52 });
  const protocol = protocolOf({
    ...Object.fromEntries(constants.map((schema, index) => [`C${String(index)}`, schema])),
    ...allOf(drawnDefinitions(FEW, 52)),
  });
  const standard = emitStandard(protocol);
  expect(await formatTypeScript(standard)).toBe(standard);
  const types = await emitTypes(protocol);
  expect(await formatTypeScript(types)).toBe(types);
});

it('the tables of drawn methods are formatted as by Prettier', async () => {
  for (const drawn of fc.sample(methods, { numRuns: sized(200), seed: 53 })) {
    const sent = drawn.map((each, index) => ({
      ...each,
      ...{
        definition: `R${String(index)}`,
        params: index % 2 === 0 ? { required: true } : undefined,
      },
      ...{ carrier: 'message' as const, augmentable: index % 3 === 0 },
    }));
    const protocol: Protocol = {
      ...protocolOf({ A: {} }),
      requests: sent,
      notifications: sent,
      addedResults: drawn.flatMap(({ method, results }) =>
        results.map((result) => ({ method, result })),
      ),
      errors: drawn.map((_, index) => ({ name: 'SOME_ERROR', code: -index })),
      metaKeys: drawn.map(({ method }) => method),
    };
    const text = emitProtocol(metamodelOf(protocol));
    expect(await formatTypeScript(text)).toBe(text);
  }
});
