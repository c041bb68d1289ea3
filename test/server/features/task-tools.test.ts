import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import {
  createTaskServer,
  defineTool,
  type TaskServerOptions,
} from '../../../runtime/server/index.js';
import type { JsonObject } from '../../../runtime/tasks/index.js';
import { legacy, modern, modernResponse, type Rig, rig, tokenOf } from '../support.js';
import { hold } from '../tools.js';

const tools = [
  defineTool({
    name: 'quick',
    description: 'Answers at once.',
    input: z.object({}),
    run: () => 'quick',
  }),
  defineTool({
    name: 'long',
    description: 'Takes long.',
    input: z.object({ label: z.string() }),
    output: z.object({ label: z.string() }),
    taskSupport: 'required',
    async run({ args, task }) {
      await task.setStatus('half of it');
      await hold(args.label).released;
      return args;
    },
  }),
  defineTool({
    name: 'maybe',
    description: 'May take long.',
    input: z.object({ n: z.number() }),
    taskSupport: 'optional',
    run: ({ args }) => `n is ${args.n}`,
  }),
  defineTool({
    name: 'books',
    description: 'Asks before it books.',
    input: z.object({}),
    taskSupport: 'required',
    asks: ['elicitation.form'],
    async run({ task }) {
      const { action, content } = await task.elicit({
        message: 'How many seats?',
        requestedSchema: {
          type: 'object',
          properties: { seats: { type: 'integer', minimum: 1 } },
          required: ['seats'],
        },
      });
      return action === 'accept' ? `booked ${String(content?.['seats'])}` : `no: ${action}`;
    },
  }),
  defineTool({
    name: 'broken',
    description: 'Fails.',
    input: z.object({}),
    taskSupport: 'required',
    run: () => Promise.reject(new Error('out of paper')),
  }),
];

type Call = (name: string, args?: JsonObject) => Promise<JsonObject>;

interface Client {
  readonly call: Call;
  readonly list: () => Promise<readonly JsonObject[]>;
}

/** Clients that declare no tasks, of both dialects. */
const CLIENTS: readonly (readonly [string, (rig: Rig, token?: string) => Promise<Client>])[] = [
  [
    'a session',
    async (host, token = tokenOf('ann')) => {
      const session = await legacy(host, { token });
      const ask = async (method: string, params: JsonObject): Promise<JsonObject> => {
        const { result, error } = await session.request(method, params);
        if (result === undefined) throw Object.assign(new Error(error?.message), error);
        return result;
      };
      return {
        call: (name, args = {}) => ask('tools/call', { name, arguments: args }),
        list: async () => (await ask('tools/list', {}))['tools'] as readonly JsonObject[],
      };
    },
  ],
  [
    'a request of 2026-07-28',
    (host, token = tokenOf('ann')) => {
      const ask = async (method: string, params: JsonObject): Promise<JsonObject> => {
        const { result, error } = await modern(host, method, params, { token, capabilities: {} });
        if (result === undefined) throw Object.assign(new Error(error?.message), error);
        return result;
      };
      return Promise.resolve({
        call: (name: string, args: JsonObject = {}) => ask('tools/call', { name, arguments: args }),
        list: async () => (await ask('tools/list', {}))['tools'] as readonly JsonObject[],
      });
    },
  ],
];

const started = (more: Partial<TaskServerOptions> = {}): Promise<Rig> =>
  rig({ tools, tasksAsTools: { afterMs: 100 }, ...more });

const textOf = ({ content }: JsonObject): string =>
  (content as readonly { readonly text: string }[]).map(({ text }) => text).join('\n');
const stateOf = ({ structuredContent }: JsonObject): JsonObject => structuredContent as JsonObject;
const names = (listed: readonly JsonObject[]): unknown[] => listed.map(({ name }) => name);
let labels = 0;
/** What is held under it is held by no other test. */
const freshLabel = (): string => `long ${(labels += 1)}`;
const OWN = ['task_get', 'task_wait', 'task_answer', 'task_cancel'];

describe.each(CLIENTS)('tasks as tools, for %s that declares none', (_, connect) => {
  it('lists tools that it can call plainly, and those for tasks', async () => {
    const { list } = await connect(await started());
    const listed = await list();
    expect(names(listed)).toEqual(['quick', 'long', 'maybe', 'books', 'broken', ...OWN]);
    for (const { execution, outputSchema } of listed) {
      expect((execution as JsonObject | undefined)?.['taskSupport']).not.toBe('required');
      expect(outputSchema).toBeUndefined();
    }
  });

  it('answers a short call with its result, also where a task was behind it', async () => {
    const { call } = await connect(await started());
    expect(textOf(await call('quick'))).toBe('quick');
    expect(textOf(await call('maybe', { n: 3 }))).toBe('n is 3');
    const failed = await call('broken');
    expect(failed).toMatchObject({ isError: true });
    expect(textOf(failed)).toBe('out of paper');
    expect(await call('maybe', { n: 'x' })).toMatchObject({ isError: true });
  });

  it.each([
    ['all waiters are taken', { listenersPerOwner: 1 }],
    ['the rate of its owner is used up', { readsPerSecond: 1, readBurst: 1 }],
  ])('names the task of a call that cannot wait, because %s', async (_reason, limits) => {
    const { call } = await connect(await started({ limits }));
    const labels = [freshLabel(), freshLabel()];
    const answers = await Promise.all(labels.map((label) => call('long', { label })));
    for (const answer of answers) expect(stateOf(answer)).toMatchObject({ status: 'working' });
    labels.forEach((label) => hold(label).release());
  });

  it('names the task of a call that lasts, and gives its result to those who wait', async () => {
    const { call } = await connect(await started());
    const label = freshLabel();
    const named = await call('long', { label });
    const { taskId } = stateOf(named) as { readonly taskId: string };
    expect(stateOf(named)).toMatchObject({ status: 'working', statusMessage: 'half of it' });
    expect(textOf(named)).toContain(`Call task_wait with {"taskId": "${taskId}"}`);
    expect(stateOf(await call('task_get', { taskId }))).toMatchObject({ status: 'working' });
    expect(stateOf(await call('task_wait', { taskId }))).toMatchObject({ status: 'working' });
    const waiting = call('task_wait', { taskId });
    hold(label).release();
    let ended = await waiting;
    if (stateOf(ended)['status'] === 'working') ended = await call('task_wait', { taskId });
    expect(ended['structuredContent']).toEqual({ label });
    expect((await call('task_get', { taskId }))['structuredContent']).toEqual({ label });
  });

  it('shows a question, takes no answer of another form, and goes on with the right one', async () => {
    const { call } = await connect(await started());
    const asked = await call('books');
    const { taskId, questions } = stateOf(asked) as {
      readonly taskId: string;
      readonly questions: readonly [{ readonly question: string }];
    };
    expect(textOf(asked)).toContain('How many seats?');
    expect(textOf(asked)).toContain('"minimum":1');
    const [{ question }] = questions;
    const wrong = await call('task_answer', { taskId, action: 'accept', content: { seats: 0 } });
    expect(wrong).toMatchObject({ isError: true });
    expect(await call('task_answer', { taskId, action: 'maybe' })).toMatchObject({ isError: true });
    const other = await call('task_answer', { taskId, question: 'x', action: 'decline' });
    expect(textOf(other)).toContain(`It asks: ${question}`);
    await call('task_answer', { taskId, question, action: 'accept', content: { seats: 2 } });
    expect(textOf(await call('task_wait', { taskId }))).toBe('booked 2');
    const late = await call('task_answer', { taskId, action: 'decline' });
    expect(textOf(late)).toContain('It asks nothing now');
  });

  it('cancels a task', async () => {
    const label = freshLabel();
    const { call } = await connect(await started());
    const { taskId } = stateOf(await call('long', { label }));
    expect(textOf(await call('task_cancel', { taskId }))).toContain('was cancelled');
    expect(textOf(await call('task_wait', { taskId }))).toContain('was cancelled');
    hold(label).release();
  });

  it('keeps tasks from other users, and says so for ids that are none', async () => {
    const label = freshLabel();
    const host = await started();
    const { call } = await connect(host);
    const bob = await connect(host, tokenOf('bob'));
    const { taskId } = stateOf(await call('long', { label }));
    for (const tool of OWN) {
      for (const id of [taskId, 'x', 7, undefined, '__proto__']) {
        const answer = await bob.call(tool, { taskId: id, action: 'decline' });
        expect(answer, `${tool} ${String(id)}`).toMatchObject({ isError: true });
      }
    }
    expect(stateOf(await call('task_get', { taskId }))).toMatchObject({ status: 'working' });
    hold(label).release();
  });
});

describe('tasks as tools', () => {
  it('change nothing for clients that declare tasks', async () => {
    const host = await started();
    const { result } = await modern(host, 'tools/list');
    expect(names(result?.['tools'] as JsonObject[])).not.toContain('task_wait');
    const call = await modern(host, 'tools/call', { name: 'maybe', arguments: { n: 1 } });
    expect(call.result).toMatchObject({ resultType: 'task' });
    const session = await legacy(host, { capabilities: { tasks: {} } });
    expect(await session.request('tools/call', { name: 'long', arguments: {} })).toMatchObject({
      error: { code: -32601 },
    });
    const asTask = { name: 'maybe', arguments: { n: 1 }, task: {} };
    const undeclared = await legacy(host);
    expect((await undeclared.request('tools/call', asTask)).result).toHaveProperty('task');
  });

  it('are for clients that declare tasks which are not served to them', async () => {
    const older = await legacy(await started(), {
      revision: '2025-06-18',
      capabilities: { tasks: {} },
    });
    const { result } = await older.request('tools/list');
    expect(names(result?.['tools'] as JsonObject[])).toContain('task_wait');
    for (const { execution } of result?.['tools'] as JsonObject[])
      expect(execution).toBeUndefined();
    const call = { name: 'books', arguments: {} };
    expect((await older.request('tools/call', call)).result).toMatchObject({
      structuredContent: { status: 'input_required' },
    });

    const capabilities = { core: { tasks: { requests: { tools: { call: {} } } } } };
    const host = await started({ tools: tools.slice(0, 3), capabilities });
    const named = await modern(host, 'tools/call', { name: 'maybe', arguments: { n: 1 } });
    expect(named.result).toMatchObject({ content: [{ text: 'n is 1' }] });
  });

  it('leave to the client what it can be asked itself, and no question that a model cannot answer', async () => {
    const asks = defineTool({
      name: 'asks',
      description: 'Asks.',
      input: z.object({}),
      taskSupport: 'optional',
      asks: ['elicitation.form'],
      retryable: true,
      async run({ task }) {
        const { action } = await task.elicit({
          message: 'Sure?',
          requestedSchema: { type: 'object', properties: {} },
        });
        return action;
      },
    });
    const samples = defineTool({
      name: 'samples',
      description: 'Samples.',
      input: z.object({}),
      taskSupport: 'required',
      asks: ['sampling'],
      async run({ task }) {
        await task.sample({ messages: [], maxTokens: 1 });
        return '';
      },
    });
    const host = await started({ tools: [asks, samples], tasksAsTools: { afterMs: 5_000 } });
    const session = await legacy(host, {
      capabilities: { elicitation: {}, sampling: {} },
      respond: ({ method }) =>
        method === 'elicitation/create' ? { result: { action: 'decline' } } : undefined,
    });
    const asked = await session.request('tools/call', { name: 'asks', arguments: {} });
    expect(asked.result).toMatchObject({ content: [{ text: 'decline' }] });
    expect(session.heard.map(({ method }) => method)).toContain('elicitation/create');
    const sampled = await session.request('tools/call', { name: 'samples', arguments: {} });
    expect(sampled.error).toMatchObject({ code: -32021 });
  });

  it('send progress while a call waits', async () => {
    const counting = defineTool({
      name: 'counting',
      description: 'Counts.',
      input: z.object({}),
      taskSupport: 'required',
      async run({ task }) {
        task.progress({ progress: 1, total: 2 });
        await hold('counting').released;
        return 'counted';
      },
    });
    const host = await started({ tools: [counting], tasksAsTools: { afterMs: 60_000 } });
    const session = await legacy(host);
    const params = { name: 'counting', arguments: {}, _meta: { progressToken: 'p' } };
    const call = session.request('tools/call', params);
    await expect
      .poll(() => session.heard.map(({ params: said }) => said))
      .toContainEqual(expect.objectContaining({ progressToken: 'p', progress: 1, total: 2 }));
    hold('counting').release();
    expect((await call).result).toMatchObject({ content: [{ text: 'counted' }] });
  });

  it('are absent unless they are wanted', async () => {
    const host = await rig({ tools });
    const { result } = await modern(host, 'tools/list', {}, { capabilities: {} });
    expect(names(result?.['tools'] as JsonObject[])).not.toContain('task_wait');
    const call = await modern(
      host,
      'tools/call',
      { name: 'long', arguments: { label: '' } },
      { capabilities: {} },
    );
    expect(call.error).toMatchObject({ code: -32021 });
  });

  it('cancel the task of a call whose client left before it was named', async () => {
    const seen: string[] = [];
    const onTaskStatus = ({ status }: { readonly status: string }): void => void seen.push(status);
    const host = await started({ tasksAsTools: { afterMs: 60_000 }, onTaskStatus });
    const leaving = new AbortController();
    const params = { name: 'long', arguments: { label: 'left' } };
    const { signal } = leaving;
    modernResponse(host, 'tools/call', params, { capabilities: {} }, signal).catch(() => undefined);
    await expect.poll(() => seen).toContain('working');
    leaving.abort();
    await expect.poll(() => seen).toContain('cancelled');
    hold('left').release();
  });

  it('are refused where a tool has one of their names, and for a time that is none', async () => {
    const taken = defineTool({
      name: 'task_get',
      description: '',
      input: z.object({}),
      run: () => '',
    });
    const create = (options: Partial<TaskServerOptions>) =>
      createTaskServer({ name: 'test', version: '1', tools: [taken], ...options });
    await expect(create({ tasksAsTools: true })).rejects.toThrow(
      /Tool "task_get": `tasksAsTools` has/,
    );
    await expect(create({ tools: [], tasksAsTools: { afterMs: -1 } })).rejects.toThrow(RangeError);
  });
});
