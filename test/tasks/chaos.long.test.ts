import { expect, it } from 'vitest';

import { chaosRounds } from './chaos/index.js';

it.each(['in-process'] as const)(
  'EXT-NEW-3 200 faults in several %s nodes on one PostgreSQL: nothing acknowledged is lost, nothing ends twice, no finished step runs again',
  async (executor) => {
    const result = await chaosRounds({ rounds: 200, seed: 1, executor });
    console.info(JSON.stringify(result));
    expect(result.acknowledged).toBeGreaterThan(200);
    expect(result.completed).toBeGreaterThan(100);
    expect(result.handovers).toBeGreaterThan(20);
    expect(result.staleWritesRefused).toBeGreaterThan(20);
  },
);
