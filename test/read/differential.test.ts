import { expect, it } from 'vitest';
import { DRAFTS } from '../../json-schema/index.js';
import { compareWithAjv } from './differential.js';
import { sampled } from '../support/size.js';

const SEED = Number(process.env['SEED'] ?? 20261122);

it.each(sampled(DRAFTS, 2))('agrees with ajv on drawn schemas of %s', async (draft) => {
  expect(await compareWithAjv(draft, { schemas: 60, values: 100, seed: SEED })).toBeGreaterThan(
    3_000,
  );
});
