import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { covers } from '../../generator/emit/validators/covers.js';
import { planOf } from '../../generator/emit/validators/plan.js';
import type { JsonSchema } from '../../generator/read/index.js';
import { protocolOf } from '../support/protocol.js';
import { sized } from '../support/size.js';

const KEYS = ['a', 'b'] as const;

const { schema: schemas } = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>((tie) => ({
  object: fc
    .record({
      properties: fc.dictionary(fc.constantFrom(...KEYS), tie('schema'), { maxKeys: 2 }),
      required: fc.subarray([...KEYS]),
      additionalProperties: fc.constantFrom<JsonSchema>({}, { type: 'string' }, false),
    })
    .map(({ additionalProperties, ...rest }) => ({
      type: 'object' as const,
      ...rest,
      ...(JSON.stringify(additionalProperties) !== '{}' && { additionalProperties }),
    })),
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonSchema>({}, { type: 'string' }, { type: 'string', minLength: 2 }),
    fc.constantFrom<JsonSchema>({ const: 'x' }, { enum: ['x', 'yy'] }, { type: 'object' }),
    tie('object'),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf })),
    fc.array(tie('object'), { minLength: 2, maxLength: 2 }).map((allOf) => ({ allOf })),
  ),
}));

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('x', 'yy', 5, null),
    fc.dictionary(fc.constantFrom(...KEYS, 'c'), tie('value'), { noNullPrototype: true }),
  ),
})).value;

it('a schema that covers another refuses everything that the other refuses', () => {
  const ajv = new Ajv2020({ strict: false });
  let covered = 0;
  fc.assert(
    fc.property(schemas, schemas, fc.array(values, { minLength: 5 }), (node, base, all) => {
      const { definitions, ...plan } = planOf(protocolOf({ Node: node, Base: base }));
      const nodeOf = (name: string) => definitions.get(name)?.node ?? { kind: 'never' as const };
      if (!covers(nodeOf('Node'), nodeOf('Base'), { definitions, ...plan })) return;
      covered += 1;
      const [own, other] = [ajv.compile(node), ajv.compile(base)];
      for (const value of all) if (own(value)) expect(other(value)).toBe(true);
    }),
    { numRuns: sized(2_000) },
  );
  expect(covered).toBeGreaterThan(sized(2_000) / 100);
});
