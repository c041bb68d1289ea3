import type { Transport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { connect } from './app.js';

const CoreTask = z.object({ taskId: z.string(), status: z.string() });

it('a call becomes a task of revision 2025-11-25', async () => {
  const { client } = await connect({ mode: 'legacy' });
  const { task } = await client.request(
    {
      method: 'tools/call',
      params: { name: 'count-primes', arguments: { limit: 1_000_000 }, task: { ttl: 60_000 } },
    },
    z.object({ task: CoreTask }),
  );
  expect(task.status).toBe('working');
  const { taskId } = task;
  const result = await client.request(
    { method: 'tasks/result', params: { taskId } },
    z.looseObject({ structuredContent: z.unknown() }),
  );
  expect(result.structuredContent).toEqual({ primes: 78_498 });
  const { status } = await client.request({ method: 'tasks/get', params: { taskId } }, CoreTask);
  expect(status).toBe('completed');
});

it('a task of revision 2025-11-25 asks the user', async () => {
  const { client } = await connect({ mode: 'legacy' });
  const { task } = await client.request(
    {
      method: 'tools/call',
      params: { name: 'book-room', arguments: { date: '2030-01-31' }, task: {} },
    },
    z.object({ task: CoreTask }),
  );
  const result = await client.request(
    { method: 'tasks/result', params: { taskId: task.taskId } },
    z.looseObject({ content: z.array(z.looseObject({ text: z.string() })) }),
  );
  expect(result.content[0]?.text).toBe('Tower is booked on 2030-01-31.');
});

it('a task lives no longer than it may', async () => {
  const { client } = await connect({ mode: 'legacy' });
  const { task } = await client.request(
    {
      method: 'tools/call',
      params: { name: 'count-primes', arguments: { limit: 10 }, task: { ttl: 86_400_000 } },
    },
    z.object({ task: z.looseObject({ ttl: z.number() }) }),
  );
  // SEC-3: without authorization any client that learns the id of a task may read it, so it lives for minutes.
  expect(task.ttl).toBe(86_400_000);
});

const EXTENSION = 'io.modelcontextprotocol/tasks';

const capabilities = {
  elicitation: {},
  extensions: { [EXTENSION]: {} },
};

const ExtTask = z.looseObject({
  taskId: z.string(),
  status: z.string(),
  inputRequests: z.record(z.string(), z.unknown()).optional(),
});

it('a call becomes a task of the extension', async () => {
  const { client, transport } = await connect({ mode: 'auto', capabilities });
  const call = callsBeside(transport);
  const created = ExtTask.parse(await call('count-primes', { limit: 1_000_000 }));
  expect(created).toMatchObject({ resultType: 'task', status: 'working' });
  const { taskId } = created;
  const get = () => client.request({ method: 'tasks/get', params: { taskId } }, ExtTask);
  let task = await get();
  while (task.status === 'working') {
    await new Promise((resolve) => setTimeout(resolve, 20));
    task = await get();
  }
  expect(task).toMatchObject({
    status: 'completed',
    result: { structuredContent: { primes: 78_498 } },
  });
});

it('a task of the extension asks the user', async () => {
  const { client, transport } = await connect({ mode: 'auto', capabilities });
  const call = callsBeside(transport);
  const { taskId } = ExtTask.parse(await call('book-room', { date: '2030-01-31' }));
  const get = () => client.request({ method: 'tasks/get', params: { taskId } }, ExtTask);
  let task = await get();
  while (['working', 'input_required'].includes(task.status)) {
    const asked = Object.keys(task.inputRequests ?? {});
    const answer = { action: 'accept', content: { room: 'Library' } };
    const inputResponses = Object.fromEntries(asked.map((key) => [key, answer]));
    if (asked.length > 0) {
      await client.request(
        { method: 'tasks/update', params: { taskId, inputResponses } },
        z.looseObject({}),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    task = await get();
  }
  expect(task).toMatchObject({
    status: 'completed',
    result: { content: [{ text: 'Library is booked on 2030-01-31.' }] },
  });
});

/**
 * Calls tools beside the SDK's client, which takes no task for an answer: what is sent over its
 * transport here comes back here.
 */
function callsBeside(transport: Transport): (name: string, args: object) => Promise<unknown> {
  const waiting = new Map<unknown, (result: unknown) => void>();
  const passOn = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const settle = 'result' in message ? waiting.get(message.id) : undefined;
    if (settle && 'result' in message) settle(message.result);
    else passOn?.(message, extra);
  };
  return async (name, args) => {
    const id = `beside-${waiting.size}`;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    const params = { name, arguments: args, _meta };
    await transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params });
    return answer;
  };
}
