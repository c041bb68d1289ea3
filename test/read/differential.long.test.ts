import { expect, it } from 'vitest';
import { DRAFTS } from '../../json-schema/index.js';
import { compareRoomWithAjv, compareWithAjv } from './differential.js';
import { sized } from '../support/size.js';

/** The same schemas in every run, so that a failure comes from a change; `SEED` selects others. */
const SEED = Number(process.env['SEED'] ?? 20_261_122);

const EFFORT = { schemas: sized(250), values: 400, seed: SEED };

it.each(DRAFTS)('agrees with ajv on many drawn schemas of %s', async (draft) => {
  const verdicts = await compareWithAjv(draft, EFFORT);
  console.log(`${draft}: ${verdicts} verdicts, SEED=${SEED}`);
  expect(verdicts).toBeGreaterThan(350 * EFFORT.schemas);
});

it.each(DRAFTS)('the room has the verdicts of ajv on many drawn schemas of %s', (draft) => {
  const { accepted, refused } = compareRoomWithAjv(draft, {
    ...EFFORT,
    schemas: sized(10_000),
    values: 10,
  });
  expect(Math.min(accepted, refused)).toBeGreaterThan(sized(10_000));
});
