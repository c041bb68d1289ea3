import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { emitted } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { sized } from '../support/size.js';
import { LONG_SCHEMAS } from './long-schemas.js';

/** On both sides of the places where a check is divided, and with `TEST_SIZE=1` beyond what a compiler takes as one expression. */
const COUNTS = [200, 201, sized(1_000) < 1_000 ? 300 : 1_000];

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
