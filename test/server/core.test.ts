import { describe, expect, it, onTestFinished } from 'vitest';

import type { JsonObject } from '../../runtime/tasks/index.js';
import { RELATED_TASK } from '../../runtime/peer/wire/core-task.js';
import { startCore, ended } from './steps.js';
import { legacy, rig } from './support.js';
import { EXT_ONLY, release, runs } from './tools.js';

let labels = 0;
const label = (): string => `core-${++labels}`;

describe('declaring', () => {
  it('CORE-CAP-1 declares what is served', async () => {
    const client = await legacy(await rig());
    expect(client.initialized['capabilities']).toEqual({
      tools: { listChanged: true },
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    });
  });

  it('CORE-CAP-2 lists for each tool whether it may be a task', async () => {
    const client = await legacy(await rig());
    const { result } = await client.request('tools/list');
    const support = (result?.['tools'] as { name: string; execution: JsonObject }[]).map(
      ({ name, execution }) => [name, execution['taskSupport']],
    );
    expect(Object.fromEntries(support)).toMatchObject({
      add: 'forbidden',
      held: 'optional',
      'task-only': 'required',
    });
  });

  it.each([
    ['the dialect is not served', { capabilities: EXT_ONLY }],
    ['no tool may be a task', { tools: [] }],
  ])('CORE-CAP-6 CORE-CAP-3 declares and serves no tasks where %s', async (_, options) => {
    const client = await legacy(await rig(options));
    expect(client.initialized['capabilities']).not.toHaveProperty('tasks');
    for (const method of ['tasks/get', 'tasks/list', 'tasks/cancel', 'tasks/result']) {
      const { error } = await client.request(
        method,
        method === 'tasks/list' ? {} : { taskId: 'x' },
      );
      expect(error?.code).toBe(-32601);
    }
  });

  it('CORE-CAP-4 ignores params.task where tasks are not declared', async () => {
    const client = await legacy(await rig({ capabilities: EXT_ONLY }));
    const { result } = await client.request('tools/call', {
      name: 'add',
      arguments: { a: 1, b: 2 },
      task: { ttl: 5 },
    });
    expect(result).toMatchObject({ structuredContent: { sum: 3 } });
  });

  it('SEC-4 CORE-CAP-6 neither declares nor serves tasks/list to requestors that it cannot identify', async () => {
    const open = await rig({}, { allowUnidentified: true });
    const client = await legacy(open, { token: undefined });
    expect(client.initialized['capabilities']).toEqual({
      tools: { listChanged: true },
      tasks: { cancel: {}, requests: { tools: { call: {} } } },
    });
    expect((await client.request('tasks/list')).error?.code).toBe(-32601);
  });

  it('CORE-TOOL-2 refuses a task of a tool that forbids it, and does not run it', async () => {
    const client = await legacy(await rig());
    const before = runs.get('plain-only');
    const { error } = await client.request('tools/call', { name: 'plain-only', task: {} });
    expect(error?.code).toBe(-32601);
    expect(runs.get('plain-only')).toBe(before);
  });

  it('CORE-TOOL-3 takes a tool that allows it both ways', async () => {
    const client = await legacy(await rig());
    const { result } = await client.request('tools/call', { name: 'failing' });
    expect(result).toMatchObject({ isError: true });
    expect(await startCore(client, 'failing')).toMatchObject({ status: 'working' });
  });

  it('CORE-TOOL-4 refuses a plain call of a tool that must be a task, and does not run it', async () => {
    const client = await legacy(await rig());
    const before = runs.get('task-only');
    const { error } = await client.request('tools/call', { name: 'task-only' });
    expect(error?.code).toBe(-32601);
    expect(runs.get('task-only')).toBe(before);
  });
});

describe('creating', () => {
  const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

  /** The answer to a call that asks for a task, while its tool runs. */
  async function created(): Promise<JsonObject> {
    const client = await legacy(await rig({ limits: { ttlMax: 5_000 } }));
    const name = label();
    onTestFinished(() => release(name));
    const { result = {} } = await client.request('tools/call', {
      name: 'held',
      arguments: { label: name },
      task: { ttl: 60_000 },
    });
    return result;
  }

  const taskOf = async (): Promise<unknown> => (await created())['task'];

  it('CORE-NEW-1 answers at once with the task, and with no result of the tool', async () => {
    const result = await created();
    expect(Object.keys(result).sort()).toEqual(['_meta', 'task']);
    expect(Object.keys(result['task'] as JsonObject).sort()).toEqual([
      'createdAt',
      'lastUpdatedAt',
      'pollInterval',
      'status',
      'taskId',
      'ttl',
    ]);
    expect(result['task']).toMatchObject({ taskId: expect.any(String) as string });
  });

  it('CORE-NEW-3 starts a task in working', async () => {
    expect(await taskOf()).toMatchObject({ status: 'working' });
  });

  it('CORE-NEW-4 says when a task was created and last updated', async () => {
    expect(await taskOf()).toMatchObject({
      createdAt: expect.stringMatching(TIME) as string,
      lastUpdatedAt: expect.stringMatching(TIME) as string,
    });
  });

  it('CORE-NEW-5 says the ttl that it granted, where the client asked for more', async () => {
    expect(await taskOf()).toMatchObject({ ttl: 5_000 });
  });

  it('CORE-NEW-6 suggests an interval between polls', async () => {
    expect(await taskOf()).toMatchObject({ pollInterval: 100 });
  });

  it("CORE-NEW-7 has the tool's immediate response in _meta, and nothing else", async () => {
    expect((await created())['_meta']).toEqual({
      'io.modelcontextprotocol/model-immediate-response': 'It is on its way.',
    });
  });

  it('CORE-NEW-2 makes ids that do not repeat', async () => {
    const client = await legacy(await rig());
    const tasks = await Promise.all(Array.from({ length: 20 }, () => startCore(client, 'failing')));
    expect(new Set(tasks.map(({ taskId }) => taskId)).size).toBe(20);
  });

  it.each([0, -1, 1.5, 'soon', null])('refuses a ttl of %j', async (ttl) => {
    const client = await legacy(await rig());
    const { error } = await client.request('tools/call', { name: 'failing', task: { ttl } });
    expect(error?.code).toBe(-32602);
  });

  describe('a task with arguments that the schema forbids', () => {
    const call = { name: 'held', arguments: { label: 5 } };

    it('CORE-LIFE-3 is failed, and its status message names the argument', async () => {
      const client = await legacy(await rig());
      const { taskId } = await startCore(client, 'held', call.arguments);
      expect(await ended(client, taskId)).toMatchObject({
        status: 'failed',
        statusMessage: expect.stringContaining('/label') as string,
      });
    });

    it('CORE-RES-1 has the result that a plain call gets', async () => {
      const client = await legacy(await rig());
      const plain = await client.request('tools/call', call);
      expect(plain.result).toMatchObject({ isError: true });
      expect(JSON.stringify(plain.result)).toContain('/label');
      const { taskId } = await startCore(client, 'held', call.arguments);
      const { result } = await client.request('tasks/result', { taskId });
      expect(result).toEqual({ ...plain.result, _meta: { [RELATED_TASK]: { taskId } } });
    });
  });

  it('CORE-LIFE-3 makes a task that fails when `prepare` cannot complete the arguments', async () => {
    const client = await legacy(await rig());
    const { taskId } = await startCore(client, 'asks-first', { name: 5 });
    expect(await ended(client, taskId)).toMatchObject({ status: 'failed' });
    const { result } = await client.request('tasks/result', { taskId });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain('/name');
  });
});

describe('ending', () => {
  it('CORE-GET-1 CORE-LIFE-1 shows the flat task before and after', async () => {
    const client = await legacy(await rig());
    const name = label();
    const { taskId } = await startCore(client, 'held', { label: name });
    const { result } = await client.request('tasks/get', { taskId });
    expect(result).toMatchObject({ taskId, status: 'working' });
    expect(result).not.toHaveProperty('task');
    release(name);
    expect(await ended(client, taskId)).toMatchObject({ taskId, status: 'completed' });
  });

  it('CORE-RES-1 CORE-RES-3 answers tasks/result with what the call would have been answered', async () => {
    const client = await legacy(await rig());
    const name = label();
    release(name);
    const { taskId } = await startCore(client, 'held', { label: name });
    await ended(client, taskId);
    const { result } = await client.request('tasks/result', { taskId });
    expect(result).toEqual({
      content: [{ type: 'text', text: `done ${name}` }],
      _meta: { [RELATED_TASK]: { taskId } },
    });
  });

  it('CORE-RES-1 repeats a JSON-RPC error with code, message and data', async () => {
    const client = await legacy(await rig());
    const { taskId } = await startCore(client, 'broken');
    expect(await ended(client, taskId)).toMatchObject({
      status: 'failed',
      statusMessage: 'No such shelf',
    });
    const { error } = await client.request('tasks/result', { taskId });
    expect(error).toEqual({ code: -32055, message: 'No such shelf', data: { shelf: 7 } });
  });

  it('CORE-LIFE-3 calls a tool error failed, and keeps its result', async () => {
    const client = await legacy(await rig());
    const { taskId } = await startCore(client, 'failing');
    expect(await ended(client, taskId)).toMatchObject({
      status: 'failed',
      statusMessage: 'It went wrong',
    });
    const { result } = await client.request('tasks/result', { taskId });
    expect(result).toMatchObject({ isError: true });
  });

  it('CORE-RES-2 waits for the end while others poll', async () => {
    const client = await legacy(await rig());
    const name = label();
    const { taskId } = await startCore(client, 'held', { label: name });
    const waiting = client.request('tasks/result', { taskId });
    expect((await client.request('tasks/get', { taskId })).result).toMatchObject({
      status: 'working',
    });
    release(name);
    expect((await waiting).result).toMatchObject({ content: [{ text: `done ${name}` }] });
  });

  it.each([
    ['untrue', { structured: true }, '/content/0/text'],
    ['untrue', { structured: false }, 'object'],
    ['mistyped', {}, '/structuredContent/sum'],
  ])(
    'turns a result of %s %j that is not valid into an error that names the field',
    async (name, args, field) => {
      const client = await legacy(await rig());
      const plain = await client.request('tools/call', { name, arguments: args });
      expect(plain.error).toMatchObject({
        code: -32603,
        message: expect.stringContaining(field) as string,
      });
      const { taskId } = await startCore(client, name, args);
      const { error } = await client.request('tasks/result', { taskId });
      expect(error).toEqual(plain.error);
    },
  );
});
