import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareLocks } from '../../contracts/lock/index.js';
import type { Lock } from '../../contracts/lock/index.js';
import { randomFrom } from '../read/variants.js';
import { sized } from '../support/size.js';
import { lockOf, SERVERS, startConformance } from './real-servers.js';
import { verdictsOnLocks } from './trial.js';

const locks: Lock[] = [];
const servers: (string | readonly string[])[] = Object.values(SERVERS);
let conformance: Awaited<ReturnType<typeof startConformance>>;
beforeAll(async () => {
  conformance = await startConformance();
  servers.push(conformance.url);
  for (const server of servers) locks.push(await lockOf(server));
});
afterAll(() => conformance.stop());

describe('the tools of real servers', () => {
  it('are the same when they are listed again', async () => {
    for (const [index, server] of servers.entries()) {
      expect(compareLocks(locks[index] as Lock, await lockOf(server))).toEqual([]);
    }
  });

  it('have 0 wrong verdicts on 5,000 mutants, whose verdicts are known by construction', () => {
    expect(locks.flatMap(({ tools }) => tools).length).toBeGreaterThan(25);
    const { tried, wrong } = verdictsOnLocks(locks, sized(5_000), randomFrom(3));
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThanOrEqual(sized(5_000));
  });
});
