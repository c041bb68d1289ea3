import { expect, it } from 'vitest';

import { simulateMany } from './simulation.js';
import { sized } from '../support/size.js';

const SERVICES = sized(3_000);

it('keeps every promise through many simulated services', async () => {
  const { crashes } = await simulateMany(SERVICES);
  expect(crashes).toBeGreaterThan(SERVICES);
});
