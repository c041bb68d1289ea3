import { once } from 'node:events';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { DbosOptions } from '../../runtime/executors/dbos/index.js';
import { startPostgres, type PostgresServer } from '../support/postgres.js';
import { ANN, createCluster, eventually, kill, type Cluster } from './cluster.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function cluster(options?: DbosOptions): Promise<Cluster> {
  const made = await createCluster(server, options);
  cleanups.push(() => made.remove());
  return made;
}

/** Longer than any test: a task that is taken over was not waited for. */
const NEVER_MS = 600_000;

describe('a cluster', () => {
  it('keeps tasks while there is no worker, and runs each once when one starts', async () => {
    const { create, worker, completedOn, lines } = await cluster();
    const tasks = await Promise.all(Array.from({ length: 20 }, () => create('quick')));
    await worker('w1');
    for (const task of tasks) expect(await completedOn(task)).toBe('w1');
    expect(lines('start')).toHaveLength(20);
    expect(lines('fault')).toEqual([]);
  });

  it('goes on after a kill -9 where the task was: finished steps run once', async () => {
    const { create, worker, completedOn, lines, open, database } = await cluster({
      leaseMs: 1_000,
    });
    const first = await worker('w1');
    const task = await create('steps');
    await eventually(() => lines('step', task.id, 'three').length === 1);
    await worker('w2');
    await kill(first);
    open('three');
    expect(await completedOn(task)).toBe('w2');
    const steps = lines('step', task.id).map(([, , name, node]) => `${name} on ${node}`);
    expect(steps).toEqual(['one on w1', 'two on w1', 'three on w1', 'three on w2']);
    const shown = await database.sql(
      'SELECT function_name FROM dbos.operation_outputs WHERE workflow_uuid = $1 ORDER BY function_id',
      [task.id],
    );
    expect(shown.map(({ function_name }) => function_name)).toEqual([
      'one',
      'two',
      expect.stringMatching(/^three \(fence \d+\)$/),
    ]);
  });

  it('hands its tasks over at once when it closes, and then ends by itself', async () => {
    const { create, worker, completedOn, lines, open } = await cluster({ leaseMs: NEVER_MS });
    const first = await worker('w1');
    const task = await create('held');
    await eventually(() => lines('start', task.id).length === 1);
    await worker('w2');
    const exited = once(first, 'exit');
    first.kill('SIGTERM');
    await eventually(() => lines('start', task.id).length === 2);
    open('held');
    expect(await completedOn(task)).toBe('w2');
    await exited;
    expect(lines('fault')).toEqual([]);
  });

  it('aborts a handler whose task is cancelled on another node', async () => {
    const { create, worker, engine, lines, database } = await cluster();
    await worker('w1');
    const task = await create('held');
    await eventually(() => lines('start', task.id).length === 1);
    await engine.cancel(ANN, task.id);
    await eventually(() => lines('abort', task.id).length === 1);
    await eventually(async () => (await stateOf(database, task.id)) === 'SUCCESS');
  });
});

async function stateOf(database: Cluster['database'], id: string): Promise<unknown> {
  const [row] = await database.sql(
    'SELECT status FROM dbos.workflow_status WHERE workflow_uuid = $1',
    [id],
  );
  return row?.['status'];
}
