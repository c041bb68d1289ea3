import { expect, it } from 'vitest';

import { simulateMany } from './simulation.js';

it('keeps every promise through 12,000 simulated services', async () => {
  const { crashes } = await simulateMany(12_000);
  expect(crashes).toBeGreaterThan(12_000);
});
