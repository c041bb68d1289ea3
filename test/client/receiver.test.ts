import { describe, expect, it, onTestFinished } from 'vitest';

import { createTaskClient } from '../../runtime/client/index.js';
import type { InputHandlers, ReceiverOptions, TaskClient } from '../../runtime/client/index.js';
import { createMemoryStore } from '../../runtime/stores/memory/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { RELATED_TASK } from '../../runtime/peer/wire/core-task.js';
import { at } from '../../runtime/peer/wire/json.js';
import { type Message, rig, until } from '../server/support.js';
import { connect, type Connected, peer, type Peer, transportTo } from './harness.js';

const FORM: JsonObject = {
  message: 'What is your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
const SAMPLE: JsonObject = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
  maxTokens: 10,
};
const REPLY = {
  model: 'test',
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'Hi' },
};

interface Held {
  readonly answer: InputHandlers;
  /** Answers the oldest open input request, else the next one. */
  readonly release: () => void;
  readonly signals: AbortSignal[];
}

/** Input handlers that wait for `release`. */
function held(): Held {
  const waiting: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  let early = 0;
  const answering =
    <T>(value: T) =>
    (_: unknown, request: { readonly signal: AbortSignal }) => {
      signals.push(request.signal);
      if (early === 0) return new Promise<T>((resolve) => waiting.push(() => resolve(value)));
      early -= 1;
      return value;
    };
  return {
    answer: {
      form: answering({ action: 'accept' as const, content: { name: 'Ann' } }),
      sampling: answering(REPLY),
    },
    release() {
      const oldest = waiting.shift();
      if (oldest === undefined) early += 1;
      else oldest();
    },
    signals,
  };
}

interface Setting extends Held {
  readonly server: Peer;
  readonly client: Connected;
  readonly ask: (method: string, params?: JsonObject) => Promise<NonNullable<Message['result']>>;
  readonly fail: (method: string, params?: JsonObject) => Promise<NonNullable<Message['error']>>;
  readonly create: (method?: string, params?: JsonObject) => Promise<string>;
}

/** A scripted server, and a client that runs input requests as tasks. */
async function setting(
  receiver: ReceiverOptions | null = {},
  answer?: InputHandlers,
): Promise<Setting> {
  const handlers = held();
  const server = peer(() => undefined, { dialect: 'core' });
  const client = await connect(server.transport, 'core', {
    answer: answer ?? handlers.answer,
    ...(receiver && { receiver }),
  });
  let asked = 0;
  const send = (method: string, params: JsonObject = {}): Promise<Message> =>
    server.ask(method, params, `${method}-${(asked += 1)}`);
  const ask: Setting['ask'] = async (method, params) => {
    const { result, error } = await send(method, params);
    expect(error).toBeUndefined();
    return result ?? {};
  };
  return {
    ...handlers,
    server,
    client,
    ask,
    async fail(method, params) {
      const { error } = await send(method, params);
      if (error === undefined) throw new Error(`${method} succeeded`);
      return error;
    },
    async create(method = 'elicitation/create', params = FORM) {
      const answered = await ask(method, { ...params, task: { ttl: 60_000 } });
      return String(at(answered, ['task', 'taskId']));
    },
  };
}

const declared = ({ sent }: Connected): unknown =>
  at(
    sent.find(({ method }) => method === 'initialize'),
    ['params', 'capabilities'],
  );

describe('a client with a receiver', () => {
  it('CORE-CAP-1: declares tasks only when it accepts tasks', async () => {
    const accepting = await setting();
    expect(declared(accepting.client)).toHaveProperty('tasks');
    const none = await setting(null, {});
    expect(declared(none.client)).toEqual({});
  });

  it('CORE-CAP-2: declares list, cancel, sampling and elicitation under tasks', async () => {
    const both = await setting();
    expect(declared(both.client)).toEqual({
      elicitation: { form: {} },
      sampling: {},
      tasks: {
        list: {},
        cancel: {},
        requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
      },
    });
  });

  it('CORE-CAP-3: declares no request type without a handler under tasks.requests', async () => {
    const one = await setting({}, { sampling: () => REPLY });
    expect(declared(one.client)).toMatchObject({
      tasks: { requests: { sampling: { createMessage: {} } } },
    });
    expect(at(declared(one.client), ['tasks', 'requests', 'elicitation'])).toBeUndefined();
  });

  it('CORE-CAP-4: ignores params.task and answers at once without the capability tasks', async () => {
    const answer: InputHandlers = { sampling: () => REPLY };
    const server = peer(() => undefined, { dialect: 'core' });
    await connect(server.transport, 'core', { answer });
    const response = await server.ask('sampling/createMessage', { ...SAMPLE, task: {} });
    expect(response.result).toEqual(REPLY);
  });

  it('CORE-CAP-6: answers tasks/* with -32601 without a receiver', async () => {
    const server = peer(() => undefined, { dialect: 'core' });
    await connect(server.transport, 'core');
    for (const method of ['tasks/get', 'tasks/list', 'tasks/cancel', 'tasks/result']) {
      expect((await server.ask(method, { taskId: 'one' }, method)).error).toMatchObject({
        code: -32601,
      });
    }
  });

  describe('answers a request with params.task', () => {
    const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
    const created = async (): Promise<Setting & { readonly answer: JsonObject }> => {
      const made = await setting({ limits: { ttlMax: 1_000 } });
      const answer = await made.ask('elicitation/create', { ...FORM, task: { ttl: 5_000 } });
      return { ...made, answer };
    };

    it('CORE-NEW-1: with a task and nothing else', async () => {
      const { answer } = await created();
      expect(answer).toEqual({
        task: {
          taskId: expect.any(String) as string,
          status: 'working',
          createdAt: TIME,
          lastUpdatedAt: TIME,
          ttl: 1_000,
          pollInterval: 1_000,
        },
      });
    });

    it('CORE-NEW-2: with a unique task id', async () => {
      const { answer, create } = await created();
      const taskId = at(answer, ['task', 'taskId']);
      expect(taskId).toMatch(/^.{22,}$/);
      expect(await create()).not.toBe(taskId);
    });

    it('CORE-NEW-3: with a task in status working', async () => {
      const { answer } = await created();
      expect(answer['task']).toMatchObject({ status: 'working' });
    });

    it('CORE-NEW-4: with the times of creation and of the last update', async () => {
      const { answer } = await created();
      expect(answer['task']).toMatchObject({ createdAt: TIME, lastUpdatedAt: TIME });
    });

    it('CORE-NEW-5: with its own ttl when the requested one exceeds the limit', async () => {
      const { answer } = await created();
      expect(answer['task']).toMatchObject({ ttl: 1_000 });
    });
  });

  describe('answers tasks/get', () => {
    const shown = async (): Promise<{ readonly task: JsonObject; readonly taskId: string }> => {
      const { ask, create } = await setting();
      const taskId = await create('sampling/createMessage', SAMPLE);
      const misleading = { [RELATED_TASK]: { taskId: 'another' } };
      return { task: await ask('tasks/get', { taskId, _meta: misleading }), taskId };
    };

    it('CORE-GET-1: with the flat task object', async () => {
      const { task } = await shown();
      expect(task).toMatchObject({ taskId: expect.any(String) as string, status: 'working' });
    });

    it('CORE-REL-1: by the taskId param, not by the related task in _meta', async () => {
      const { task, taskId } = await shown();
      expect(task['taskId']).toBe(taskId);
    });

    it('CORE-REL-2: without related-task _meta', async () => {
      const { task } = await shown();
      expect(task).not.toHaveProperty('_meta');
    });
  });

  it('CORE-RES-1: repeats the same result for each tasks/result', async () => {
    const { ask, create, release } = await setting();
    const taskId = await create();
    release();
    const first = await ask('tasks/result', { taskId });
    expect(first).toMatchObject({ action: 'accept', content: { name: 'Ann' } });
    expect(await ask('tasks/result', { taskId })).toEqual(first);
  });

  it('CORE-RES-2: answers tasks/get while tasks/result waits for the end', async () => {
    const { ask, create, release } = await setting();
    const taskId = await create();
    const waiting = ask('tasks/result', { taskId });
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'working' });
    release();
    expect(await waiting).toMatchObject({ action: 'accept' });
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'completed' });
  });

  it('CORE-RES-3: puts the related task into the _meta of tasks/result', async () => {
    const { ask, create, release } = await setting();
    const taskId = await create();
    release();
    expect(await ask('tasks/result', { taskId })).toEqual({
      action: 'accept',
      content: { name: 'Ann' },
      _meta: { [RELATED_TASK]: { taskId } },
    });
  });

  it('CORE-LIFE-3: fails a task with the error that its input handler throws', async () => {
    const refusal = Object.assign(new Error('Not today'), {
      code: -32001,
      data: { until: 'noon' },
    });
    const { ask, fail, create } = await setting({}, { form: () => Promise.reject(refusal) });
    const taskId = await create();
    expect(await fail('tasks/result', { taskId })).toEqual({
      code: -32001,
      message: 'Not today',
      data: { until: 'noon' },
    });
    expect(await ask('tasks/get', { taskId })).toMatchObject({
      status: 'failed',
      statusMessage: 'Not today',
    });
  });

  it('fails a task whose input handler returns an invalid answer', async () => {
    const { fail, create } = await setting({}, { form: () => ({ action: 'shrug' }) as never });
    expect(await fail('tasks/result', { taskId: await create() })).toMatchObject({ code: -32603 });
  });

  describe('cancels a task', () => {
    const cancelled = async () => {
      const made = await setting();
      const taskId = await made.create();
      await until(
        () => Promise.resolve(made.signals.length),
        (begun) => begun === 1,
      );
      return { ...made, taskId, answer: await made.ask('tasks/cancel', { taskId }) };
    };

    it('CORE-CAN-1: answers with the cancelled task and aborts the signal of its handler', async () => {
      const { answer, taskId, signals } = await cancelled();
      expect(answer).toMatchObject({ taskId, status: 'cancelled' });
      expect(signals[0]?.aborted).toBe(true);
    });

    it('CORE-CAN-2: answers a second tasks/cancel with -32602', async () => {
      const { fail, taskId } = await cancelled();
      expect(await fail('tasks/cancel', { taskId })).toMatchObject({ code: -32602 });
    });

    it('CORE-LIFE-1: leaves the task in its final status', async () => {
      const { ask, fail, taskId } = await cancelled();
      expect(await fail('tasks/cancel', { taskId })).toMatchObject({ code: -32602 });
      expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
      expect(await fail('tasks/result', { taskId })).toMatchObject({ code: -32800 });
    });

    it('CORE-LIFE-2: keeps it cancelled when its handler answers later', async () => {
      const { ask, fail, release, taskId } = await cancelled();
      release();
      expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
      expect(await fail('tasks/result', { taskId })).toMatchObject({ code: -32800 });
    });
  });

  it('CORE-CAN-3: ends a waiting tasks/result for notifications/cancelled, and no task', async () => {
    const { server, ask, create, release } = await setting();
    const created = await server.ask('elicitation/create', { ...FORM, task: {} }, 'create');
    const taskId = at(created.result, ['task', 'taskId']);
    server.say('notifications/cancelled', { requestId: 'create' });
    void server.ask('tasks/result', { taskId }, 'given up');
    server.say('notifications/cancelled', { requestId: 'given up' });
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'working' });
    release();
    expect(await ask('tasks/result', { taskId })).toMatchObject({ action: 'accept' });
    expect(await create()).not.toBe(taskId);
  });

  it('CORE-LST-1: lists its tasks by pages and refuses an unknown cursor', async () => {
    const { ask, fail, create } = await setting({ limits: { pageSize: 2 } });
    const made = [await create(), await create(), await create()];
    const first = await ask('tasks/list');
    expect(first['tasks']).toHaveLength(2);
    const second = await ask('tasks/list', { cursor: String(first['nextCursor']) });
    expect(second['nextCursor']).toBeUndefined();
    const listed = [first, second].flatMap(({ tasks }) => tasks as JsonObject[]);
    expect(listed.map(({ taskId }) => taskId).sort()).toEqual(made.sort());
    expect(await fail('tasks/list', { cursor: 'nowhere' })).toMatchObject({ code: -32602 });
  });

  it('CORE-LST-2: lists each task as tasks/get returns it', async () => {
    const { ask, create } = await setting();
    const made = [await create(), await create()];
    const { tasks } = await ask('tasks/list');
    const gotten = await Promise.all(made.map((taskId) => ask('tasks/get', { taskId })));
    const byId = (a: JsonObject, b: JsonObject): number =>
      String(a['taskId']) < String(b['taskId']) ? -1 : 1;
    expect((tasks as JsonObject[]).toSorted(byId)).toEqual(gotten.toSorted(byId));
  });

  it('CORE-NOT-1: sends notifications/tasks/status when a task ends', async () => {
    const { client, create, release } = await setting();
    const taskId = await create();
    release();
    const announced = await until(
      () =>
        Promise.resolve(
          client.sent.filter(({ method }) => method === 'notifications/tasks/status'),
        ),
      (said) => said.length > 0,
    );
    expect(announced[0]?.params).toMatchObject({ taskId, status: 'completed', ttl: 60_000 });
  });

  it('CORE-TTL-1: answers with -32602 after the TTL of a task', async () => {
    const { ask, fail } = await setting();
    const { task } = await ask('elicitation/create', { ...FORM, task: { ttl: 20 } });
    const taskId = at(task, ['taskId']);
    expect(await fail('tasks/result', { taskId })).toMatchObject({ code: -32602 });
  });

  it('CORE-ERR-1: answers tasks/get, tasks/result and tasks/cancel of an unknown id with -32602', async () => {
    const { fail } = await setting();
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      expect(await fail(method, { taskId: 'never was' })).toMatchObject({ code: -32602 });
    }
  });

  it('refuses invalid params, unsupported modes, invalid ttl, and tasks beyond its limit', async () => {
    const { fail, create } = await setting({ limits: { livePerOwner: 1 } });
    const bad: JsonObject[] = [
      { task: {} },
      { ...FORM, task: { ttl: -1 } },
      { ...FORM, task: 'yes' },
      { mode: 'url', message: 'Look', url: 'https://example.com', elicitationId: '1', task: {} },
    ];
    for (const params of bad) {
      expect(await fail('elicitation/create', params)).toMatchObject({ code: -32602 });
    }
    expect(await fail('tasks/get', {})).toMatchObject({ code: -32602 });
    await create();
    expect(await fail('elicitation/create', { ...FORM, task: {} })).toMatchObject({ code: 429 });
  });

  it('answers the input requests of a task with tasks', async () => {
    const { tasks, got } = await connect(transportTo(await rig(), 'stdio'), 'core', {
      answer: {
        form: () => ({ action: 'accept', content: { name: 'Ann' } }),
        sampling: () => REPLY,
      },
      receiver: { pollInterval: 100 },
    });
    const result = await tasks.call('asks');
    expect(result).toMatchObject({ content: [{ text: 'Ann: Hi' }] });
    const questions = got.filter(({ method }) => method === 'elicitation/create');
    expect(questions[0]?.params).toHaveProperty('task');
    expect(got.some(({ method }) => method === 'tasks/result')).toBe(true);
  });
});

describe('after close()', () => {
  const capabilities = {
    elicitation: { form: {} },
    tasks: { requests: { elicitation: { create: {} } } },
  };
  const connectTo = async (client: TaskClient): Promise<Peer> => {
    const server = peer(() => undefined, { dialect: 'core' });
    await client.connect(server.transport);
    return server;
  };
  const made = (receiver?: ReceiverOptions): TaskClient =>
    createTaskClient({
      name: 'test',
      version: '1',
      revisions: ['2025-11-25'],
      capabilities,
      answer: { form: () => ({ action: 'accept', content: { name: 'Ann' } }) },
      ...(receiver && { receiver }),
    });

  it('a client that connects again runs tasks again', async () => {
    const client = made();
    onTestFinished(() => client.close());
    for (const id of ['first', 'second']) {
      const server = await connectTo(client);
      const created = await server.ask('elicitation/create', { ...FORM, task: {} }, id);
      const taskId = at(created.result, ['task', 'taskId']);
      const ended = await server.ask('tasks/result', { taskId }, `${id} result`);
      expect(ended.result).toMatchObject({ action: 'accept' });
      await client.close();
    }
  });

  it('a client with a store of its own refuses to connect, because the store is closed', async () => {
    const client = made({ store: createMemoryStore() });
    await connectTo(client);
    await client.close();
    await expect(connectTo(client)).rejects.toMatchObject({
      name: 'CallError',
      message: expect.stringContaining('create another client') as string,
    });
    await client.close();
  });
});
