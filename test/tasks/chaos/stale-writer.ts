import assert from 'node:assert/strict';

import { openPostgresStore } from '../../../runtime/stores/postgres/index.js';
import { isTerminal } from '../../../runtime/tasks/index.js';
import type { PostgresDatabase } from '../../support/postgres.js';
import type { Random } from '../random.js';

/** Writes what it read before the task changed, as a process does that was paused in between. */
export interface StaleWriter {
  /** Resolves with how many writes it tried, of which all were refused. */
  stop(): Promise<number>;
}

const LONGEST_PAUSE_MS = 300;

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
  const accepted: string[] = [];
  let refused = 0;

  async function write(id: string): Promise<void> {
    owner ??= await ownerOfAll(database);
    const found = await store.get({ owner, dialect: 'ext', id });
    if (found === undefined || isTerminal(found.status)) return;
    await sleep(random.integer(LONGEST_PAUSE_MS));
    const now = await store.get(found);
    if (now === undefined || now.version === found.version) return;
    const late = { ...found, version: found.version + 1, statusMessage: 'written late' };
    if (await store.update(late)) accepted.push(id);
    else refused += 1;
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
      assert.deepEqual(accepted, [], 'a task had changed since it was read, and was written');
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
