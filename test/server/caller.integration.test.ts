import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { createDbosExecutor } from '../../runtime/executors/dbos/index.js';
import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { openPostgresStore } from '../../runtime/stores/postgres/index.js';
import type { TaskExecutor } from '../../runtime/tasks/index.js';
import { startPostgres, type PostgresDatabase, type PostgresServer } from '../support/postgres.js';
import { ANN, serverOn, starting } from './caller.js';
import { modern, until } from './support.js';

let server: PostgresServer;
let database: PostgresDatabase;
beforeAll(async () => {
  server = await startPostgres();
  database = await server.newDatabase();
});
afterAll(async () => {
  await database?.remove();
  await server?.stop();
});

const EXECUTORS: Readonly<Record<string, () => TaskExecutor>> = {
  'in-process': createInProcessExecutor,
  DBOS: () => createDbosExecutor({ connectionString: database.url, leaseMs: 2_000, pollMs: 50 }),
};

it.each(Object.keys(EXECUTORS))(
  'the caller reaches a tool on the node that takes its task over (%s, PostgreSQL)',
  async (name) => {
    const executor = EXECUTORS[name] as () => TaskExecutor;
    const schema = name.toLowerCase().replace('-', '_');
    const open = () => openPostgresStore({ connectionString: database.url, schema, pollMs: 100 });
    let isStarted = false;
    const first = await serverOn(
      await open(),
      starting(true, () => (isStarted = true)),
      executor(),
    );
    const { result } = await modern(first, 'tools/call', { name: 'starting' });
    const taskId = String(result?.['taskId']);
    await until(
      () => Promise.resolve(isStarted),
      (yes) => yes,
    );
    await first.close();

    const second = await serverOn(await open(), starting(false), executor());
    onTestFinished(() => second.close());
    const ended = await until(
      () => modern(second, 'tasks/get', { taskId }),
      (answer) => answer.result?.['status'] === 'completed',
    );
    expect(ended.result?.['result']).toMatchObject({ content: [{ text: JSON.stringify(ANN) }] });
  },
);
