import { expect, it } from 'vitest';

import { sized } from '../support/size.js';
import { simulateMany } from './simulation.js';

const ROUNDS = Math.max(75, sized(300));

it('keeps every promise through crashes, stalls, full disks and lost acknowledgements', async () => {
  const { crashes, shortages, recoveries } = await simulateMany(ROUNDS);
  expect(crashes).toBeGreaterThan(ROUNDS);
  expect(shortages).toBeGreaterThan(ROUNDS);
  expect(recoveries).toBeGreaterThan(ROUNDS / 3);
}, 60_000);
