import { expect, it } from 'vitest';

import { simulateMany } from './simulation.js';

const SERVICES = 8_000;

it('keeps every promise through 8,000 simulated services', async () => {
  const { crashes } = await simulateMany(SERVICES);
  expect(crashes).toBeGreaterThan(SERVICES);
});
