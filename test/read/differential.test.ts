import { expect, it } from 'vitest';
import { DRAFTS } from '../../json-schema/index.js';
import { compareRoomWithAjv, compareWithAjv } from './differential.js';
import { sampled, sized } from '../support/size.js';

const SEED = Number(process.env['SEED'] ?? 20261122);

it.each(sampled(DRAFTS, 2))('agrees with ajv on drawn schemas of %s', async (draft) => {
  expect(await compareWithAjv(draft, { schemas: 60, values: 100, seed: SEED })).toBeGreaterThan(
    3_000,
  );
});

it.each(DRAFTS)('the room has the verdicts of ajv on drawn schemas of %s', (draft) => {
  const effort = { schemas: sized(3_000), values: 10, seed: SEED };
  const { accepted, refused } = compareRoomWithAjv(draft, effort);
  expect(Math.min(accepted, refused)).toBeGreaterThan(effort.schemas);
});
