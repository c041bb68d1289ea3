import { describe, expect, it } from 'vitest';

import {
  storeChecks,
  type DurableStore,
  type StoreUnderTest,
} from '../../runtime/testing/testkit/index.js';
import { availableDriver } from '../../runtime/stores/sqlite/driver.js';
import type { TaskStore } from '../../runtime/tasks/index.js';
import { FAULTS, LEASE_FAULTS, SHARING_FAULTS, type Fault } from './faults.js';
import {
  logStoreUnderTest,
  program,
  sharedMemoryUnderTest,
  sqliteUnderTest,
  type DiskPlace,
} from './stores.js';

interface Durable extends StoreUnderTest<DiskPlace> {
  readonly durable: DurableStore<DiskPlace>;
}

/** The store with a fault, in this process and in those that the kit starts. */
function faulty(store: Durable, of: string, fault: string, { seed }: Fault): Durable {
  return {
    ...store,
    open: (place) => seed(async () => store.open(place))(place.folder),
    durable: {
      ...store.durable,
      process: ({ folder }) => ({
        module: program('faulty'),
        argument: JSON.stringify({ folder, fault, of }),
      }),
    },
  };
}

/** The check fails. Without the fault it passes: stores.integration.test.ts runs all of them. */
async function expectFailure<Place>(
  store: StoreUnderTest<Place>,
  { check: name }: Fault,
): Promise<void> {
  const check = storeChecks(store).find((each) => each.name === name);
  if (!check) throw new Error(`There is no check "${name}"`);
  expect(check.skip).toBe(false);
  const failure = await check.run().catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'AssertionError' });
}

const STORES = [
  { of: 'log', store: logStoreUnderTest, faults: { ...FAULTS, ...LEASE_FAULTS } },
  { of: 'sqlite', store: sqliteUnderTest('default', availableDriver()), faults: FAULTS },
];

describe.each(STORES)('the kit, with the $of store that', ({ of, store, faults }) => {
  it.each(Object.entries(faults))('%s', async (name, fault) => {
    await expectFailure(faulty(store, of, name, fault), fault);
  });
});

describe('the kit, with the shared store that', () => {
  it.each(Object.entries(SHARING_FAULTS))('%s', async (_, fault) => {
    const { create, open } = sharedMemoryUnderTest;
    // Every store of the place has the fault of its own.
    const seeded = (store: TaskStore) => fault.seed(async () => open(store))('');
    await expectFailure(
      { ...sharedMemoryUnderTest, create, open: seeded, shared: { reportsWithinMs: 2_000 } },
      fault,
    );
  });
});
