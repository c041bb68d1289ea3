import { expect, it } from 'vitest';

import { chaosRounds } from './chaos/index.js';
import { sized } from '../support/size.js';

const ROUNDS = sized(60);

it.each(['in-process'] as const)(
  'EXT-NEW-3 faults in several %s nodes on one PostgreSQL: nothing acknowledged is lost, nothing ends twice, no finished step runs again',
  async (executor) => {
    const result = await chaosRounds({ rounds: ROUNDS, seed: 1, executor });
    console.info(JSON.stringify(result));
    expect(result.acknowledged).toBeGreaterThan(ROUNDS);
    expect(result.completed).toBeGreaterThan(ROUNDS / 2);
    expect(result.handovers).toBeGreaterThan(ROUNDS / 10);
    expect(result.staleWritesRefused).toBeGreaterThan(ROUNDS / 10);
  },
);
