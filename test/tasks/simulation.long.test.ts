import { expect, it } from 'vitest';

import { simulateMany } from './simulation.js';

const SERVICES = 6_000;

it('keeps every promise through 6,000 simulated services', async () => {
  const { crashes } = await simulateMany(SERVICES);
  expect(crashes).toBeGreaterThan(SERVICES);
});
