import { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  createHttpHandler,
  createTaskServer,
  defineTool,
  type ServerTool,
  type TaskCapabilities,
} from '../../runtime/server/index.js';
import type { TaskSummary } from '../../runtime/tasks/index.js';
import { anyObject, at } from '../../runtime/peer/wire/json.js';
import { pipedTo } from '../support/stdio.js';

const echo = defineTool({
  name: 'echo',
  description: 'Answers at once.',
  input: z.object({}),
  taskSupport: 'optional',
  run: () => 'done',
});
const asker = defineTool({
  name: 'asker',
  description: 'Asks the user.',
  input: z.object({}),
  asks: ['elicitation.form'],
  async run({ task }) {
    const requestedSchema = { type: 'object', properties: {} };
    return (await task.elicit({ message: 'Well?', requestedSchema })).action;
  },
});
const quiet = defineTool({
  name: 'quiet',
  description: 'Asks the user, and does not say so.',
  input: z.object({}),
  run: ({ task }) => task.elicit({ message: 'Well?', requestedSchema: {} }).then(String),
});

const calls = { requests: { tools: { call: {} } } };
const OPTIONS = { name: 'test', version: '1.0.0' };

async function serve(tools: readonly ServerTool[], capabilities: TaskCapabilities) {
  const server = await createTaskServer({ ...OPTIONS, tools, capabilities, onError: () => {} });
  onTestFinished(() => server.close());
  return server;
}

async function connected(
  tools: readonly ServerTool[],
  capabilities: TaskCapabilities,
): Promise<Client> {
  const server = await serve(tools, capabilities);
  const clientSide = pipedTo(server);
  const client = new Client(OPTIONS, { capabilities: { elicitation: {} } });
  await client.connect(clientSide);
  return client;
}

describe('a declaration', () => {
  it.each<[string, TaskCapabilities, object | undefined]>([
    ['everything', { core: { tasks: { list: {}, cancel: {}, ...calls } } }, undefined],
    ['no list', { core: { tasks: { cancel: {}, ...calls } } }, undefined],
    ['no cancel', { core: { tasks: { list: {}, ...calls } } }, undefined],
    ['the extension only', { ext: { extensions: { 'io.modelcontextprotocol/tasks': {} } } }, {}],
  ])('CORE-CAP-1 is served to the letter: %s', async (_, capabilities) => {
    const client = await connected([echo], capabilities);
    expect(client.getServerCapabilities()?.tasks).toEqual(capabilities.core?.tasks);
    for (const method of ['tasks/list', 'tasks/cancel']) {
      const [, verb = ''] = method.split('/');
      const params = verb === 'list' ? {} : { taskId: 'x' };
      const served = await client.request({ method, params }, anyObject).then(
        () => true,
        (error: unknown) => at(error, ['code']) !== -32601,
      );
      expect(served, method).toBe(at(capabilities, ['core', 'tasks', verb]) !== undefined);
    }
  });

  it.each<[string, ServerTool, TaskCapabilities, string]>([
    ['no tasks', echo, {}, 'add core: { tasks: { requests: { tools: { call: {} } } } } or ext'],
    ['tasks, but none for tools', echo, { core: { tasks: { list: {} } } }, 'to core.tasks'],
    ['nothing to ask', asker, {}, 'add elicitation: { form: {} } to asks'],
    ['URLs only', asker, { asks: { elicitation: { url: {} } } }, 'add elicitation: { form: {} }'],
  ])('of %s is refused at start when a tool needs more', async (_, tool, capabilities, fix) => {
    await expect(serve([tool], capabilities)).rejects.toThrow(fix);
  });

  it('does not compile when a tool needs more', () => {
    const options = { ...OPTIONS };
    // Its type says nothing: the server checks it when it starts.
    const wide = {} as TaskCapabilities;
    const attempts = [
      // @ts-expect-error -- no tasks are declared
      () => createTaskServer({ ...options, tools: [echo], capabilities: {} }),
      // @ts-expect-error -- nothing to ask is declared
      () => createTaskServer({ ...options, tools: [asker], capabilities: {} }),
      () => createTaskServer({ ...options, tools: [echo, asker] }),
      () => createTaskServer({ ...options, tools: [echo, asker], capabilities: wide }),
    ];
    expect(attempts).toHaveLength(4);
  });

  it('refuses a question that it does not name, and says what to add', async () => {
    const client = await connected([quiet], {});
    await expect(client.callTool({ name: 'quiet', arguments: {} })).rejects.toThrow(
      'add elicitation: { form: {} } to asks',
    );
  });

  it.each<[TaskCapabilities, string]>([
    [{ core: { tasks: { list: {} } } }, 'set `auth`, or remove list'],
    [{ asks: { elicitation: {} } }, 'remove elicitation'],
  ])('of %j is refused over HTTP where nothing identifies users', async (capabilities, fix) => {
    const server = await serve([], capabilities);
    expect(() => createHttpHandler(server, { allowUnidentified: true })).toThrow(fix);
  });
});

describe('the options', () => {
  it('call onTaskStatus at the creation and at each change of status', async () => {
    const seen: TaskSummary[] = [];
    const server = await createTaskServer({
      ...OPTIONS,
      tools: [echo],
      onTaskStatus: (task) => seen.push(task),
    });
    onTestFinished(() => server.close());
    const caller = { owner: 'ann', dialect: 'core' } as const;
    const request = { method: 'tools/call', tool: 'echo', args: { asks: [], arguments: {} } };
    const { id } = await server.engine.create(caller, request);
    await server.engine.wait(caller, id);
    expect(seen.map(({ status }) => status)).toEqual(['working', 'completed']);
  });

  it('offer the revisions that are named', async () => {
    const revisions = ['2025-11-25', '2026-07-28'] as const;
    const server = await createTaskServer({ ...OPTIONS, tools: [echo], revisions });
    onTestFinished(() => server.close());
    const clientSide = pipedTo(server);
    const answered = new Promise<unknown>((resolve) => (clientSide.onmessage = resolve));
    await clientSide.start();
    const clientInfo = { name: 'old', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    await clientSide.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect(at(await answered, ['result', 'protocolVersion'])).toBe('2025-11-25');
  });
});
