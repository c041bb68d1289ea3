import { openPostgresStore } from '../../runtime/stores/postgres/index.js';
import { runStoreProcess } from '../../runtime/testing/testkit/index.js';
import { setLater } from './fault.js';

await runStoreProcess(async (argument) => {
  const { url, faulty } = JSON.parse(argument) as { url: string; faulty?: true };
  const store = await openPostgresStore({ connectionString: url });
  return faulty ? { ...store, update: (next) => setLater(store, next) } : store;
});
