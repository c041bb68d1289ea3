import { describe, it } from 'vitest';

import {
  storeChecks,
  type DurableStore,
  type StoreUnderTest,
} from '../../runtime/testing/testkit/index.js';

/** Which checks: those that start processes, those that do not, or all. */
export type Part = 'processes' | 'no processes' | 'all';

const ELSEWHERE = 'Another file of tests starts processes.';

/** Runs the kit on a store. What it skips is in the name of the test, with the reason. */
export function describeStore<Place>(
  name: string,
  store: StoreUnderTest<Place>,
  part: Part = 'all',
): void {
  const without = new Map(
    storeChecks(withoutProcesses(store)).map(({ name, skip }) => [name, skip === ELSEWHERE]),
  );
  const checks = storeChecks(store).filter(
    ({ name }) => part === 'all' || without.get(name) === (part === 'processes'),
  );
  describe(name, () => {
    for (const { name, skip, run } of checks) {
      it.skipIf(skip)(skip ? `${name}: ${skip}` : name, run);
    }
  });
}

function withoutProcesses<Place>(store: StoreUnderTest<Place>): StoreUnderTest<Place> {
  if (typeof store.durable === 'string') return store;
  const durable: DurableStore<Place> = { ...store.durable, process: ELSEWHERE };
  return { ...store, durable };
}
