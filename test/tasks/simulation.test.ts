import { expect, it } from 'vitest';

import { simulateMany } from './simulation.js';

it('keeps every promise through crashes, stalls, full disks and lost acknowledgements', async () => {
  const { crashes, shortages, recoveries } = await simulateMany(300);
  expect(crashes).toBeGreaterThan(300);
  expect(shortages).toBeGreaterThan(300);
  expect(recoveries).toBeGreaterThan(100);
}, 60_000);
