import { describe, expect, it, onTestFinished } from 'vitest';
import { createTaskClient } from '../../runtime/client/index.js';
import { INFO } from '../server/clients.js';
import { connected, HELLO, type Line, playing, textOf, written } from './written.js';

describe('a question', () => {
  const asking = (id: number, action: string, text: string): Line[] => [
    ['>', { id, method: 'tools/call', params: { name: 'echo', arguments: {} } }],
    [
      '<',
      {
        id: id + 100,
        method: 'elicitation/create',
        params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
      },
    ],
    ['>', { id: id + 100, result: action === 'accept' ? { action, content: {} } : { action } }],
    ['<', { id, result: { content: [{ type: 'text', text }] } }],
  ];
  const file = written([
    ...HELLO,
    ...asking(1, 'accept', 'booked'),
    ...asking(2, 'decline', 'left'),
  ]);

  it.each([
    ['accept', 'booked'],
    ['decline', 'left'],
    ['cancel', 'booked'],
  ])('that the client answers with %s goes on with %s', async (action, text) => {
    const answer = action === 'accept' ? { action, content: {} } : { action };
    expect(await textOf(await connected(await playing(file), answer), {})).toBe(text);
  });
});

it('a task of the core dialect waits for an answer only with its question, for the extension', async () => {
  const task = (status: string) => ({
    ...{ taskId: 'one', status, ttl: null, pollInterval: 1 },
    ...{ createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' },
  });
  const get = (id: number, status: string): Line[] => [
    ['>', { id, method: 'tasks/get', params: { taskId: 'one' } }],
    ['<', { id, result: task(status) }],
  ];
  const question = {
    message: 'Sure?',
    requestedSchema: { type: 'object', properties: {} },
    _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'one' } },
  };
  const lines: Line[] = [
    ...HELLO,
    ['>', { id: 1, method: 'tools/call', params: { name: 'echo', arguments: {}, task: {} } }],
    ['<', { id: 1, result: { task: task('working') } }],
    ...get(2, 'input_required'),
    ['>', { id: 3, method: 'tasks/result', params: { taskId: 'one' } }],
    ['<', { id: 100, method: 'elicitation/create', params: question }],
    ['>', { id: 100, result: { action: 'accept', content: {} } }],
    ...get(4, 'input_required'),
    ...get(5, 'completed'),
    ['<', { id: 3, result: { content: [{ type: 'text', text: 'done' }] } }],
  ];
  const server = await playing(written(lines));
  const client = createTaskClient({
    ...INFO,
    revisions: ['2026-07-28'],
    answer: { form: () => ({ action: 'accept', content: {} }) },
  });
  await client.connect(server.transport());
  onTestFinished(() => client.close());
  expect((await client.call('echo', {})).content).toEqual([{ type: 'text', text: 'done' }]);
});
