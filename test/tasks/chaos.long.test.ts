import { expect, it } from 'vitest';

import { chaosRounds } from './chaos/index.js';

it('EXT-NEW-3 200 faults in several processes on one PostgreSQL: nothing acknowledged is lost, nothing ends twice, no finished step runs again', async () => {
  const result = await chaosRounds({ rounds: 200, seed: 1 });
  console.info(JSON.stringify(result));
  expect(result.acknowledged).toBeGreaterThan(200);
  expect(result.completed).toBeGreaterThan(100);
  expect(result.handovers).toBeGreaterThan(50);
  expect(result.staleWritesRefused).toBeGreaterThan(50);
});
