import { describe, expect, it } from 'vitest';

import type { InputHandlers, ReceiverOptions } from '../../runtime/client/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { RELATED_TASK } from '../../runtime/wire/core-task.js';
import { at } from '../../runtime/wire/json.js';
import { type Message, rig, until } from '../server/support.js';
import { connect, type Connected, peer, type Peer, transportTo } from './support.js';

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
  /** Lets the oldest question be answered, or the next. */
  readonly release: () => void;
  readonly signals: AbortSignal[];
}

/** Answers that wait until they are let go. */
function held(): Held {
  const waiting: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  let early = 0;
  const limiter =
    <T>(value: T) =>
    (_: unknown, question: { readonly signal: AbortSignal }) => {
      signals.push(question.signal);
      if (early === 0) return new Promise<T>((resolve) => waiting.push(() => resolve(value)));
      early -= 1;
      return value;
    };
  return {
    answer: {
      form: limiter({ action: 'accept' as const, content: { name: 'Ann' } }),
      sampling: limiter(REPLY),
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

/** A server by hand, and a client that runs its questions as tasks. */
async function setting(
  receiver: ReceiverOptions | null = {},
  answer?: InputHandlers,
): Promise<Setting> {
  const gates = held();
  const server = peer(() => undefined, { dialect: 'core' });
  const client = await connect(server.transport, 'core', {
    answer: answer ?? gates.answer,
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
    ...gates,
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

describe('a client that runs the questions of its server as tasks', () => {
  it('CORE-CAP-1 CORE-CAP-2 CORE-CAP-3: declares what it is set up for, and no more', async () => {
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
    const one = await setting({}, { sampling: () => REPLY });
    expect(declared(one.client)).toMatchObject({
      tasks: { requests: { sampling: { createMessage: {} } } },
    });
    expect(at(declared(one.client), ['tasks', 'requests', 'elicitation'])).toBeUndefined();
    const none = await setting(null, {});
    expect(declared(none.client)).toEqual({});
  });

  it('CORE-CAP-4: answers at once where it did not declare, whatever the request asks', async () => {
    const answer: InputHandlers = { sampling: () => REPLY };
    const server = peer(() => undefined, { dialect: 'core' });
    await connect(server.transport, 'core', { answer });
    const response = await server.ask('sampling/createMessage', { ...SAMPLE, task: {} });
    expect(response.result).toEqual(REPLY);
  });

  it('CORE-CAP-6: knows no tasks/* unless it runs tasks', async () => {
    const server = peer(() => undefined, { dialect: 'core' });
    await connect(server.transport, 'core');
    for (const method of ['tasks/get', 'tasks/list', 'tasks/cancel', 'tasks/result']) {
      expect((await server.ask(method, { taskId: 'one' }, method)).error).toMatchObject({
        code: -32601,
      });
    }
  });

  it('CORE-NEW-1 CORE-NEW-2 CORE-NEW-3 CORE-NEW-4 CORE-NEW-5: answers with a task that works', async () => {
    const { ask, create } = await setting({ limits: { ttlMax: 1_000 } });
    const { task, ...rest } = await ask('elicitation/create', { ...FORM, task: { ttl: 5_000 } });
    expect(rest).toEqual({});
    expect(task).toEqual({
      taskId: expect.stringMatching(/^.{22,}$/) as string,
      status: 'working',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      lastUpdatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      ttl: 1_000,
      pollInterval: 1_000,
    });
    expect(await create()).not.toBe(at(task, ['taskId']));
  });

  it('CORE-GET-1 CORE-REL-1 CORE-REL-2: shows a task by its id', async () => {
    const { ask, create } = await setting();
    const taskId = await create('sampling/createMessage', SAMPLE);
    const misleading = { [RELATED_TASK]: { taskId: 'another' } };
    const shown = await ask('tasks/get', { taskId, _meta: misleading });
    expect(shown).toMatchObject({ taskId, status: 'working' });
    expect(shown).not.toHaveProperty('_meta');
  });

  it('CORE-RES-1 CORE-RES-2 CORE-RES-3: gives the answer when it is there, as often as asked', async () => {
    const { ask, create, release } = await setting();
    const taskId = await create();
    const waiting = ask('tasks/result', { taskId });
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'working' });
    release();
    const expected = {
      action: 'accept',
      content: { name: 'Ann' },
      _meta: { [RELATED_TASK]: { taskId } },
    };
    expect(await waiting).toEqual(expected);
    expect(await ask('tasks/result', { taskId })).toEqual(expected);
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'completed' });
  });

  it('CORE-LIFE-3: fails a task whose question was not answered, with the same error', async () => {
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

  it('does not pass on an answer that is none', async () => {
    const { fail, create } = await setting({}, { form: () => ({ action: 'shrug' }) as never });
    expect(await fail('tasks/result', { taskId: await create() })).toMatchObject({ code: -32603 });
  });

  it('CORE-CAN-1 CORE-CAN-2 CORE-LIFE-1 CORE-LIFE-2: cancels a task once, and for good', async () => {
    const { ask, fail, create, release, signals } = await setting();
    const taskId = await create();
    await until(
      () => Promise.resolve(signals.length),
      (begun) => begun === 1,
    );
    expect(await ask('tasks/cancel', { taskId })).toMatchObject({ taskId, status: 'cancelled' });
    expect(signals[0]?.aborted).toBe(true);
    release();
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
    expect(await fail('tasks/cancel', { taskId })).toMatchObject({ code: -32602 });
    expect(await fail('tasks/result', { taskId })).toMatchObject({ code: -32800 });
  });

  it('CORE-CAN-3: lets notifications/cancelled end a wait, and no task', async () => {
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

  it('CORE-LST-1 CORE-LST-2: lists its tasks by pages', async () => {
    const { ask, fail, create } = await setting({ limits: { pageSize: 2 } });
    const made = [await create(), await create(), await create()];
    const listed: unknown[] = [];
    let cursor: unknown;
    do {
      const page = await ask('tasks/list', cursor === undefined ? {} : { cursor });
      listed.push(...(page['tasks'] as JsonObject[]).map((task) => task['taskId']));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(listed.sort()).toEqual(made.sort());
    expect(await fail('tasks/list', { cursor: 'nowhere' })).toMatchObject({ code: -32602 });
  });

  it('CORE-NOT-1: announces what becomes of a task', async () => {
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

  it('CORE-TTL-1 CORE-ERR-1: forgets tasks in time, and says that it knows none', async () => {
    const { ask, fail } = await setting();
    const { task } = await ask('elicitation/create', { ...FORM, task: { ttl: 20 } });
    const taskId = at(task, ['taskId']);
    expect(await fail('tasks/result', { taskId })).toMatchObject({ code: -32602 });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      expect(await fail(method, { taskId: 'never was' })).toMatchObject({ code: -32602 });
    }
  });

  it('refuses what makes no sense: parameters, modes, times to live, and too much of it', async () => {
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

  it('answers the questions of a task of ours by tasks of its own', async () => {
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
