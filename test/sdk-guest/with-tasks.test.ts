import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { withTasks, type WithTasksOptions } from '../../runtime/server/sdk-guest/index.js';
import { createTaskServer, defineTool, type TaskServer } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { overHttp, overPipe, type Version } from './clients.js';
import { HTTP_HOSTS, piped, SINGLE_HOSTS, type Connect } from './hosts.js';
import { LIBRARIES, type Library, libraryV1, libraryV2 } from './servers.js';

const reindex = defineTool({
  name: 'reindex',
  description: 'Takes long.',
  input: z.object({ fast: z.boolean().optional() }),
  taskSupport: 'optional',
  run: ({ caller }) => `reindexed for ${caller?.subject ?? 'anybody'}`,
});

async function tasksOf(): Promise<{ readonly tasks: TaskServer; readonly errors: Error[] }> {
  const errors: Error[] = [];
  const tasks = await createTaskServer({
    name: 'tasks',
    version: '1.0.0',
    tools: [reindex],
    pollInterval: 50,
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => tasks.close(0));
  return { tasks, errors };
}

function connecting(
  tasks: TaskServer,
  make: () => Library,
  options?: WithTasksOptions,
): { readonly connect: Connect; readonly made: Library[] } {
  const made: Library[] = [];
  const connect: Connect = (transport) => {
    const library = make();
    made.push(library);
    return withTasks(library.server, tasks, options).connect(transport);
  };
  return { connect, made };
}

const taskIdIn = (result: JsonObject): string =>
  (result['task'] as { readonly taskId: string }).taskId;
const VERSIONS: readonly Version[] = ['v1', 'v2'];
const called = (text: string) => ({ content: [{ type: 'text', text }] });

describe.each(HTTP_HOSTS)('withTasks, in %s', (_, host) => {
  it.each(LIBRARIES)('serves tasks beside a server of %s', async (__, make) => {
    const { tasks, errors } = await tasksOf();
    const { connect, made } = connecting(tasks, make);
    const url = await host(connect);
    for (const version of VERSIONS) {
      const { request, server } = await overHttp(url, version, 'ann');
      expect(server.info).toMatchObject({ name: 'library', version: '3.0.0' });
      expect(server.says).toBe('Ask for books.');
      const { tools } = await request('tools/list');
      const names = (tools as { readonly name: string }[]).map(({ name }) => name);
      expect(names.slice(0, 3)).toEqual(['reindex', 'find', 'count']);
      const found = await request('tools/call', { name: 'find', arguments: { title: 'Emma' } });
      expect(found).toMatchObject(called('Emma is on shelf 7'));
      const call = { name: 'reindex', arguments: {} };
      expect(await request('tools/call', call)).toMatchObject(called('reindexed for ann'));
      const taskId = taskIdIn(await request('tools/call', { ...call, task: {} }));
      expect(await request('tasks/result', { taskId })).toMatchObject(called('reindexed for ann'));
      const task = { name: 'find', arguments: { title: 'Emma' }, task: {} };
      await expect(request('tools/call', task)).rejects.toMatchObject({ code: -32601 });

      const progress: unknown[] = [];
      const slow = { name: 'slow', arguments: { steps: 3 } };
      await request('tools/call', slow, { onprogress: (each) => progress.push(each['progress']) });
      expect(progress).toEqual([1, 2, 3]);
      for (const [name, text] of [
        ['where', 'accept'],
        ['think', 'assistant'],
        ['roots', 'file:///x'],
        ['whoami', '"subject":"ann"'],
        ['whoami', '"hasSession":true'],
      ] as const) {
        const answer = await request('tools/call', { name, arguments: {} });
        expect(JSON.stringify(answer).replaceAll('\\', '')).toContain(text);
      }
      const read = await request('resources/read', { uri: 'library://books/7' });
      expect(read).toMatchObject({ contents: [{ text: 'Book 7' }] });
    }
    expect(made).toHaveLength(2);
    expect(made.every(({ initialized }) => initialized())).toBe(true);
    expect(errors).toEqual([]);
  });

  it('keeps two users apart, also in a session of the other', async () => {
    const { tasks } = await tasksOf();
    const url = await host(connecting(tasks, libraryV1).connect);
    const [ann, bob] = [await overHttp(url, 'v1', 'ann'), await overHttp(url, 'v2', 'bob')];
    const made = await ann.request('tools/call', { name: 'reindex', arguments: {}, task: {} });
    const taskId = taskIdIn(made);
    await ann.request('tasks/result', { taskId });
    expect((await ann.request('tasks/list'))['tasks']).toHaveLength(1);
    expect((await bob.request('tasks/list'))['tasks']).toEqual([]);
    await expect(bob.request('tasks/get', { taskId })).rejects.toThrow('Unknown or expired task');
    const unidentified = overHttp(url, 'v1');
    await expect(unidentified).rejects.toThrow('carries no `authInfo`');
  });
});

it('a tool that needs scopes is refused to a caller without them, and given to one with', async () => {
  const erase = (name: string, scope: string) =>
    defineTool({ name, description: '', input: z.object({}), scopes: [scope], run: () => name });
  const tools = [erase('erase', 'admin'), erase('clean', 'mcp')];
  const tasks = await createTaskServer({ name: 'tasks', version: '1.0.0', tools });
  onTestFinished(() => tasks.close(0));
  const url = await HTTP_HOSTS[0][1](connecting(tasks, libraryV2).connect);
  const { request } = await overHttp(url, 'v2', 'ann');
  await expect(request('tools/call', { name: 'erase', arguments: {} })).rejects.toMatchObject({
    code: -32600,
    data: { scopes: ['admin'] },
  });
  expect(await request('tools/call', { name: 'clean', arguments: {} })).toMatchObject(
    called('clean'),
  );
});

it('tools for tasks are served beside those of the library', async () => {
  const tasks = await createTaskServer({
    name: 'tasks',
    version: '1.0.0',
    tools: [reindex],
    tasksAsTools: { afterMs: 0 },
  });
  onTestFinished(() => tasks.close(0));
  const url = await HTTP_HOSTS[0][1](connecting(tasks, libraryV2).connect);
  const { request } = await overHttp(url, 'v2', 'ann');
  const named = await request('tools/call', { name: 'reindex', arguments: {} });
  const { taskId } = named['structuredContent'] as { readonly taskId: string };
  const wait = { name: 'task_get', arguments: { taskId } };
  await expect.poll(() => request('tools/call', wait)).toMatchObject(called('reindexed for ann'));
  expect(await request('tools/call', { name: 'find', arguments: { title: 'Emma' } })).toMatchObject(
    called('Emma is on shelf 7'),
  );
});

it('tools that need scopes are refused at once where nothing identifies callers', async () => {
  const erase = defineTool({
    name: 'erase',
    description: '',
    input: z.object({}),
    scopes: ['admin'],
    run: () => '',
  });
  const tasks = await createTaskServer({ name: 'tasks', version: '1.0.0', tools: [erase] });
  onTestFinished(() => tasks.close(0));
  expect(() => withTasks(libraryV2().server, tasks, { allowUnidentified: true })).toThrow(
    /"erase" need scopes/,
  );
});

it.each(['tools/list', 'tasks/list'])(
  'a session answers %s of another caller with an error',
  async (method) => {
    const { tasks } = await tasksOf();
    const url = await HTTP_HOSTS[0][1](connecting(tasks, libraryV1).connect);
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const post = (message: object, more: Record<string, string>) =>
      fetch(url, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const handshake = { id: 1, method: 'initialize', params };
    const first = await post(handshake, { authorization: 'Bearer ann' });
    await first.text();
    const session = { 'mcp-session-id': first.headers.get('mcp-session-id') ?? '' };
    const own = await post({ id: 2, method }, { ...session, authorization: 'Bearer ann' });
    expect(await own.text()).toContain('"result"');
    const other = await post({ id: 3, method }, { ...session, authorization: 'Bearer bob' });
    expect(await other.text()).toContain('belongs to another caller');
  },
);

describe.each(SINGLE_HOSTS)('withTasks, in %s', (_, host) => {
  it.each(LIBRARIES)('serves tasks beside a server of %s', async (__, make) => {
    const { tasks, errors } = await tasksOf();
    const { connect, made } = connecting(tasks, make);
    const url = await host(connect);
    for (const version of VERSIONS) {
      const { request } = await overHttp(url, version, 'ann');
      const found = await request('tools/call', { name: 'find', arguments: { title: 'Emma' } });
      expect(found).toMatchObject(called('Emma is on shelf 7'));
      const call = { name: 'reindex', arguments: {}, task: {} };
      const taskId = taskIdIn(await request('tools/call', call));
      expect(await request('tasks/result', { taskId })).toMatchObject(called('reindexed for ann'));
      const progress: unknown[] = [];
      const slow = { name: 'slow', arguments: { steps: 3 } };
      await request('tools/call', slow, { onprogress: (each) => progress.push(each['progress']) });
      expect(progress).toEqual([1, 2, 3]);
    }
    expect(made.length).toBeGreaterThan(6);
    expect(errors).toEqual([]);
  });
});

describe.each(['v1', 'v2'] as const)('withTasks, over stdio of %s', (host) => {
  it.each(LIBRARIES)('serves tasks beside a server of %s', async (_, make) => {
    for (const [version, mode] of [['v1'], ['v2'], ['v2', 'auto']] as const) {
      const { tasks, errors } = await tasksOf();
      const { connect, made } = connecting(tasks, make, { local: true });
      const { request, notifications } = await overPipe(await piped(host, connect), version, mode);
      const call = { name: 'reindex', arguments: {} };
      expect(await request('tools/call', call)).toMatchObject(called('reindexed for anybody'));
      const taskId = taskIdIn(await request('tools/call', { ...call, task: {} }));
      await request('tasks/result', { taskId });
      expect((await request('tasks/list'))['tasks']).toHaveLength(1);
      const where = await request('tools/call', { name: 'where', arguments: {} });
      expect(JSON.stringify(where)).toContain('accept');
      const [library] = made;
      library?.addTool('later');
      const { tools } = await request('tools/list');
      expect((tools as { readonly name: string }[]).at(-1)?.name).toBe('later');
      expect(notifications.map(({ method }) => method)).toContain(
        'notifications/tools/list_changed',
      );
      await request('resources/subscribe', { uri: 'library://rules' });
      expect([...(library?.subscribed ?? [])]).toEqual(['library://rules']);
      library?.updated('library://rules');
      await request('ping');
      expect(notifications.at(-1)).toMatchObject({
        method: 'notifications/resources/updated',
        params: { uri: 'library://rules' },
      });
      const leave = new AbortController();
      const waiting = { name: 'wait', arguments: { name: version } };
      const left = request('tools/call', waiting, {
        signal: leave.signal,
        onprogress: () => leave.abort(),
      });
      await expect(left).rejects.toThrow();
      await request('ping');
      expect(library?.cancelled).toEqual([version]);
      expect(errors).toEqual([]);
    }
  });
});

describe('a server with tasks', () => {
  it('refuses to list the tasks of callers that it cannot tell apart', async () => {
    const capabilities = {
      core: { tasks: { list: {}, requests: { tools: { call: {} } } } },
    } as const;
    const tasks = await createTaskServer({
      ...{ name: 'tasks', version: '1', tools: [reindex], capabilities },
    });
    onTestFinished(() => tasks.close(0));
    const { server } = libraryV1();
    expect(() => withTasks(server, tasks, { allowUnidentified: true })).toThrow(TypeError);
  });

  it('serves callers that nothing identifies, where its user says so', async () => {
    const { tasks } = await tasksOf();
    const { connect } = connecting(tasks, libraryV1, { allowUnidentified: true });
    const { request, server } = await overHttp(await HTTP_HOSTS[0][1](connect), 'v1');
    expect(server.capabilities).toMatchObject({ tasks: { cancel: {} } });
    const call = { name: 'reindex', arguments: {}, task: {} };
    const taskId = taskIdIn(await request('tools/call', call));
    expect(await request('tasks/result', { taskId })).toMatchObject(
      called('reindexed for anybody'),
    );
    await expect(request('tasks/list')).rejects.toMatchObject({ code: -32601 });
    const asked = await request('tools/call', { name: 'where', arguments: {} });
    expect(JSON.stringify(asked)).toContain('Elicitation is refused');
  });

  it.each([
    [HTTP_HOSTS[0][1], libraryV1],
    [HTTP_HOSTS[1][1], libraryV2],
  ] as const)('shows its handlers the HTTP request', async (host, make) => {
    const { tasks } = await tasksOf();
    const { request } = await overHttp(await host(connecting(tasks, make).connect), 'v2', 'ann');
    const answer = await request('tools/call', { name: 'whoami', arguments: {} });
    expect(JSON.stringify(answer)).toContain('agent');
  });

  it('refuses a second transport at once, as the SDK does', async () => {
    const { tasks } = await tasksOf();
    const { server } = libraryV2();
    await piped('v2', (transport) => withTasks(server, tasks, { local: true }).connect(transport));
    const second = piped('v2', (transport) =>
      withTasks(server, tasks, { local: true }).connect(transport),
    );
    await expect(second).rejects.toThrow('already connected');
  });

  it.each([libraryV1, libraryV2])('closes the transport when it is closed', async (make) => {
    const { tasks } = await tasksOf();
    const { server } = make();
    let closed = 0;
    const both = withTasks(server, tasks, { local: true });
    const pipe = await piped('v1', (transport) => {
      transport.onclose = () => (closed += 1);
      return both.connect(transport);
    });
    await overPipe(pipe, 'v1');
    await both.close();
    expect(closed).toBe(1);
  });
});
