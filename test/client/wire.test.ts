import { describe, expect, it } from 'vitest';

import { type Message, until } from '../server/support.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { connect, coreTask, extTask, peer, RESULT, TOOL } from './harness.js';

describe('calls that are stopped before the answer', () => {
  it('CORE-CAN-3: the client cancels a late task by tasks/cancel, never by notifications/cancelled', async () => {
    const server = peer(
      ({ method }) => (method === 'tasks/cancel' ? coreTask('cancelled') : undefined),
      { dialect: 'core' },
    );
    const { tasks, sent } = await connect(server.transport, 'core');
    const stop = new AbortController();
    const answered = tasks.call('work', {}, { signal: stop.signal });
    const [call] = await until(
      () => Promise.resolve(server.requests('tools/call')),
      ({ length }) => length > 0,
    );
    stop.abort();
    await expect(answered).rejects.toMatchObject({ reason: 'cancelled' });
    server.answer(call?.id, { task: coreTask('working') });
    await until(
      () => Promise.resolve(server.requests('tasks/cancel')),
      ({ length }) => length > 0,
    );
    expect(server.requests('tasks/cancel')[0]?.params).toMatchObject({ taskId: 'one' });
    expect(sent.filter(({ method }) => method === 'notifications/cancelled')).toEqual([]);
  });

  it('EXT-CAN-2: the client cancels the request by notifications/cancelled, and a late task by tasks/cancel', async () => {
    const server = peer(
      ({ method }) => (method === 'tasks/cancel' ? { resultType: 'complete' } : undefined),
      { dialect: 'ext' },
    );
    const { tasks, sent, problems } = await connect(server.transport, 'ext');
    const stop = new AbortController();
    const answered = tasks.call('work', {}, { signal: stop.signal });
    const [call] = await until(
      () => Promise.resolve(server.requests('tools/call')),
      ({ length }) => length > 0,
    );
    stop.abort();
    await expect(answered).rejects.toMatchObject({ reason: 'cancelled' });
    expect(sent.at(-1)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: call?.id },
    });
    server.answer(call?.id, extTask('working', { resultType: 'task' }));
    await until(
      () => Promise.resolve(server.requests('tasks/cancel')),
      ({ length }) => length > 0,
    );
    expect(problems).toEqual([]);
  });
});

describe('the error message of a stopped call', () => {
  it.each(['core', 'ext'] as const)(
    '%s: says before the answer that a task may still be created',
    async (dialect) => {
      const server = peer(() => undefined, { dialect });
      const { tasks } = await connect(server.transport, dialect);
      await expect(tasks.call('work', {}, { timeout: 50 })).rejects.toMatchObject({
        reason: 'timeout',
        message: expect.stringMatching(/had not answered and may still create a task/) as string,
        reference: undefined,
      });
    },
  );

  const PROGRESS = { progress: 3, total: 10, message: 'Compiling' };
  const STATUS = coreTask('working', { statusMessage: 'Compiling' });
  it.each([
    ['core', 'notifications/progress', PROGRESS, '(3 of 10, Compiling)'],
    ['ext', 'notifications/progress', PROGRESS, '(3 of 10, Compiling)'],
    ['core', 'notifications/tasks/status', STATUS, '(working, Compiling)'],
    ['ext', 'notifications/message', { level: 'info', data: 'Compiling' }, ''],
  ] as const)('%s: says what the server sent last, %s', async (dialect, method, params, shown) => {
    const server = peer(
      (request, times) => {
        if (times > 1) return undefined;
        const { progressToken } = request.params?.['_meta'] as JsonObject;
        server.say(
          method,
          method === 'notifications/progress' ? { ...params, progressToken } : params,
        );
        return undefined;
      },
      { dialect },
    );
    const { tasks, got } = await connect(server.transport, dialect);
    const stop = new AbortController();
    const { signal } = stop;
    const call = tasks.call('work', {}, { signal, onProgress: () => undefined });
    const ended = expect(call).rejects.toMatchObject({
      message: expect.stringContaining(
        `sent ${`${method} ${shown}`.trim()} last, and no answer`,
      ) as string,
    });
    await until(
      () => Promise.resolve(got.at(-1)?.method),
      (last) => last === method,
    );
    stop.abort();
    await ended;
    // It has nothing to do with the next call.
    await expect(tasks.call('work', {}, { signal: AbortSignal.timeout(0) })).rejects.toMatchObject({
      message: expect.not.stringContaining('last') as string,
    });
  });

  it.each([
    ['core', 'sent elicitation/create last, and no answer to the call. It may still create'],
    ['ext', "the server's elicitation/create is not answered, so there is no task"],
  ] as const)('%s: says that the server had asked', async (dialect, said) => {
    const params = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
    const server = peer(
      () => {
        if (dialect === 'ext') {
          const question = { method: 'elicitation/create', params: { mode: 'form', ...params } };
          return { resultType: 'input_required', inputRequests: { which: question } };
        }
        void server.ask('elicitation/create', params);
        return undefined;
      },
      { dialect },
    );
    const stop = new AbortController();
    const form = (): Promise<never> => {
      stop.abort();
      return new Promise(() => undefined);
    };
    const { tasks } = await connect(server.transport, dialect, { answer: { form } });
    await expect(tasks.call('work', {}, { signal: stop.signal })).rejects.toMatchObject({
      message: expect.stringContaining(said) as string,
    });
  });

  it.each(['core', 'ext'] as const)(
    '%s: says before the request that there is no task',
    async (dialect) => {
      const server = peer(() => undefined, { dialect });
      const { tasks } = await connect(server.transport, dialect);
      const signal = AbortSignal.abort();
      await expect(tasks.call('work', {}, { signal })).rejects.toMatchObject({
        reason: 'cancelled',
        message: expect.stringMatching(/had not been sent, so there is no task/) as string,
      });
      expect(server.requests('tools/call')).toEqual([]);
    },
  );
});

describe('params.task', () => {
  const required = { ...TOOL, execution: { taskSupport: 'required' } };

  describe.each([
    ['no tasks', { tools: {} }],
    ['tasks, but not for tool calls', { tools: {}, tasks: { requests: { prompts: {} } } }],
  ])('when the server declares %s', (_, capabilities) => {
    it('CORE-CAP-5: is absent for an optional tool', async () => {
      const server = peer(() => RESULT, { dialect: 'core', capabilities });
      const { tasks } = await connect(server.transport, 'core');
      expect(await tasks.call('work')).toEqual(RESULT);
      expect(server.requests('tools/call')[0]?.params).not.toHaveProperty('task');
    });

    it('CORE-TOOL-1: is absent for a required tool', async () => {
      const server = peer(() => RESULT, { dialect: 'core', capabilities, tools: [required] });
      const { tasks } = await connect(server.transport, 'core');
      expect(await tasks.call('work')).toEqual(RESULT);
      expect(server.requests('tools/call')[0]?.params).not.toHaveProperty('task');
    });
  });

  it('EXT-CAP-4: is absent in the extension, also for a required tool', async () => {
    const server = peer(() => ({ resultType: 'complete', ...RESULT }), {
      dialect: 'ext',
      tools: [required],
    });
    const { tasks } = await connect(server.transport, 'ext');
    await tasks.tools();
    expect(await tasks.call('work')).toEqual(RESULT);
    expect(server.requests('tools/call')[0]?.params).not.toHaveProperty('task');
  });

  it('CORE-TOOL-4: is sent for a tool that became required, after list_changed', async () => {
    const tools = [{ ...TOOL, execution: { taskSupport: 'forbidden' } }];
    const server = peer(() => RESULT, { dialect: 'core', tools });
    const { tasks, got } = await connect(server.transport, 'core');
    await tasks.call('work');
    await tasks.call('work');
    expect(server.requests('tools/list')).toHaveLength(1);
    tools[0] = required;
    server.say('notifications/tools/list_changed', {});
    await until(
      () => Promise.resolve(got.at(-1)?.method),
      (method) => method === 'notifications/tools/list_changed',
    );
    // The client accepts a plain result although it requested a task.
    expect(await tasks.call('work')).toEqual(RESULT);
    expect(server.requests('tools/call').map(({ params }) => params?.['task'])).toEqual([
      undefined,
      undefined,
      {},
    ]);
  });
});

describe('structured content', () => {
  const outputSchema = {
    type: 'object',
    properties: { sum: { type: 'number' } },
    required: ['sum'],
  };

  const answers = {
    core: (result: JsonObject, { method, params }: Message) =>
      method === 'tools/call' && params?.['task'] !== undefined
        ? { task: coreTask('working') }
        : method === 'tasks/get'
          ? coreTask('completed')
          : result,
    ext: (result: JsonObject) => ({ resultType: 'complete', ...result }),
  };

  describe.each([
    ['core', true],
    ['core', false],
    ['ext', false],
  ] as const)('%s, as a task: %s', (dialect, asTask) => {
    it.each([
      ['is accepted if it matches the output schema', { sum: 3 }, undefined],
      ['fails the call if it does not match', { sum: 'many' }, 'invalid_answer'],
      ['fails the call if it is missing', undefined, 'invalid_answer'],
      ['fails the call if it is no object', [3], 'invalid_answer'],
    ])('%s', async (_, structuredContent, reason) => {
      const result = { ...RESULT, ...(structuredContent && { structuredContent }) };
      const server = peer((request) => answers[dialect](result, request), {
        dialect,
        tools: [{ ...TOOL, outputSchema }],
      });
      const { tasks } = await connect(server.transport, dialect);
      await tasks.tools();
      const answered = tasks.call('work', {}, { asTask });
      if (reason === undefined) expect(await answered).toEqual(result);
      // Its content is not lost.
      else await expect(answered).rejects.toMatchObject({ failure: { reason, result } });
    });
  });
});

it('a list of tools is kept as long as the server says, and in a session until it changes', async () => {
  for (const [dialect, hints, lists] of [
    ['ext', { ttlMs: 0, cacheScope: 'public' }, 2],
    ['ext', { ttlMs: -1, cacheScope: 'public' }, 2],
    ['ext', {}, 2],
    ['ext', { ttlMs: 60_000 }, 1],
    ['core', {}, 1],
  ] as const) {
    const server = peer(() => undefined, { dialect, tools: [TOOL], hints });
    const { tasks } = await connect(server.transport, dialect);
    const together = await Promise.all([tasks.tools(), tasks.tools()]);
    expect(together.map(({ length }) => length)).toEqual([1, 1]);
    await tasks.tools();
    expect(server.requests('tools/list'), JSON.stringify(hints)).toHaveLength(lists);
  }
});

it('a list of tools that changed on its way does not judge later results', async () => {
  const server = peer(() => ({ resultType: 'complete', ...RESULT }), {
    dialect: 'ext',
    get tools() {
      server.say('notifications/tools/list_changed', {});
      return [{ ...TOOL, outputSchema: { type: 'object', required: ['gone'] } }];
    },
  });
  const { tasks } = await connect(server.transport, 'ext');
  expect(await tasks.tools()).toHaveLength(1);
  expect(await tasks.call('work')).toMatchObject(RESULT);
});

it('the client reconnects after a lost connection and resumes its tasks', async () => {
  const script = ({ method }: { readonly method?: string }) =>
    method === 'tools/call' ? { task: coreTask('working') } : undefined;
  const server = peer(script, { dialect: 'core' });
  const { tasks } = await connect(server.transport, 'core');
  const handle = await tasks.start('work');
  await server.close();
  await expect(handle.result()).rejects.toMatchObject({ reason: 'lost' });
  const after = peer(({ method }) => (method === 'tasks/get' ? coreTask('completed') : RESULT), {
    dialect: 'core',
  });
  await tasks.connect(after.transport);
  const resumed = await tasks.resume(handle.reference ?? '');
  expect(await resumed.result()).toEqual(RESULT);
});

it('a call continues when its onStatus throws', async () => {
  const server = peer(
    ({ method }) =>
      method === 'tools/call'
        ? { task: coreTask('working') }
        : method === 'tasks/get'
          ? coreTask('completed')
          : RESULT,
    { dialect: 'core' },
  );
  const { tasks, problems } = await connect(server.transport, 'core');
  const onStatus = (): never => {
    throw new Error('Not interested');
  };
  expect(await tasks.call('work', {}, { onStatus })).toEqual(RESULT);
  expect(problems.map(({ message }) => message)).toContain('Not interested');
});

it('a lost connection fails a call at once with lost and its reference', async () => {
  const server = peer(
    ({ method }) => (method === 'tools/call' ? { task: coreTask('working') } : undefined),
    { dialect: 'core' },
  );
  const { tasks } = await connect(server.transport, 'core');
  const handle = await tasks.start('work');
  const lost = expect(handle.result()).rejects.toMatchObject({
    reason: 'lost',
    reference: handle.reference,
  });
  await server.close();
  await lost;
  await expect(tasks.call('work')).rejects.toMatchObject({ reason: 'lost' });
  const { reference = '' } = handle;
  await expect(tasks.resume(reference)).rejects.toMatchObject({ reason: 'lost', reference });
});

it.each([2 ** 31, Infinity])('a timeout of %s ms does not fail at once', async (timeout) => {
  const server = peer(() => undefined, { dialect: 'core' });
  const { tasks } = await connect(server.transport, 'core');
  const asked = tasks.request('prompts/list', {}, { timeout });
  const [request] = await until(
    () => Promise.resolve(server.requests('prompts/list')),
    ({ length }) => length > 0,
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  server.answer(request?.id, { prompts: [] });
  expect(await asked).toMatchObject({ prompts: [] });
});
