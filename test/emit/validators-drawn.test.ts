import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import { expect, it } from 'vitest';
import { namedParts } from '../../generator/emit/index.js';
import type { Protocol } from '../../generator/ir/index.js';
import { secondOpinion } from '../read/differential.js';
import { partsOf, randomFrom, variantOf } from '../read/variants.js';
import { emitted } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { sized } from '../support/size.js';
import { allOf, drawnDefinitions, valueOf } from './drawn.js';

/** Of each schema. */
const VALUES = 25;
const OPTIONS = { strict: false, validateSchema: false, ownProperties: true } as const;

/** ajv's, unless it takes a property for the method that every object inherits. */
function verdictOf(oracle: ValidateFunction, value: unknown): boolean | undefined {
  try {
    return oracle(value);
  } catch {
    return undefined;
  }
}

it.each<[string, number, (protocol: Protocol) => Protocol]>([
  ['as they are', 41, (protocol) => protocol],
  ['with names for their parts', 42, namedParts],
])('drawn schemas in one file, %s, have the verdicts of ajv', async (_, seed, made) => {
  const drawn = drawnDefinitions(sized(600), seed);
  const $defs = allOf(drawn);
  const { is, validate } = await emitted(made(protocolOf($defs)));
  const ajv = new Ajv2020(OPTIONS).addSchema({ $id: 'all', $defs });
  const random = randomFrom(seed);
  const verdicts = { true: 0, false: 0 };
  for (const { name, definitions } of drawn) {
    const schema = { $ref: `#/$defs/${name}`, $defs: definitions };
    const oracle = ajv.compile({ $ref: `all#/$defs/${name}` });
    const parts = partsOf(definitions[name] ?? true);
    const likely = Array.from({ length: VALUES }, () => valueOf(schema, definitions, random));
    const values = likely.flatMap((each) => [each, variantOf(each, parts, random)]);
    for (const value of [...values, ...parts.slice(0, VALUES)]) {
      const expected = verdictOf(oracle, value);
      const own = is(name, value);
      verdicts[`${own}`] += 1;
      const verdict = validate(name, value);
      const isReported = verdict.ok ? verdict.value === value : verdict.errors.length > 0;
      const isRight = own === expected || secondOpinion(schema, '2020-12', value) !== !own;
      if (!isRight || verdict.ok !== own || !isReported)
        expect.fail(JSON.stringify({ schema, value, expected, own, verdict }));
    }
  }
  expect(verdicts.true).toBeGreaterThan(5 * drawn.length);
  expect(verdicts.false).toBeGreaterThan(5 * drawn.length);
});
