import { openPostgresStore } from '../../../runtime/stores/postgres/index.js';
import { isTerminal } from '../../../runtime/tasks/index.js';
import type { PostgresDatabase } from '../../support/postgres.js';
import type { Random } from '../random.js';

/** Writes what it read a moment ago, as a process does that was paused in between. */
export interface StaleWriter {
  /** Resolves with how many of its writes were refused. */
  stop(): Promise<number>;
}

const LONGEST_PAUSE_MS = 300;

/** The history shows it if a write is accepted although the task has changed since it was read. */
export async function startStaleWriter(
  database: PostgresDatabase,
  random: Random,
  live: () => readonly string[],
): Promise<StaleWriter> {
  const connectionString = database.url;
  const store = await openPostgresStore({
    connectionString,
    poolSize: 2,
    statementTimeoutMs: 2_000,
  });
  let owner: string | undefined;
  let stopped = false;
  let refused = 0;

  async function write(id: string): Promise<void> {
    owner ??= await ownerOfAll(database);
    const found = await store.get({ owner, dialect: 'ext', id });
    if (found === undefined || isTerminal(found.status)) return;
    await sleep(random.integer(LONGEST_PAUSE_MS));
    const written = await store.update({
      ...found,
      version: found.version + 1,
      statusMessage: 'written late',
    });
    if (!written) refused += 1;
  }

  async function go(): Promise<void> {
    while (!stopped) {
      await sleep(20);
      const ids = live();
      // The server may be away.
      if (ids.length > 0) await write(random.pick(ids)).catch(() => undefined);
    }
  }

  const going = go();
  return {
    async stop() {
      stopped = true;
      await going;
      await store.close();
      return refused;
    },
  };
}

/** All clients of the test are one owner. */
async function ownerOfAll(database: PostgresDatabase): Promise<string> {
  const [row] = await database.sql('SELECT owner FROM mcp_tasks.tasks LIMIT 1');
  return String(row?.['owner']);
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
