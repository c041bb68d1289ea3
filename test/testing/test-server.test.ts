import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { CallError } from '../../runtime/client/index.js';
import { defineServer, defineTool, type ServerDefinition } from '../../runtime/server/index.js';
import { createMemoryStore } from '../../runtime/stores/memory/index.js';
import type { TaskStore } from '../../runtime/tasks/index.js';
import {
  EachWayError,
  startTestServer,
  type ServerUnderTest,
  type TestServer,
  type TestServerOptions,
} from '../../runtime/testing/index.js';
import { SHOP } from './shop.js';

const EACH_WAY = ['plain 2025-11-25', 'task 2025-11-25', 'plain 2026-07-28', 'task 2026-07-28'];
const TASKS = ['task 2025-11-25', 'task 2026-07-28'];
const PLACES = ['memory', 'http'] as const;
const form = () => ({ action: 'accept' as const, content: { room: 'Tower' } });

async function start<S>(
  server: ServerUnderTest<S>,
  options?: TestServerOptions<S>,
): Promise<TestServer> {
  const started = await startTestServer(server, options);
  onTestFinished(() => started.close());
  return started;
}

/** The rejection of a promise. */
async function rejection<E extends Error>(promise: Promise<unknown>): Promise<E> {
  return promise.then(
    () => Promise.reject(new Error('It resolved')),
    (error: unknown) => error as E,
  );
}

const withTools = (...tools: ServerDefinition['tools']): ServerDefinition =>
  defineServer({ name: 'test', version: '1.0.0', tools });

describe.each(PLACES)('a test server over %s', (over) => {
  it('calls a tool in each way', async () => {
    const server = await start(SHOP, { over });
    expect(server.ways).toEqual(EACH_WAY);
    const results = await server.callEachWay('count', { text: 'one two three' });
    expect(results.map(([way]) => way)).toEqual(EACH_WAY);
    for (const [, { structuredContent }] of results)
      expect(structuredContent).toEqual({ words: 3 });
  });

  it('makes tasks of exactly the calls that are tasks', async () => {
    const created: string[] = [];
    const server = await start({ ...SHOP, onTaskStatus: ({ id }) => created.push(id) }, { over });
    for (const way of server.waysOf('count')) {
      const before = new Set(created).size;
      await server.call('count', { text: 'one' }, { way });
      expect(new Set(created).size - before, way).toBe(way.startsWith('task') ? 1 : 0);
    }
    const states: string[] = [];
    const way = 'task 2025-11-25';
    await server.call('bake', {}, { way, onStatus: ({ status }) => void states.push(status) });
    expect(states.at(-1)).toBe('completed');
  });

  it('answers what a tool asks, and leaves out the way in which it cannot ask', async () => {
    const server = await start(SHOP, { over, answer: { form } });
    const results = await server.callEachWay('book');
    // The tool is not retryable, so a plain call of the newest revision cannot ask.
    expect(results.map(([way]) => way)).toEqual(
      EACH_WAY.filter((way) => way !== 'plain 2026-07-28'),
    );
    for (const [, { content }] of results)
      expect(content).toMatchObject([{ text: 'Booked Tower' }]);
  });

  it('asks by another handler for one client', async () => {
    const server = await start(SHOP, { over, answer: { form } });
    const client = await server.client('task 2026-07-28', {
      answer: { form: () => ({ action: 'decline' }) },
    });
    expect((await client.call('book')).content).toMatchObject([{ text: 'Booked nothing' }]);
  });

  it('says in which way a tool asks that nothing answers', async () => {
    const server = await start(SHOP, { over });
    const { failures } = await rejection<EachWayError>(server.callEachWay('book'));
    expect(failures.map(([way]) => way)).toEqual(['plain 2025-11-25', ...TASKS]);
    for (const [way, { message }] of failures) {
      expect(message).toContain(`book, ${way}: `);
      expect(message).toContain('elicitation');
    }
  });

  it('names each way in which a tool fails, with its reason', async () => {
    const server = await start(SHOP, { over });
    const error = await rejection<EachWayError>(server.callEachWay('fail'));
    expect(error).toBeInstanceOf(EachWayError);
    expect(error.message.split('\n')).toEqual([
      'fail failed in 4 of its ways:',
      ...EACH_WAY.map((way) => `  fail, ${way}: There is no order 7`),
    ]);
    expect(error.failures.map(([, { reason }]) => reason)).toEqual(Array(4).fill('tool_error'));
    const one = rejection<CallError>(server.call('fail', {}, { way: 'task 2026-07-28' }));
    expect(await one).toMatchObject({
      message: 'fail, task 2026-07-28: There is no order 7',
      failure: { reason: 'tool_error', result: { isError: true } },
    });
  });

  it('ends a call that hangs, and names the way', async () => {
    const server = await start(SHOP, { over, timeout: 1_500 });
    const error = await rejection<EachWayError>(server.callEachWay('hang'));
    expect(error.failures).toHaveLength(1);
    expect(error.failures[0]?.[1].reason).toBe('timeout');
    expect(error.message).toMatch(/hang, plain 2025-11-25: .*1500 ms/);
    const own = server.call('hang', {}, { way: 'task 2026-07-28', timeout: 100 });
    expect((await rejection(own)).message).toMatch(/hang, task 2026-07-28: .*100 ms/);
  });

  it('ends calls under way when it closes, and closes once', async () => {
    const server = await start(SHOP, { over });
    const calls = (['plain 2025-11-25', 'task 2026-07-28'] as const).map((way) =>
      rejection<CallError>(server.call('hang', {}, { way })),
    );
    await Promise.all([server.client('plain 2025-11-25'), server.client('task 2026-07-28')]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all([server.close(), server.close()]);
    for (const error of await Promise.all(calls)) expect(error.reason).toBe('lost');
    await server.close();
    expect((await rejection(server.call('count', { text: '' }))).message).toContain(
      'The test server is closed',
    );
  });

  it('runs beside another one', async () => {
    const [a, b] = await Promise.all([start(SHOP, { over }), start(SHOP, { over })]);
    const client = await a.client('task 2025-11-25');
    const handle = await client.start('count', { text: 'one' });
    const taskId = handle.state?.taskId ?? '';
    const other = await b.client('task 2025-11-25');
    await expect(other.request('tasks/get', { taskId })).rejects.toMatchObject({
      reason: 'rpc_error',
    });
    await a.close();
    expect(await b.callEachWay('count', { text: 'one two' })).toHaveLength(4);
  });

  it('keeps the tasks of callers apart', async () => {
    const who = (subject: string) => ({
      issuer: 'https://id.example',
      subject,
      client: 'app',
      scopes: [],
    });
    const server = await start(SHOP, { over, caller: who('bob') });
    const [[, greeting] = []] = await server.callEachWay('greet');
    expect(greeting?.content).toMatchObject([{ text: 'Hello bob' }]);
    const bob = await server.client('task 2025-11-25');
    const eve = await server.client('task 2025-11-25', { caller: who('eve') });
    expect((await eve.call('greet')).content).toMatchObject([{ text: 'Hello eve' }]);
    const { state } = await bob.start('count', { text: 'one' });
    await expect(eve.request('tasks/get', { taskId: state?.taskId ?? '' })).rejects.toThrow();
  });

  it('names a fault of the store in the failure of the call', async () => {
    const store = createMemoryStore();
    const broken: TaskStore = Object.assign(Object.create(store) as TaskStore, {
      insert: () => Promise.reject(new Error('The disk is full')),
    });
    const server = await start(SHOP, { over, store: broken });
    const error = await rejection<EachWayError>(server.callEachWay('count', { text: 'one' }));
    expect(error.failures.map(([way]) => way)).toEqual(TASKS);
    expect(error.results.map(([way]) => way)).toEqual(['plain 2025-11-25', 'plain 2026-07-28']);
    expect(error.message).toContain('The disk is full');
    expect(error.message).toContain('It succeeded in: plain 2025-11-25, plain 2026-07-28');
    expect(server.errors.map(({ message }) => message).join()).toContain('The disk is full');
  });
});

describe('a test server', () => {
  it('gives a caller all scopes that tools need, over HTTP', async () => {
    const secret = defineTool({
      name: 'secret',
      description: 'Needs a scope.',
      input: z.object({}),
      scopes: ['secrets:read'],
      run: ({ caller }) => caller?.scopes.join(' ') ?? '',
    });
    const server = await start(withTools(secret), { over: 'http' });
    for (const [, { content }] of await server.callEachWay('secret')) {
      expect(content).toMatchObject([{ text: 'secrets:read' }]);
    }
    const none = { issuer: 'https://id.example', subject: 'eve', client: 'app', scopes: [] };
    for (const over of PLACES) {
      const poor = await start(withTools(secret), { over, caller: none });
      await expect(poor.callEachWay('secret')).rejects.toThrow(/scope/);
    }
  });

  it('offers the ways of the server and of the tool', async () => {
    const core = { tasks: { requests: { tools: { call: {} } } } };
    const old = await start({ ...SHOP, revisions: ['2025-11-25'] });
    expect(old.ways).toEqual(EACH_WAY.slice(0, 2));
    expect(old.waysOf('greet')).toEqual(['plain 2025-11-25']);
    expect(old.waysOf('bake')).toEqual(['task 2025-11-25']);
    const declared = await start({
      ...SHOP,
      capabilities: { core, asks: { elicitation: { form: {} } } },
    });
    expect(declared.ways).toEqual(EACH_WAY.filter((way) => way !== 'task 2026-07-28'));
    expect(declared.waysOf('bake')).toEqual(['task 2025-11-25']);
    const result = await declared.callEachWay('bake');
    expect(result.map(([, { structuredContent }]) => structuredContent)).toEqual([{ loaves: 2 }]);
  });

  it('refuses tools and ways that there are not', async () => {
    const server = await start(SHOP);
    await expect(server.callEachWay('buy')).rejects.toThrow(
      'The server has no tool "buy". It has: count, greet, bake, book, fail, hang',
    );
    await expect(server.call('bake', {}, { way: 'plain 2026-07-28' })).rejects.toThrow(
      'bake cannot be called as plain 2026-07-28. Its ways are: task 2025-11-25, task 2026-07-28',
    );
    await expect(server.client('plain' as never)).rejects.toThrow('Unknown way "plain"');
  });

  it('takes a function, and gives it settings and a log', async () => {
    const lines: string[] = [];
    const log = { debug: write, info: write, warn: write, error: write };
    function write(_: object, message: string): void {
      lines.push(message);
    }
    const server = await start<{ readonly GREETING: string }>(
      async ({ settings, log: given }) => {
        given.info({}, 'made');
        const hello = defineTool({
          name: 'hello',
          description: 'Greets.',
          input: z.object({}),
          run: () => settings.GREETING,
        });
        return Promise.resolve(withTools(hello));
      },
      { settings: { GREETING: 'Hi' }, log },
    );
    const [[, result] = []] = await server.callEachWay('hello');
    expect(result?.content).toMatchObject([{ text: 'Hi' }]);
    expect(lines[0]).toBe('made');
  });

  it('passes on why a server cannot start', async () => {
    const [tool] = SHOP.tools;
    if (tool === undefined) throw new Error('no tool');
    await expect(startTestServer(withTools(tool, tool))).rejects.toThrow('Two tools are called');
    const broken = (): never => {
      throw new Error('No configuration');
    };
    await expect(startTestServer(broken)).rejects.toThrow('No configuration');
  });

  it('reports a fault to the definition too', async () => {
    const reported: string[] = [];
    const server = await start({
      ...SHOP,
      onError: ({ message }) => reported.push(message),
      onTaskStatus: () => Promise.reject(new Error('The webhook is down')),
    });
    await server.call('bake');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reported.join()).toContain('The webhook is down');
    expect(server.errors.map(({ message }) => message)).toEqual(reported);
  });

  it('is closed by `await using`', async () => {
    const server = await startTestServer(SHOP);
    await server[Symbol.asyncDispose]();
    await expect(server.call('greet')).rejects.toThrow('closed');
  });
});
