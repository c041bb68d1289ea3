import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createDbosExecutor, type DbosOptions } from '../../runtime/executors/dbos/index.js';
import { openPostgresStore } from '../../runtime/stores/postgres/index.js';
import {
  createTaskEngine,
  outcomeOf,
  type Caller,
  type JsonObject,
  type TaskEngine,
  type TaskRecord,
} from '../../runtime/tasks/index.js';
import type { PostgresDatabase } from '../support/postgres.js';
import { compiled } from '../support/program.js';
import { temporaryFolder } from '../support/stores.js';
import type { NodeOptions } from './dbos-node.js';

const NODE = compiled(new URL('./dbos-node.ts', import.meta.url));

/** Nodes on one database: this process creates tasks, as a web node, and child processes run them. */
export interface Cluster {
  readonly name: string;
  readonly engine: TaskEngine;
  /** Starts a worker. Resolves when it accepts tasks. */
  readonly worker: (node: string, options?: Partial<NodeOptions>) => Promise<ChildProcess>;
  readonly create: (tool: string, caller?: Caller) => Promise<TaskRecord>;
  /** What the task returned. Rejects with the record of a task that ends otherwise, or does not end. */
  readonly result: (task: TaskRecord) => Promise<JsonObject>;
  /** The name of the node that completed the task. */
  readonly completedOn: (task: TaskRecord) => Promise<unknown>;
  /** Lines of the log, as words, that begin with these words. */
  readonly lines: (...words: readonly string[]) => string[][];
  readonly open: (gate: string) => void;
  /** Kills the workers. */
  readonly remove: () => Promise<void>;
}

const MANY = 1e6;
/** Shorter than the time of a test, so that a test says which task did not end. */
const LONGEST_WAIT_MS = 60_000;

export const ANN: Caller = { owner: 'ann', dialect: 'core' };
export const BEN: Caller = { owner: 'ben', dialect: 'core' };

let clusters = 0;

/**
 * With a web node in this process. Clusters of different names share a database, and nothing else; a web node
 * that is given the name of a cluster belongs to it.
 */
export async function createCluster(
  database: PostgresDatabase,
  given: DbosOptions = {},
): Promise<Cluster> {
  clusters += 1;
  const { name = `cluster_${clusters}` } = given;
  const options = { ...given, name };
  const folder = temporaryFolder();
  const log = join(folder.path, 'log');
  const children = new Set<ChildProcess>();
  const connectionString = database.url;
  const store = await openPostgresStore({ connectionString, schema: name, pollMs: 300 });
  const engine = await createTaskEngine({
    store,
    executor: createDbosExecutor({ ...options, role: 'web', connectionString }),
    // Any node may find a lost task, and fails it when its own copy of the tool is not retryable.
    handlers: ({ tool }) => ({
      retryable: tool !== 'stepped',
      steps: tool === 'stepped',
      run: () => Promise.reject(new Error('A web node runs no tasks')),
    }),
    limits: { createsPerSecond: MANY, createBurst: MANY, readsPerSecond: MANY, readBurst: MANY },
  });

  function lines(...words: readonly string[]): string[][] {
    const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
    return text
      .split('\n')
      .map((line) => line.split(' '))
      .filter((line) => words.every((word, index) => line[index] === word));
  }

  async function ended(task: TaskRecord): Promise<TaskRecord> {
    const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
    try {
      return await engine.wait(task, task.id, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      const starts = JSON.stringify(lines('start', task.id));
      const stored = JSON.stringify(await store.get(task));
      throw new Error(`Not ended in ${LONGEST_WAIT_MS} ms: ${stored}, starts: ${starts}`, {
        cause: error,
      });
    }
  }

  async function result(task: TaskRecord): Promise<JsonObject> {
    const record = await ended(task);
    const outcome = outcomeOf(record);
    if (outcome !== undefined && 'result' in outcome) return outcome.result;
    throw new Error(`Not completed: ${JSON.stringify(record)}`);
  }

  return {
    name,
    engine,
    lines,
    async worker(node, own = {}) {
      const nodeOptions: NodeOptions = { ...options, connectionString, log, node, ...own };
      const child = spawn(
        process.execPath,
        [NODE, JSON.stringify({ ...nodeOptions, role: 'worker' })],
        { stdio: ['ignore', 'inherit', 'inherit'] },
      );
      children.add(child);
      await eventually(() => lines('ready', node).length > 0 || child.exitCode !== null);
      if (child.exitCode !== null) throw new Error(`Node ${node} ended with ${child.exitCode}`);
      return child;
    },
    create: (tool, caller = ANN) =>
      engine.create(caller, { method: 'tools/call', tool, args: {}, ttl: 600_000 }),
    result,
    completedOn: async (task) => (await result(task))['node'],
    open: (gate) => writeFileSync(`${log}.${gate}`, ''),
    async remove() {
      await Promise.all([...children].map(kill));
      await engine.close(0);
      await store.close();
      folder.remove();
    },
  };
}

/** Ends a process without giving it a chance to do anything. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}
