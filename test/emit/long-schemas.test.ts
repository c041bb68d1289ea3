import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { emitted } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { sampled } from '../support/size.js';
import { LONG_SCHEMAS } from './long-schemas.js';

/** On both sides of the places where a check is divided, and beyond what a compiler takes as one expression. */
const COUNTS = sampled([200, 1_000, 201], 1);

describe.each(Object.entries(LONG_SCHEMAS))('the check of %s', (_, { schema, values }) => {
  it.each(COUNTS)('with %i members agrees with ajv', async (count) => {
    const Long = schema(count);
    const { is, validate } = await emitted(protocolOf({ Long }));
    const ajv = new Ajv2020({ strict: false, inlineRefs: false }).compile(Long);
    const verdicts = new Set<boolean>();
    for (const at of [1, 199, count - 1]) {
      for (const value of values(count, at)) {
        const expected = ajv(value);
        expect(is('Long', value)).toBe(expected);
        expect(validate('Long', value).ok).toBe(expected);
        verdicts.add(expected);
      }
    }
    expect(verdicts.size).toBe(2);
  });
});
