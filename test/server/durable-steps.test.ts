import { expect, it } from 'vitest';
import * as z from 'zod';

import { defineTool } from '../../runtime/server/index.js';
import { legacy, modern, rig, until } from './support.js';

const counted = defineTool({
  name: 'counted',
  description: 'Two steps and a pause.',
  input: z.object({}),
  taskSupport: 'optional',
  async run({ task }) {
    const one = await task.step('one', ({ idempotencyKey }) => idempotencyKey.split('/').at(-1));
    await task.sleep(1);
    const two = await task.step(() => 2);
    return `${one} ${two}`;
  },
});
const CALL = { name: 'counted', arguments: {} };
const RESULT = { content: [{ type: 'text', text: 'one 2' }] };

it('a tool with steps gives the same result in a plain call and as a task of the core dialect', async () => {
  const client = await legacy(await rig({ tools: [counted] }));
  expect((await client.request('tools/call', CALL)).result).toMatchObject(RESULT);
  const created = await client.request('tools/call', { ...CALL, task: {} });
  const { taskId } = created.result?.['task'] as { taskId: string };
  expect((await client.request('tasks/result', { taskId })).result).toMatchObject(RESULT);
});

it('a tool with steps gives its result as a task of the extension', async () => {
  const service = await rig({ tools: [counted] });
  const { result } = await modern(service, 'tools/call', CALL);
  const ended = await until(
    () => modern(service, 'tasks/get', { taskId: String(result?.['taskId']) }),
    (answer) => answer.result?.['status'] === 'completed',
  );
  expect(ended.result?.['result']).toMatchObject(RESULT);
});
