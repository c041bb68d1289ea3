import { expect, it } from 'vitest';
import { compareWithAjv } from './differential.js';

const SEED = Number(process.env['SEED'] ?? 20261122);

it.each(['2020-12', 'draft-07'] as const)(
  'agrees with ajv on drawn schemas of %s',
  async (draft) => {
    expect(await compareWithAjv(draft, { schemas: 100, values: 100, seed: SEED })).toBeGreaterThan(
      5_000,
    );
  },
);
