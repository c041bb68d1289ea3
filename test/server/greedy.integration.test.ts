import { it, onTestFinished } from 'vitest';

import { openPostgresStore } from '../../runtime/stores/postgres/index.js';
import { startPostgres } from '../support/postgres.js';
import { greedySubject } from './greedy.js';

it('a subject with ten client ids shuts no other subject out: two nodes on PostgreSQL', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const { url } = await postgres.newDatabase();
  const open = () => openPostgresStore({ connectionString: url });
  const stores = [await open(), await open()];
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))));
  await greedySubject(stores);
});
