import { describe, expect, it } from 'vitest';

import { RELATED_TASK } from '../../runtime/peer/wire/core-task.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import type { JsonObject, TaskStore } from '../../runtime/tasks/index.js';
import {
  EVERY_ASK,
  legacy,
  type LegacyClient,
  type Message,
  type Rig,
  rig,
  until,
} from './support.js';

/** Answers a form with a name and a request for a line with one. */
function obliging({ method }: Message): JsonObject | undefined {
  if (method === 'elicitation/create') {
    return { result: { action: 'accept', content: { name: 'Ann' } } };
  }
  if (method !== 'sampling/createMessage') return undefined;
  const content = { type: 'text', text: 'Good day' };
  return { result: { role: 'assistant', model: 'm', content } };
}

async function startAsking(client: LegacyClient, name = 'asks'): Promise<string> {
  const { result } = await client.request('tools/call', { name, task: {} });
  return (result?.['task'] as { taskId: string }).taskId;
}

/** A store that fails to store the first answer. */
function failingOnce(): TaskStore {
  const store = createMemoryStore();
  let hasFailed = false;
  return {
    ...store,
    update(next) {
      const isAnswer = next.input.some(({ answer }) => answer !== undefined);
      if (!isAnswer || hasFailed) return store.update(next);
      hasFailed = true;
      return Promise.reject(new Error('The disk is full'));
    },
  };
}

async function statusOf(client: LegacyClient, taskId: string): Promise<unknown> {
  return (await client.request('tasks/get', { taskId })).result?.['status'];
}

const asking = (client: LegacyClient, taskId: string): Promise<unknown> =>
  until(
    () => statusOf(client, taskId),
    (status) => status === 'input_required',
  );

describe('questions of a task in the core dialect', () => {
  it('CORE-INP-1 make the task input_required, and their answers bring it on', async () => {
    const client = await legacy(await rig(), { capabilities: EVERY_ASK, respond: obliging });
    const taskId = await startAsking(client);
    await asking(client, taskId);
    const { result } = await client.request('tasks/result', { taskId });
    expect(result).toMatchObject({ content: [{ text: 'Ann: Good day' }] });
    expect(await statusOf(client, taskId)).toBe('completed');
  });

  it('CORE-INP-2 carry the task in _meta', async () => {
    const client = await legacy(await rig(), { capabilities: EVERY_ASK, respond: obliging });
    const taskId = await startAsking(client);
    await client.request('tasks/result', { taskId });
    expect(client.heard).toMatchObject([
      { method: 'elicitation/create', params: { _meta: { [RELATED_TASK]: { taskId } } } },
      { method: 'sampling/createMessage', params: { _meta: { [RELATED_TASK]: { taskId } } } },
    ]);
  });

  it('CORE-INP-3 go out on the stream of tasks/result, and not before', async () => {
    const client = await legacy(await rig(), { capabilities: EVERY_ASK, respond: obliging });
    const taskId = await startAsking(client);
    await asking(client, taskId);
    expect(client.heard).toEqual([]);
    await client.request('tasks/result', { taskId });
    expect(client.heard).toHaveLength(2);
  });

  it('go to one of several clients that wait', async () => {
    const rigged = await rig();
    const options = { capabilities: EVERY_ASK, respond: obliging };
    const clients = await Promise.all(Array.from({ length: 4 }, () => legacy(rigged, options)));
    const taskId = await startAsking(clients[0] as LegacyClient);
    const answers = await Promise.all(
      clients.map((client) => client.request('tasks/result', { taskId })),
    );
    expect(answers.map(({ result }) => result?.['content'])).toEqual(
      answers.map(() => [{ type: 'text', text: 'Ann: Good day' }]),
    );
    expect(clients.flatMap(({ heard }) => heard).map(({ method }) => method)).toEqual([
      'elicitation/create',
      'sampling/createMessage',
    ]);
  });

  it('go to the next client that waits when the first disconnects', async () => {
    const rigged = await rig();
    const silent = await legacy(rigged, { capabilities: EVERY_ASK });
    const taskId = await startAsking(silent);
    const leave = new AbortController();
    const leaving = silent.request('tasks/result', { taskId }, leave.signal);
    await until(
      () => Promise.resolve(silent.heard.length),
      (heard) => heard === 1,
    );
    const helpful = await legacy(rigged, { capabilities: EVERY_ASK, respond: obliging });
    const result = helpful.request('tasks/result', { taskId });
    leave.abort();
    await leaving.catch(() => undefined);
    expect((await result).result).toMatchObject({ content: [{ text: 'Ann: Good day' }] });
    expect(helpful.heard).toHaveLength(2);
  });

  it.each([
    ['the rate of its owner is used up', { limits: { readsPerSecond: 20, readBurst: 2 } }],
    ['the store fails', { store: failingOnce() }],
  ])('keep the answer of the client when %s', async (_reason, options) => {
    const rigged = await rig(options);
    const client = await legacy(rigged, { capabilities: EVERY_ASK, respond: obliging });
    const taskId = await startAsking(client);
    const { result } = await client.request('tasks/result', { taskId });
    expect(result).toMatchObject({ content: [{ text: 'Ann: Good day' }] });
  });

  it('are answered with an error when the answer of the client is too large', async () => {
    const rigged = await rig({ limits: { inputBytes: 1_000 } });
    const content = { name: 'x'.repeat(1_000) };
    const respond = (): JsonObject => ({ result: { action: 'accept', content } });
    const client = await legacy(rigged, { capabilities: EVERY_ASK, respond });
    const taskId = await startAsking(client);
    const { error } = await client.request('tasks/result', { taskId });
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain('too large');
    expect(await statusOf(client, taskId)).toBe('failed');
  });

  it("a client's error is the answer", async () => {
    const client = await legacy(await rig(), {
      capabilities: EVERY_ASK,
      respond: () => ({ error: { code: -32042, message: 'Nobody at home' } }),
    });
    const taskId = await startAsking(client);
    const { error } = await client.request('tasks/result', { taskId });
    expect(error).toMatchObject({ code: -32042, message: 'Nobody at home' });
  });

  const uninvited = {
    taskId: 'c1',
    status: 'working',
    ttl: 1,
    createdAt: '2026-01-01T00:00:00Z',
    lastUpdatedAt: '2026-01-01T00:00:00Z',
  };
  it.each([
    ['is none', { action: 'perhaps' }],
    ['is a task that was not asked for', { task: uninvited }],
  ])("a client's answer that %s reaches the tool as an error", async (_, result) => {
    const client = await legacy(await rig(), {
      capabilities: EVERY_ASK,
      respond: () => ({ result }),
    });
    const { error } = await client.request('tasks/result', { taskId: await startAsking(client) });
    expect(error?.message).toContain('Invalid answer');
    const plain = await client.request('tools/call', { name: 'asks' });
    expect(plain.error?.message).toContain('Invalid answer');
  });

  it('CORE-CAP-5 a client is not asked what it did not declare', async () => {
    const client = await legacy(await rig(), { capabilities: { sampling: {} }, respond: obliging });
    const { error } = await client.request('tasks/result', { taskId: await startAsking(client) });
    expect(error?.message).toContain('elicitation');
    expect(client.heard).toEqual([]);
  });

  it('a plain call asks on its own stream', async () => {
    const client = await legacy(await rig(), { capabilities: EVERY_ASK, respond: obliging });
    const { result } = await client.request('tools/call', { name: 'asks' });
    expect(result).toMatchObject({ content: [{ text: 'Ann: Good day' }] });
    expect(client.heard[0]?.params).not.toHaveProperty('_meta');
  });
});

describe('questions as tasks of the client', () => {
  const capabilities = {
    ...EVERY_ASK,
    tasks: {
      cancel: {},
      requests: { elicitation: { create: {} }, sampling: { createMessage: {} } },
    },
  };
  const clientTask = (status: string): JsonObject => ({
    taskId: 'c1',
    status,
    ttl: 60_000,
    pollInterval: 1,
    createdAt: '2026-01-01T00:00:00Z',
    lastUpdatedAt: '2026-01-01T00:00:00Z',
  });

  /** A client that runs elicitation as a task and needs two looks to finish it. */
  function patient(): { readonly respond: (message: Message) => JsonObject | undefined } {
    let looks = 0;
    return {
      respond(message) {
        if (message.method === 'elicitation/create') {
          return { result: { task: clientTask('working') } };
        }
        if (message.method === 'tasks/get') {
          looks += 1;
          return { result: clientTask(looks > 1 ? 'completed' : 'working') };
        }
        if (message.method !== 'tasks/result') return obliging(message);
        return {
          result: {
            action: 'accept',
            content: { name: 'Ann' },
            _meta: { [RELATED_TASK]: { taskId: 'c1' } },
          },
        };
      },
    };
  }

  async function ask(rigged: Rig, declared: JsonObject): Promise<LegacyClient> {
    const client = await legacy(rigged, { capabilities: declared, ...patient() });
    const { result } = await client.request('tasks/result', { taskId: await startAsking(client) });
    expect(result).toMatchObject({ content: [{ text: 'Ann: Good day' }] });
    return client;
  }

  it('CORE-GET-2 are polled until they end, and their result is fetched', async () => {
    const { heard } = await ask(await rig(), capabilities);
    expect(heard.map(({ method }) => method)).toEqual([
      'elicitation/create',
      'tasks/get',
      'tasks/get',
      'tasks/result',
      'sampling/createMessage',
    ]);
  });

  it('CORE-NEW-1 are asked for with a ttl', async () => {
    const { heard } = await ask(await rig(), capabilities);
    expect(heard[0]?.params).toMatchObject({ task: { ttl: expect.any(Number) as number } });
  });

  it('CORE-CAN-3 CORE-CAN-1 are cancelled as tasks when they are not wanted any more', async () => {
    const client = await legacy(await rig(), {
      capabilities,
      respond: ({ method }) => ({
        result:
          method === 'elicitation/create' ? { task: clientTask('working') } : clientTask('working'),
      }),
    });
    const taskId = await startAsking(client);
    const waiting = client.request('tasks/result', { taskId });
    await until(
      () => Promise.resolve(client.heard.map(({ method }) => method)),
      (methods) => methods.includes('tasks/get'),
    );
    await client.request('tasks/cancel', { taskId });
    await waiting;
    await until(
      () => Promise.resolve(client.heard.at(-1)),
      (last) => last?.method === 'tasks/cancel',
    );
    expect(client.heard.at(-1)?.params).toMatchObject({ taskId: 'c1' });
    const asked = client.heard.find(({ method }) => method === 'elicitation/create');
    const unasked = client.heard.filter(({ method }) => method === 'notifications/cancelled');
    expect(unasked.map(({ params }) => params?.['requestId'])).not.toContain(asked?.id);
  });

  it('CORE-CAP-5 only where the client declares that kind of request', async () => {
    const client = await legacy(await rig(), {
      capabilities: { ...EVERY_ASK, tasks: { requests: { sampling: { createMessage: {} } } } },
      respond: obliging,
    });
    await client.request('tasks/result', { taskId: await startAsking(client) });
    expect(client.heard[0]?.params).not.toHaveProperty('task');
    expect(client.heard[1]?.params).toHaveProperty('task');
  });
});
