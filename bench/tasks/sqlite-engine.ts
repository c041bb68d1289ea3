import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { openSqliteStore } from '../../runtime/stores/index.js';
import {
  createTaskEngine,
  type Caller,
  type TaskEngine,
  type TaskEngineOptions,
  type TaskHandler,
  type TaskRecord,
  type TaskStore,
} from '../../runtime/tasks/index.js';
import { ms, percentile } from '../bench.js';
import { NO_LIMITS } from './no-limits.js';

export { NO_LIMITS };

export const ANN: Caller = { owner: 'ann', dialect: 'core' };
export const BEN: Caller = { owner: 'ben', dialect: 'core' };

export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An engine on a new SQLite file, as in a scaffolded server. */
export async function withEngine<T>(
  handler: TaskHandler['run'],
  work: (engine: TaskEngine, store: TaskStore) => Promise<T>,
  options: Partial<TaskEngineOptions> = {},
): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const store = openSqliteStore({ file: join(folder, 'tasks.db') });
    const engine = await createTaskEngine({
      store,
      executor: createInProcessExecutor({ concurrency: 1e6 }),
      handlers: () => ({ run: handler }),
      limits: NO_LIMITS,
      ...options,
    });
    try {
      return await work(engine, store);
    } finally {
      await engine.close(0);
      await store.close();
    }
  });
}

export function start(engine: TaskEngine, caller = ANN, ttl?: number): Promise<TaskRecord> {
  return engine.create(caller, { method: 'tools/call', tool: 'tool', args: { n: 1 }, ttl });
}

export const sleep = (delayMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, delayMs));

/** The time of this disk to flush 4 KiB, a lower bound of every durable figure. */
export function fsyncTime(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-fsync-'));
  const file = openSync(join(folder, 'probe'), 'w');
  const block = Buffer.alloc(4_096, 1);
  const samples = Array.from({ length: 200 }, () => {
    writeSync(file, block);
    const begin = performance.now();
    fdatasyncSync(file);
    return performance.now() - begin;
  });
  closeSync(file);
  rmSync(folder, { recursive: true });
  return `fsync ${ms(percentile(samples, 0.5))}, p99 ${ms(percentile(samples, 0.99))}`;
}
