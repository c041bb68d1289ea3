import { expect, it } from 'vitest';
import { compareWithAjv } from './differential.js';

const SEED = Number(process.env['SEED'] ?? Date.now() % 1e9);

it.each(['2020-12', 'draft-07'] as const)(
  'agrees with ajv on many drawn schemas of %s',
  async (draft) => {
    console.log(`${draft}: SEED=${SEED}`);
    expect(await compareWithAjv(draft, 1_000, SEED)).toBeGreaterThan(15_000);
  },
);
