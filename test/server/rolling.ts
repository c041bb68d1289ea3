import { expect } from 'vitest';
import * as z from 'zod';

import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { defineTool, type ServerTool } from '../../runtime/server/index.js';
import type { TaskStore } from '../../runtime/tasks/index.js';
import { ended, startCore } from './steps.js';
import { legacy, type Rig, rig, until } from './support.js';

const RUNS = { description: 'Runs.', taskSupport: 'optional', retryable: true } as const;

/** Keeps the only slot of the server that runs it, and ends with it. */
const blocks = defineTool({
  ...{ ...RUNS, retryable: false, name: 'blocks', input: z.object({}) },
  run: ({ task }) =>
    new Promise<string>((resolve) => task.signal.addEventListener('abort', () => resolve('ended'))),
});

/** A tool before and after a deploy that adds a required argument. */
const before = defineTool({
  ...{ ...RUNS, name: 'resize', input: z.object({ width: z.number() }) },
  run: ({ args }) => `old ${args.width}`,
});
export const after = defineTool({
  ...{ ...RUNS, name: 'resize', input: z.object({ width: z.number(), unit: z.enum(['px']) }) },
  run: ({ args }) => `new ${args.width} ${args.unit}`,
});

/** One of several servers on a store, with the tool of its version of the code. */
function node(store: TaskStore, ...tools: readonly ServerTool<'optional'>[]): Promise<Rig> {
  return rig({
    tools,
    store: { ...store, close: () => Promise.resolve() },
    executor: createInProcessExecutor({ concurrency: 1, leaseMs: 400 }),
  });
}

/**
 * A task that was created with the old code waits when its server stops. Servers with the new code meet it, and leave it
 * to the one with the old code that starts last.
 */
export async function checkRollingDeploy(store: TaskStore): Promise<void> {
  const first = await node(store, before, blocks);
  const created = await legacy(first);
  await startCore(created, 'blocks');
  const { taskId } = await startCore(created, 'resize', { width: 7 });
  await first.server.close(0);

  const updated = await node(store, after);
  await until(
    () => Promise.resolve(updated.problems),
    ({ length }) => length > 0,
  );
  expect(updated.problems.map(({ name, message }) => [name, message])).toEqual([
    [
      'Warning',
      'A task of resize is left to other servers: this version of the tool refuses its stored arguments at /unit',
    ],
  ]);
  const client = await legacy(updated);
  expect((await client.request('tasks/get', { taskId })).result).toMatchObject({
    status: 'working',
  });

  await node(store, before);
  expect(await ended(client, taskId)).toMatchObject({ status: 'completed' });
  expect((await client.request('tasks/result', { taskId })).result).toMatchObject({
    content: [{ text: 'old 7' }],
  });
}
