import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openPostgresStore } from '../../runtime/stores/postgres/index.js';
import {
  storeChecks,
  type DurableStore,
  type StoreUnderTest,
} from '../../runtime/testing/testkit/index.js';
import { startPostgres, type PostgresDatabase, type PostgresServer } from '../support/postgres.js';
import { describeStore } from './describe.js';
import { setLater } from './fault.js';
import { program } from './stores.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const open = ({ url }: PostgresDatabase) =>
  openPostgresStore({ connectionString: url, pollMs: 300 });

/** A database whose tables refuse to be written. */
async function failWrites(database: PostgresDatabase): Promise<() => Promise<void>> {
  const sql = (text: string) => database.sql(text);
  const [{ tables } = {}] = await sql(
    `SELECT string_agg(format('%I.%I', schemaname, tablename), ' ') AS tables FROM pg_tables
      WHERE schemaname = 'mcp_tasks'`,
  );
  const each = (statement: (table: string) => string) =>
    sql(String(tables).split(' ').map(statement).join('; '));
  await sql(`CREATE FUNCTION public.full() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full', MESSAGE = 'no space'; END $$`);
  await each(
    (table) => `CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE OR DELETE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION public.full()`,
  );
  return async () => void (await each((table) => `DROP TRIGGER full_disk ON ${table}`));
}

const durable: DurableStore<PostgresDatabase> = {
  leases: 'kept',
  crash: 'test/tasks/chaos kills servers of PostgreSQL that flush to disk.',
  process: ({ url }) => ({ module: program('postgres'), argument: JSON.stringify({ url }) }),
  failWrites,
  files: 'The files are those of PostgreSQL.',
};

const postgresUnderTest: StoreUnderTest<PostgresDatabase> = {
  create: () => server.newDatabase(),
  open,
  remove: (database) => database.remove(),
  administration: true,
  durable,
  shared: {
    async loseNotifications(database) {
      await database.sql('REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC');
    },
  },
};

describeStore('postgres', postgresUnderTest);

describe('the kit, with the PostgreSQL store', () => {
  it('finds out that it compares and sets in two steps, each in its own process', async () => {
    const faulty: StoreUnderTest<PostgresDatabase> = {
      ...postgresUnderTest,
      open: async (database) => {
        const store = await open(database);
        return { ...store, update: (next) => setLater(store, next) };
      },
      durable: {
        ...durable,
        process: ({ url }) => ({
          module: program('postgres'),
          argument: JSON.stringify({ url, faulty: true }),
        }),
      },
    };
    const name = 'lets one of two processes win that change the same tasks at the same time';
    const check = storeChecks(faulty).find((each) => each.name === name);
    const failure = await check?.run().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'AssertionError' });
  });
});
