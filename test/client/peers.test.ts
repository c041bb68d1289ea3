import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import type { TaskClientOptions } from '../../runtime/client/index.js';
import { connect, type Connected } from './harness.js';

type Work = (elicit: () => Promise<unknown>) => Promise<CallToolResult>;

/** A server of SDK v1 with its own tasks: volatile, polled, and bound to the session. */
async function v1(work: Work, options: Partial<TaskClientOptions> = {}): Promise<Connected> {
  const store = new InMemoryTaskStore();
  const server = new McpServer(
    { name: 'peer', version: '1' },
    {
      taskStore: store,
      taskMessageQueue: new InMemoryTaskMessageQueue(),
      capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    },
  );
  server.experimental.tasks.registerToolTask(
    'work',
    { description: 'Works', execution: { taskSupport: 'optional' } },
    {
      async createTask({ taskStore, sendRequest }) {
        const task = await taskStore.createTask({ ttl: 60_000, pollInterval: 20 });
        const { taskId } = task;
        const elicit = async (): Promise<unknown> => {
          await taskStore.updateTaskStatus(taskId, 'input_required');
          const answer = await sendRequest(
            {
              method: 'elicitation/create',
              params: {
                message: 'Who?',
                requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
              },
            },
            z.looseObject({ action: z.string() }),
          );
          await taskStore.updateTaskStatus(taskId, 'working');
          return answer;
        };
        work(elicit).then(
          (result) =>
            taskStore.storeTaskResult(
              taskId,
              result.isError === true ? 'failed' : 'completed',
              result,
            ),
          () => undefined,
        );
        return { task };
      },
      getTask: ({ taskId, taskStore }) => taskStore.getTask(taskId),
      async getTaskResult({ taskId, taskStore }) {
        return CallToolResultSchema.parse(await taskStore.getTaskResult(taskId));
      },
    },
  );
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  onTestFinished(() => store.cleanup());
  return connect(mine, 'core', options);
}

const done: CallToolResult = { content: [{ type: 'text', text: 'done' }] };

describe('with a task server of SDK v1', () => {
  it('the client gets the result of a task', async () => {
    const { tasks } = await v1(() => new Promise((resolve) => setTimeout(() => resolve(done), 30)));
    const handle = await tasks.start('work');
    expect(handle.reference).toBeDefined();
    expect(await handle.result()).toMatchObject(done);
    expect(handle.status).toBe('completed');
  });

  it('the client rejects with tool_error for a failed tool', async () => {
    const { tasks } = await v1(() => Promise.resolve({ ...done, isError: true }));
    await expect(tasks.call('work')).rejects.toMatchObject({ reason: 'tool_error' });
  });

  it('handle.cancel() cancels the task', async () => {
    const { tasks } = await v1(() => new Promise(() => undefined));
    const handle = await tasks.start('work');
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ reason: 'cancelled' });
  });

  it('CORE-INP-3: the client answers an input request on the stream of tasks/result', async () => {
    const { tasks } = await v1(
      async (elicit) => ({ content: [{ type: 'text', text: JSON.stringify(await elicit()) }] }),
      { answer: { form: () => ({ action: 'accept', content: { name: 'Ann' } }) } },
    );
    const result = await tasks.call('work');
    expect(result.content).toMatchObject([{ text: expect.stringContaining('Ann') as string }]);
  });

  it('resume rejects with expired for a task that another server created', async () => {
    const { tasks } = await v1(() => new Promise(() => undefined));
    const { reference = '' } = await tasks.start('work');
    const other = await v1(() => Promise.resolve(done));
    await expect(other.tasks.resume(reference)).rejects.toMatchObject({ reason: 'expired' });
  });
});
