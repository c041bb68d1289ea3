import { beforeAll, describe, expect, it } from 'vitest';
import { compareLocks } from '../../generator/lock/index.js';
import type { Lock } from '../../generator/lock/index.js';
import { randomFrom } from '../read/variants.js';
import { sized } from '../support/size.js';
import { lockOf, SERVERS } from './real-servers.js';
import { verdictsOnLocks } from './trial.js';

const locks: Lock[] = [];
beforeAll(async () => {
  for (const command of Object.values(SERVERS)) locks.push(await lockOf(command));
});

describe('the tools of real servers', () => {
  it('are the same when they are listed again', async () => {
    for (const [index, command] of Object.values(SERVERS).entries()) {
      expect(compareLocks(locks[index] as Lock, await lockOf(command))).toEqual([]);
    }
  });

  it('have 0 wrong verdicts on 5,000 mutants, whose verdicts are known by construction', () => {
    expect(locks.flatMap(({ tools }) => tools).length).toBeGreaterThan(25);
    const { tried, wrong } = verdictsOnLocks(locks, sized(5_000), randomFrom(3));
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThanOrEqual(sized(5_000));
  });
});
