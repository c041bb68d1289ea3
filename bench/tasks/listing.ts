import { join } from 'node:path';

import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';

import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { openSqliteStore } from '../../runtime/stores/index.js';
import { NO_CAPS } from '../../runtime/testing/testkit/index.js';
import { createTaskEngine, type TaskRecord, type TaskStore } from '../../runtime/tasks/index.js';
import { newTaskId } from '../../runtime/tasks/ids.js';
import { ms, percentile, timed, type Bench } from '../bench.js';
import { ANN, inTemporaryFolder, NO_LIMITS } from './sqlite-engine.js';

export const TASKS = 1_000_000;
/** The tasks of the owner whose list is read. The others belong to a thousand other owners. */
const MINE = 500_000;
const PAGES = 500;

/** A page of `tasks/list` among a million tasks. */
export const listing: Bench = {
  name: 'tasks/listing',
  run: () =>
    inTemporaryFolder(async (folder) => {
      const store = openSqliteStore({ file: join(folder, 'tasks.db') });
      const ids = await fill(store);
      const engine = await createTaskEngine({
        store,
        executor: createInProcessExecutor(),
        handlers: () => undefined,
        limits: NO_LIMITS,
      });
      const pages: number[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < PAGES; page += 1) {
        const start = performance.now();
        const { tasks, nextCursor } = await engine.list(ANN, cursor);
        pages.push(performance.now() - start);
        if (tasks.length !== 50) throw new Error(`A page of ${tasks.length}`);
        cursor = nextCursor;
      }
      const anywhere: number[] = [];
      for (let page = 0; page < PAGES; page += 1) {
        const before = ids[Math.floor(Math.random() * ids.length)] ?? '';
        anywhere.push(await timed(() => store.list(ANN, { before, limit: 51, now: Date.now() })));
      }
      await engine.close(0);
      await store.close();

      const walk = percentile(pages, 0.95);
      const jump = percentile(anywhere, 0.95);
      return [
        {
          row: `a 50-task page among ${TASKS.toLocaleString('en')} tasks, p95`,
          goal: '≤ 1 ms, owner-scoped',
          ours: `${ms(walk)} in sequence (p50 ${ms(percentile(pages, 0.5))}), ${ms(jump)} anywhere (p50 ${ms(percentile(anywhere, 0.5))})`,
          peer: await peerPage(),
          met: Math.max(walk, jump) <= 1,
        },
      ];
    }),
};

/** Inserts {@link TASKS} tasks, and returns the ids of one owner's half. */
export async function fill(store: TaskStore): Promise<string[]> {
  const begin = Date.now() - TASKS;
  const mine: string[] = [];
  const batch = 5_000;
  for (let first = 0; first < TASKS; first += batch) {
    await Promise.all(
      Array.from({ length: batch }, (_, offset) => {
        const n = first + offset;
        const record = sample(
          begin + n,
          n % (TASKS / MINE) === 0 ? ANN.owner : `owner-${n % 1_000}`,
        );
        if (record.owner === ANN.owner) mine.push(record.id);
        return store.insert(record, NO_CAPS);
      }),
    );
  }
  return mine;
}

function sample(createdAt: number, owner: string): TaskRecord {
  return {
    owner,
    dialect: 'core',
    id: newTaskId(createdAt),
    method: 'tools/call',
    tool: 'tool',
    status: 'working',
    createdAt,
    updatedAt: createdAt,
    ttl: 86_400_000,
    pollInterval: 1_000,
    version: 1,
    worker: '',
    fence: 1,
    attempt: 1,
    args: '{"n":1}',
    input: [],
    steps: [],
  };
}

/** The peer has ten tasks a page, keeps all of them in memory, and has no owners. */
async function peerPage(): Promise<string> {
  const store = new InMemoryTaskStore();
  const request = { method: 'tools/call', params: {} };
  for (let n = 0; n < TASKS; n += 1) await store.createTask({}, n, request);
  const pages: number[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 10; page += 1) {
    const start = performance.now();
    const { nextCursor } = await store.listTasks(cursor);
    pages.push(performance.now() - start);
    cursor = nextCursor;
  }
  store.cleanup();
  return `SDK v1's store alone: ${ms(percentile(pages, 0.5))} for 10`;
}
