import { afterEach, describe, it } from 'vitest';

import { durableStoreChecks, storeChecks } from '../../runtime/stores/testkit.js';
import type { TaskStore } from '../../runtime/tasks/index.js';
import { STORE_KINDS, type StorePlace } from '../support/stores.js';

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
    const store: TaskStore = place().open();
    cleanups.push(() => store.close());
    await run(store);
  });

  it.runIf(kind.durable).each(durableStoreChecks)('$name', async ({ run }) => {
    const { open } = place();
    await run(() => Promise.resolve(open()));
  });
});
