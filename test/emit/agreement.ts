import { expect, it } from 'vitest';
import type { ZodType } from 'zod';
import type { Revision } from '../../generator/read/load/index.js';
import { createOracle, fuzz } from '../support/corpus/index.js';
import { revisionOf } from '../support/emitted.js';
import { sized } from '../support/size.js';

/** Of each revision. */
const COUNT = sized(125_000);
const FORMATS = { formats: true };

type Schemas = Readonly<Record<string, ZodType>>;
type Validators = Readonly<
  Record<string, (value: unknown, options?: object) => boolean | { readonly ok: boolean }>
>;

/**
 * Compares `is`, `validate` and Zod with ajv on random values. They are the same in every run,
 * so that a failure comes from a change; `FUZZ_SEED` selects others.
 */
export function agreesWithAjv(revision: Revision): void {
  const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
  it(`${revision}: is, validate and Zod agree with ajv`, async () => {
    console.log(`${revision}: FUZZ_SEED=${String(seed)}`);
    const zod = (await import(`../../generated/${revision}/zod.ts`)) as Schemas;
    const validators = (await import(`../../generated/${revision}/validators.ts`)) as Validators;
    const { document } = revisionOf(revision);
    const ajv = createOracle(document, FORMATS);
    const wrong: unknown[] = [];
    let accepted = 0;
    let count = 0;
    for (const made of fuzz(document, seed, COUNT)) {
      const { definition, value } = made;
      const expected = ajv.accepts(definition, value);
      const verdict = validators[`validate${definition}`]?.(value, FORMATS);
      const is = validators[`is${definition}`]?.(value, FORMATS);
      const validate = typeof verdict === 'object' && verdict.ok;
      const parsed = zod[`${definition}Schema`]?.safeParse(value).success;
      count += 1;
      if (expected) accepted += 1;
      const same = is === expected && parsed === expected && validate === expected;
      if (!same && wrong.length < 10) wrong.push({ ...made, expected, is, validate, parsed });
    }
    expect(wrong).toEqual([]);
    expect(count).toBe(COUNT);
    expect(accepted / count).toBeGreaterThan(0.3);
    expect(accepted / count).toBeLessThan(0.8);
  });
}
