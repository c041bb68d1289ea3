import { openSqliteStore } from '../../runtime/stores/index.js';
import { runStoreProcess } from '../../runtime/testing/testkit/index.js';
import { FAULTS, LEASE_FAULTS } from './faults.js';
import { openLogStore } from './log-store.js';

/** The stores that faults are seeded into, by name. */
const STORES = {
  log: (folder: string) => openLogStore(folder),
  sqlite: (folder: string) => Promise.resolve(openSqliteStore({ file: `${folder}/tasks.db` })),
};

await runStoreProcess((argument) => {
  const { folder, fault, of } = JSON.parse(argument) as {
    folder: string;
    fault: string;
    of: keyof typeof STORES;
  };
  const found = { ...FAULTS, ...LEASE_FAULTS }[fault];
  if (!found) throw new Error(`Unknown fault ${fault}`);
  return found.seed(STORES[of])(folder);
});
