import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { NotificationMap as CoreNotifications } from '../../generated/2025-11-25/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import type { NotificationMap as ExtNotifications } from '../../generated/ext-tasks/protocol.js';
import type { InputHandlers, DeclaredCapabilities } from '../../runtime/client/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at } from '../../runtime/peer/wire/json.js';
import { rig, until } from '../server/support.js';
import { sized } from '../support/size.js';
import {
  connect,
  type Connected,
  coreTask,
  extTask,
  peer,
  RESULT,
  transportTo,
} from './harness.js';

const REPLY = { model: 'm', role: 'assistant', content: { type: 'text', text: 'Hi' } } as const;
const ANSWERERS: Required<InputHandlers> = {
  form: () => ({ action: 'accept', content: {} }),
  url: () => ({ action: 'accept' }),
  sampling: () => REPLY,
  roots: () => ({ roots: [] }),
};
const FORM: JsonObject = {
  message: 'Name?',
  requestedSchema: { type: 'object', properties: {} },
};
const URL_MODE: JsonObject = {
  mode: 'url',
  elicitationId: '1',
  message: 'Look',
  url: 'https://x.example',
};
const SAMPLE: JsonObject = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
  maxTokens: 10,
};

/** Input requests with the capability that each needs. */
const QUESTIONS = [
  ['elicitation.form', 'elicitation/create', FORM],
  ['elicitation.url', 'elicitation/create', URL_MODE],
  ['sampling', 'sampling/createMessage', SAMPLE],
  ['roots', 'roots/list', {}],
] as const;

/** Every subset of the client capabilities; tasks only for declared kinds. */
const capabilities = fc
  .record({
    form: fc.boolean(),
    url: fc.boolean(),
    sampling: fc.boolean(),
    roots: fc.boolean(),
    extension: fc.boolean(),
    tasks: fc.option(
      fc.record({
        list: fc.boolean(),
        cancel: fc.boolean(),
        sampling: fc.boolean(),
        elicitation: fc.boolean(),
      }),
    ),
  })
  .map(({ form, url, sampling, roots, extension, tasks }): DeclaredCapabilities => {
    const elicits = form || url;
    const requests = {
      ...(sampling && tasks?.sampling && { sampling: { createMessage: {} } }),
      ...(elicits && tasks?.elicitation && { elicitation: { create: {} } }),
    };
    return {
      ...(elicits && { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } }),
      ...(sampling && { sampling: {} }),
      ...(roots && { roots: {} }),
      ...(extension && { extensions: { [EXTENSION_ID]: {} } }),
      ...(tasks && {
        tasks: { ...(tasks.list && { list: {} }), ...(tasks.cancel && { cancel: {} }), requests },
      }),
    };
  });

const declaredTo = ({ sent }: Connected): JsonObject =>
  at(
    sent.find(({ method }) => method === 'initialize'),
    ['params', 'capabilities'],
  ) as JsonObject;

describe('a client with the option capabilities', () => {
  it('CORE-CAP-2: declares exactly its core capabilities to a core server', async () => {
    await fc.assert(
      fc.asyncProperty(capabilities, async (listed) => {
        const server = peer(() => undefined, { dialect: 'core' });
        const options = { capabilities: listed, answer: ANSWERERS };
        const client = await connect(server.transport, 'core', options);
        const { extensions: _, ...core } = listed;
        expect(declaredTo(client)).toEqual(core);
        await client.tasks.close();
      }),
      { numRuns: sized(40) },
    );
  });

  it('CORE-CAP-3: answers declared input requests and refuses the others', async () => {
    await fc.assert(
      fc.asyncProperty(capabilities, async (listed) => {
        const server = peer(() => undefined, { dialect: 'core' });
        const options = { capabilities: listed, answer: ANSWERERS };
        const client = await connect(server.transport, 'core', options);
        for (const [index, [path, method, params]] of QUESTIONS.entries()) {
          const { error } = await server.ask(method, params, `question-${index}`);
          const isListed = at(listed, path.split('.')) !== undefined;
          expect([path, error === undefined]).toEqual([path, isListed]);
        }
        await client.tasks.close();
      }),
      { numRuns: sized(40) },
    );
  });

  it('CORE-CAP-6: answers tasks/list and tasks/cancel only if it declares them', async () => {
    await fc.assert(
      fc.asyncProperty(capabilities, async (listed) => {
        const server = peer(() => undefined, { dialect: 'core' });
        const options = { capabilities: listed, answer: ANSWERERS };
        const client = await connect(server.transport, 'core', options);
        const list = await server.ask('tasks/list', {}, 'list');
        const cancel = await server.ask('tasks/cancel', { taskId: 'none' }, 'cancel');
        expect(list.error?.code).toBe(listed.tasks?.list ? undefined : -32601);
        expect(cancel.error?.code).toBe(listed.tasks?.cancel ? -32602 : -32601);
        await client.tasks.close();
      }),
      { numRuns: sized(40) },
    );
  });

  it('CORE-CAP-4: runs only the declared request types as tasks', async () => {
    const server = peer(() => undefined, { dialect: 'core' });
    await connect(server.transport, 'core', {
      answer: ANSWERERS,
      capabilities: {
        sampling: {},
        elicitation: { form: {} },
        tasks: { requests: { sampling: { createMessage: {} } } },
      },
    });
    const sampled = await server.ask('sampling/createMessage', { ...SAMPLE, task: {} }, 'a');
    expect(sampled.result).toMatchObject({ task: { status: 'working' } });
    const elicited = await server.ask('elicitation/create', { ...FORM, task: {} }, 'b');
    expect(elicited.result).toEqual({ action: 'accept', content: {} });
  });

  it.each<[string, DeclaredCapabilities]>([
    ['elicitation.form', { elicitation: {} }],
    ['elicitation.form', { elicitation: { form: {} } }],
    ['elicitation.url', { elicitation: { url: {} } }],
    ['sampling', { sampling: {} }],
    ['roots', { roots: {} }],
    ['tasks.requests.elicitation.create', { tasks: { requests: { elicitation: { create: {} } } } }],
    [
      'tasks.requests.sampling.createMessage',
      { tasks: { requests: { sampling: { createMessage: {} } } } },
    ],
  ])('throws an error that names %s when that has no handler', async (path, listed) => {
    const server = peer(() => undefined, { dialect: 'core' });
    const connecting = connect(server.transport, 'core', { capabilities: listed });
    await expect(connecting).rejects.toThrow(`The client declares ${path}: pass answer.`);
  });

  it('throws an error for the option receiver without the capability tasks', async () => {
    const server = peer(() => undefined, { dialect: 'core' });
    const options = { capabilities: {}, receiver: {} };
    await expect(connect(server.transport, 'core', options)).rejects.toThrow('capability tasks');
  });

  it('EXT-CAP-1: declares the extension with every request if capabilities contains it', async () => {
    const listed = { extensions: { [EXTENSION_ID]: {} }, roots: {} };
    const server = transportTo(await rig(), 'stdio');
    const client = await connect(server, 'ext', { answer: ANSWERERS, capabilities: listed });
    await client.tasks.tools();
    const requests = client.sent.filter(({ id }) => id !== undefined);
    const declared = requests.map(({ params }) =>
      at(params, ['_meta', 'io.modelcontextprotocol/clientCapabilities']),
    );
    expect(declared.length).toBeGreaterThan(0);
    expect(declared.filter((each) => each !== undefined)).toEqual(declared.map(() => listed));
  });

  it('EXT-CLI-1: rejects a task as invalid_answer if it does not declare the extension', async () => {
    const server = peer(() => extTask('working', { resultType: 'task' }), { dialect: 'ext' });
    const { tasks } = await connect(server.transport, 'ext', { capabilities: {} });
    await expect(tasks.call('work')).rejects.toMatchObject({ reason: 'invalid_answer' });
  });

  const TOOLS = { tools: [{ name: 't', inputSchema: { type: 'object' } }] };
  const MIXED = {
    messages: [
      { role: 'assistant', content: { type: 'tool_use', id: '1', name: 't', input: {} } },
      {
        role: 'user',
        content: [
          { type: 'tool_result', toolUseId: '1', content: [] },
          { type: 'text', text: 'More' },
        ],
      },
    ],
  };
  it.each<[string, JsonObject, JsonObject, string]>([
    ['uses tools', {}, TOOLS, 'did not declare sampling.tools'],
    ['chooses tools', {}, { toolChoice: { mode: 'auto' } }, 'did not declare sampling.tools'],
    ['mixes results', { tools: {} }, MIXED, 'a message with a tool_result holds no other content'],
    ['uses tools', { tools: {} }, TOOLS, ''],
  ])(
    'refuses a sampling request that %s, where it declares %j',
    async (_, sampling, more, what) => {
      const params = { ...SAMPLE, ...more };
      const options = { capabilities: { sampling }, answer: ANSWERERS };
      const core = peer(() => undefined, { dialect: 'core' });
      await connect(core.transport, 'core', options);
      const { error, result } = await core.ask('sampling/createMessage', params);
      const inputRequests = { q: { method: 'sampling/createMessage', params } };
      const ext = peer(
        (_request, times) => ({
          ...(times > 1 ? RESULT : { inputRequests }),
          resultType: times > 1 ? 'complete' : 'input_required',
        }),
        { dialect: 'ext' },
      );
      const { tasks } = await connect(ext.transport, 'ext', options);
      const called = tasks.call('work');
      if (what === '') {
        expect(result).toEqual(REPLY);
        expect(await called).toMatchObject(RESULT);
      } else {
        expect(error).toMatchObject({
          code: -32602,
          message: expect.stringContaining(what) as string,
        });
        await expect(called).rejects.toMatchObject({
          reason: 'input_failed',
          cause: { message: expect.stringContaining(what) as string },
        });
      }
    },
  );

  it('does not call onInput for an undeclared kind of input request', async () => {
    const asks = {
      resultType: 'input_required',
      inputRequests: { name: { method: 'elicitation/create', params: FORM } },
    };
    const server = peer(() => asks, { dialect: 'ext' });
    const { tasks } = await connect(server.transport, 'ext', { capabilities: {} });
    const calls: string[] = [];
    const onInput = ({ method }: { method: string }): JsonObject => {
      calls.push(method);
      return { action: 'accept', content: {} };
    };
    await expect(tasks.call('work', {}, { onInput })).rejects.toMatchObject({
      reason: 'input_failed',
      cause: {
        message: 'The client did not declare elicitation.form',
      },
    });
    expect(calls).toEqual([]);
  });
});

describe('status handlers', () => {
  it('CORE-NOT-1: get the params of notifications/tasks/status', async () => {
    const server = peer(() => undefined, { dialect: 'core' });
    const params: CoreNotifications['notifications/tasks/status']['params'][] = [];
    const { problems } = await connect(server.transport, 'core', {
      statusHandlers: { 'notifications/tasks/status': (each) => params.push(each) },
    });
    const task = coreTask('working', { statusMessage: 'half way' });
    server.say('notifications/tasks/status', coreTask('dreaming'));
    server.say('notifications/tasks/status', task);
    await until(
      () => Promise.resolve(params.length),
      (count) => count > 0,
    );
    expect(params).toEqual([task]);
    expect(problems).toHaveLength(1);
  });

  it('EXT-NOT-1: get the params of notifications/tasks, with the result of a completed task', async () => {
    const params: ExtNotifications['notifications/tasks']['params'][] = [];
    const { tasks } = await connect(transportTo(await rig(), 'stdio'), 'ext', {
      statusHandlers: { 'notifications/tasks': (each) => params.push(each) },
    });
    const handle = await tasks.start('wait', { ms: 200 });
    await handle.result();
    await until(
      () => Promise.resolve(params.at(-1)?.status),
      (status) => status === 'completed',
    );
    expect(params.at(-1)).toMatchObject({
      taskId: handle.state?.taskId,
      result: { content: [{ type: 'text' }] },
    });
  });

  it('that throw do not end the call, and onError gets the error', async () => {
    const server = peer(
      ({ method }) =>
        method === 'tools/call'
          ? { task: coreTask('working') }
          : method === 'tasks/get'
            ? coreTask('working')
            : undefined,
      { dialect: 'core' },
    );
    const { tasks, problems } = await connect(server.transport, 'core', {
      statusHandlers: {
        'notifications/tasks/status': () => {
          throw new Error('broken handler');
        },
      },
    });
    const handle = await tasks.start('work');
    server.say('notifications/tasks/status', coreTask('working', { statusMessage: 'half way' }));
    await until(
      () => Promise.resolve(handle.state?.statusMessage),
      (message) => message === 'half way',
    );
    const [request] = server.requests('tasks/result');
    server.answer(request?.id, RESULT);
    expect(await handle.result()).toEqual(RESULT);
    expect(problems.map(({ message }) => message)).toEqual(['broken handler']);
  });
});
