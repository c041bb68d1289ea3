import { afterEach, describe, it } from 'vitest';

import {
  durableStoreChecks,
  sharedStoreChecks,
  storeChecks,
} from '../../runtime/stores/testkit.js';
import type { TaskStore } from '../../runtime/tasks/index.js';
import { STORE_KINDS, type StorePlace } from '../support/stores.js';
import { sharedStore } from '../tasks/support.js';

describe.each(STORE_KINDS)('$name', (kind) => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  function place(): StorePlace {
    const made = kind.place();
    cleanups.push(() => made.remove());
    return made;
  }

  it.each(storeChecks)('$name', async ({ run }) => {
    const store: TaskStore = await place().open();
    cleanups.push(() => store.close());
    await run(store);
  });

  it.runIf(kind.durable).each(durableStoreChecks)('$name', async ({ run }) => {
    const { open } = place();
    await run(async () => open());
  });
});

describe('a store that engines share', () => {
  it.each(sharedStoreChecks)('$name', async ({ run }) => {
    const store = sharedStore();
    await run({ open: () => Promise.resolve(store) });
  });
});
