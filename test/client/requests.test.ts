import { InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';

import type { Answered, Sent } from '../../runtime/client/requests.js';
import { createTaskClient } from '../../runtime/client/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at } from '../../runtime/peer/wire/json.js';
import { definePrompt, defineResource } from '../../runtime/server/index.js';
import type { SendOptions } from '../../runtime/client/transport.js';
import { type Message, rig, until } from '../server/support.js';
import { connect, type Peer, peer, RESULT, TOOL, transportTo, WAYS } from './harness.js';

const COMPLETE = { resultType: 'complete' };

describe.each(WAYS)('%s over %s', (dialect, kind) => {
  const connected = async () => {
    const server = await rig({
      prompts: [
        definePrompt({
          name: 'greet',
          description: 'Greets',
          get: () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] }),
        }),
      ],
      resources: [
        defineResource({
          uri: 'file:///a',
          name: 'a',
          description: 'A file',
          read: () => ({ text: 'contents' }),
        }),
      ],
    });
    return { server, ...(await connect(transportTo(server, kind), dialect)) };
  };

  it('prompts and resources are listed and read', async () => {
    const { tasks } = await connected();
    expect((await tasks.prompts()).map(({ name }) => name)).toEqual(['greet']);
    expect((await tasks.prompt('greet')).messages).toMatchObject([{ content: { text: 'Hello' } }]);
    expect((await tasks.resources()).map(({ uri }) => uri)).toEqual(['file:///a']);
    expect((await tasks.read('file:///a')).contents).toMatchObject([{ text: 'contents' }]);
    await expect(tasks.prompt('no such')).rejects.toMatchObject({ reason: 'rpc_error' });
  });

  it('request sends any method of the revision, and refuses invalid params before', async () => {
    const { tasks, sent } = await connected();
    const { messages } = await tasks.request('prompts/get', { name: 'greet' });
    expect(messages).toHaveLength(1);
    const before = sent.length;
    const wrong = tasks.request('prompts/get', { name: 7 as unknown as string });
    await expect(wrong).rejects.toThrow(/Invalid prompts\/get: \/params\/name/);
    expect(sent).toHaveLength(before);
  });

  it('a request can be aborted, and has a timeout', async () => {
    const { tasks } = await connected();
    const stop = AbortSignal.abort(new Error('Enough'));
    await expect(tasks.prompt('greet', {}, { signal: stop })).rejects.toMatchObject({
      reason: 'cancelled',
    });
  });
});

it('request is typed by the revisions that the client offers', () => {
  const client = createTaskClient<'2025-11-25'>({ name: 'a', version: '1' });
  const both = createTaskClient({ name: 'a', version: '1' });
  const tasks = () => client.request('tasks/list');
  const tools = () => both.request('tools/list');
  expectTypeOf(tasks).returns.resolves.toHaveProperty('tasks');
  expectTypeOf(tools).returns.resolves.toHaveProperty('tools');
  // @ts-expect-error -- no revision of this client has it
  void (() => client.request('server/discover'));
  // @ts-expect-error -- only servers send it
  void (() => both.request('sampling/createMessage'));
});

it('what the client itself sends and reads is typed by the method', () => {
  type Values = Answered<'completion/complete'>['completion']['values'];
  expectTypeOf<Values>().toEqualTypeOf<string[]>();
  expectTypeOf<Answered<'tasks/get', { checksItself: true }>>().toEqualTypeOf<JsonObject>();
  expectTypeOf<Answered<string>>().toEqualTypeOf<JsonObject>();
  // @ts-expect-error -- it is `uri`
  const wrong: Sent<'resources/read'> = { url: 'file:///a' };
  // @ts-expect-error -- only the newest revision has it
  void ((page: Answered<'tools/list'>): number => page.ttlMs);
  expect(wrong).toBeDefined();
});

const QUESTION = {
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};

it('input requests before the result of any method are answered', async () => {
  const server = peer(
    ({ method }, times) =>
      method === 'prompts/get' && times === 1
        ? { resultType: 'input_required', inputRequests: { who: QUESTION }, requestState: 's' }
        : { ...COMPLETE, messages: [] },
    { dialect: 'ext', capabilities: { prompts: {} } },
  );
  const { tasks } = await connect(server.transport, 'ext', {
    answer: { form: () => ({ action: 'decline' }) },
  });
  expect(await tasks.prompt('any')).toMatchObject({ messages: [] });
  expect(server.requests('prompts/get')[1]?.params).toMatchObject({
    requestState: 's',
    inputResponses: { who: { action: 'decline' } },
  });
});

it('a list that a server does not have is empty, without a request', async () => {
  const server = peer(() => undefined, { dialect: 'core', capabilities: {} });
  const { tasks } = await connect(server.transport, 'core');
  expect([await tasks.prompts(), await tasks.resources()]).toEqual([[], []]);
  expect(server.requests('prompts/list')).toEqual([]);
});

it('a list is read page by page, and one without an end is an invalid answer', async () => {
  let endless = false;
  const server = peer(
    ({ params }) => {
      const page = Number(params?.['cursor'] ?? 0);
      const next = endless ? { nextCursor: '1' } : page < 2 ? { nextCursor: `${page + 1}` } : {};
      return { prompts: [{ name: `p${page}` }], ...next };
    },
    { dialect: 'core', capabilities: { prompts: {} } },
  );
  const { tasks } = await connect(server.transport, 'core');
  expect((await tasks.prompts()).map(({ name }) => name)).toEqual(['p0', 'p1', 'p2']);
  endless = true;
  await expect(tasks.prompts()).rejects.toMatchObject({ reason: 'invalid_answer' });
});

it.each(['core', 'ext'] as const)(
  '%s: tools are not requested where none are declared',
  async (dialect) => {
    const server = peer(() => undefined, { dialect, capabilities: { prompts: {} } });
    const { tasks } = await connect(server.transport, dialect);
    expect(await tasks.tools()).toEqual([]);
    expect(server.requests('tools/list')).toEqual([]);
  },
);

it('tools are requested where a server of an early revision states no capabilities', async () => {
  const [transport, theirs] = InMemoryTransport.createLinkedPair();
  const initialized = { protocolVersion: '2024-11-05', serverInfo: { name: 'old', version: '1' } };
  const session = { id: 'one', initialized };
  theirs.onmessage = (request) => {
    if (!('id' in request) || request.id === undefined) return;
    void theirs.send({ jsonrpc: '2.0', id: request.id, result: { tools: [TOOL] } });
  };
  await theirs.start();
  const client = createTaskClient({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport, { session });
  expect(await client.tools()).toMatchObject([{ name: 'work' }]);
});

it('a page of 200,000 entries, and many pages, are an invalid answer beyond the limit', async () => {
  const prompts = Array.from({ length: 200_000 }, () => ({ name: 'one' }));
  const script = (_: unknown, times: number) =>
    times === 1 ? { prompts } : { prompts: [{ name: 'one' }], nextCursor: String(times) };
  const server = peer(script, { dialect: 'core', capabilities: { prompts: {} } });
  const { tasks } = await connect(server.transport, 'core', { limits: { listEntries: 5 } });
  const failure = {
    reason: 'invalid_answer',
    message: 'The answer to prompts/list has more than 5 entries (limit listEntries)',
  };
  await expect(tasks.prompts()).rejects.toMatchObject(failure);
  await expect(tasks.prompts()).rejects.toMatchObject(failure);
  expect(server.requests('prompts/list')).toHaveLength(7);
});

it('a page of 200,000 entries is read where the limit allows it', async () => {
  const prompts = Array.from({ length: 200_000 }, () => ({ name: 'one' }));
  const server = peer(() => ({ prompts }), { dialect: 'core', capabilities: { prompts: {} } });
  const { tasks } = await connect(server.transport, 'core', { limits: { listEntries: 200_000 } });
  expect(await tasks.prompts()).toHaveLength(200_000);
});

it('complete suggests values', async () => {
  const server = peer(() => ({ completion: { values: ['Ann'] } }), {
    dialect: 'core',
    capabilities: { completions: {} },
  });
  const { tasks } = await connect(server.transport, 'core');
  const argument = { name: 'who', value: 'A' };
  expect(await tasks.complete({ prompt: 'greet' }, argument)).toEqual(['Ann']);
  expect(server.requests('completion/complete')[0]?.params).toEqual({
    ref: { type: 'ref/prompt', name: 'greet' },
    argument,
  });
});

describe('log messages', () => {
  it('have a level that a session sets, and reach listeners', async () => {
    const server = peer(() => ({}), { dialect: 'core', capabilities: { logging: {} } });
    const { tasks } = await connect(server.transport, 'core');
    const logged: unknown[] = [];
    const stop = tasks.onNotification('notifications/message', (params) => logged.push(params));
    await tasks.setLogLevel('warning');
    expect(server.requests('logging/setLevel')[0]?.params).toEqual({ level: 'warning' });
    server.say('notifications/message', { level: 'error', data: 'a' });
    await until(
      () => Promise.resolve(logged.length),
      (count) => count > 0,
    );
    stop();
    server.say('notifications/message', { level: 'error', data: 'b' });
    await tasks.request('ping');
    expect(logged).toEqual([{ level: 'error', data: 'a' }]);
  });

  it('have a level that each request without a session names', async () => {
    const server = peer(() => ({ ...COMPLETE, ...RESULT }), { dialect: 'ext' });
    const { tasks } = await connect(server.transport, 'ext');
    await tasks.setLogLevel('debug');
    await tasks.call('work');
    const [call] = server.requests('tools/call');
    expect(at(call?.params, ['_meta', 'io.modelcontextprotocol/logLevel'])).toBe('debug');
  });
});

describe('subscribe', () => {
  it('in a session subscribes to each resource once', async () => {
    const server = peer(() => ({}), {
      dialect: 'core',
      capabilities: { resources: { subscribe: true } },
    });
    const { tasks } = await connect(server.transport, 'core');
    const changes: unknown[] = [];
    const one = await tasks.subscribe({ uris: ['file:///a'] }, (change) => changes.push(change));
    const two = await tasks.subscribe({ uris: ['file:///a'], prompts: true }, () => undefined);
    server.say('notifications/resources/updated', { uri: 'file:///b' });
    server.say('notifications/prompts/list_changed', {});
    server.say('notifications/resources/updated', { uri: 'file:///a' });
    await until(
      () => Promise.resolve(changes.length),
      (count) => count > 0,
    );
    expect(changes).toEqual([{ uri: 'file:///a' }]);
    await one.close();
    expect(server.requests('resources/unsubscribe')).toEqual([]);
    await two.close();
    expect(server.requests('resources/subscribe')).toHaveLength(1);
    expect(server.requests('resources/unsubscribe')).toHaveLength(1);
  });

  it('in a session keeps the subscription while one of two that began together is open', async () => {
    const server = peer(() => ({}), {
      dialect: 'core',
      capabilities: { resources: { subscribe: true } },
    });
    const { tasks } = await connect(server.transport, 'core');
    const uris = ['file:///a'];
    const [one, two] = await Promise.all([
      tasks.subscribe({ uris }, () => undefined),
      tasks.subscribe({ uris }, () => undefined),
    ]);
    await one.close();
    await one.close();
    expect(server.requests('resources/subscribe')).toHaveLength(1);
    expect(server.requests('resources/unsubscribe')).toEqual([]);
    await two.close();
    expect(server.requests('resources/unsubscribe')).toHaveLength(1);
  });

  it('in a session ends the subscriptions before one that the server refuses', async () => {
    const refusal = { code: -32602, message: 'no' };
    const server = peer(
      ({ method, params }) =>
        method === 'resources/subscribe' && params?.['uri'] === 'file:///b' ? refusal : {},
      { dialect: 'core', capabilities: { resources: { subscribe: true } } },
    );
    const { tasks } = await connect(server.transport, 'core');
    const wanted = { uris: ['file:///a', 'file:///b'] };
    for (const times of [1, 2]) {
      await expect(tasks.subscribe(wanted, () => undefined)).rejects.toThrow('no');
      expect(server.requests('resources/subscribe')).toHaveLength(2 * times);
      const ended = server.requests('resources/unsubscribe').map(({ params }) => params?.['uri']);
      expect(ended).toEqual(Array.from({ length: times }, () => 'file:///a'));
    }
  });

  it('in a later session subscribes again', async () => {
    const [first, second] = [1, 2].map(() =>
      peer(() => ({}), { dialect: 'core', capabilities: { resources: { subscribe: true } } }),
    ) as [Peer, Peer];
    const { tasks } = await connect(first.transport, 'core');
    const uris = ['file:///a'];
    const before = await tasks.subscribe({ uris }, () => undefined);
    await tasks.close();
    await tasks.connect(second.transport);
    const after = await tasks.subscribe({ uris }, () => undefined);
    expect(second.requests('resources/subscribe')).toHaveLength(1);
    await before.close();
    expect(second.requests('resources/unsubscribe')).toEqual([]);
    await after.close();
    expect(second.requests('resources/unsubscribe')).toHaveLength(1);
  });

  it('without sessions opens a stream, and its end withdraws the request', async () => {
    const server = peer(() => undefined, { dialect: 'ext' });
    const { tasks, sent } = await connect(server.transport, 'ext');
    const changes: unknown[] = [];
    const subscribing = tasks.subscribe({ tools: true, uris: ['file:///a'] }, (change) =>
      changes.push(change),
    );
    const [listen] = await until(
      () => Promise.resolve(server.requests('subscriptions/listen')),
      ({ length }) => length > 0,
    );
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['file:///a'] };
    expect(listen?.params?.['notifications']).toEqual(notifications);
    const _meta = { 'io.modelcontextprotocol/subscriptionId': listen?.id };
    server.say('notifications/subscriptions/acknowledged', { notifications, _meta });
    const subscription = await subscribing;
    server.say('notifications/tools/list_changed', { _meta });
    await until(
      () => Promise.resolve(changes.length),
      (count) => count > 0,
    );
    expect(changes).toEqual([{ list: 'tools' }]);
    await subscription.close();
    expect(sent.at(-1)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: listen?.id },
    });
  });

  it('without sessions ends a stream that is being opened again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const server = peer(() => undefined, { dialect: 'ext' });
    const { tasks, sent } = await connect(server.transport, 'ext');
    const subscribing = tasks.subscribe({ tools: true }, () => undefined);
    const listens = async (count: number) => {
      await vi.waitUntil(() => server.requests('subscriptions/listen').length === count);
      return server.requests('subscriptions/listen')[count - 1];
    };
    const acknowledge = (listen: Awaited<ReturnType<typeof listens>>): void =>
      server.say('notifications/subscriptions/acknowledged', {
        notifications: { toolsListChanged: true },
        _meta: { 'io.modelcontextprotocol/subscriptionId': listen?.id },
      });
    const first = await listens(1);
    acknowledge(first);
    const subscription = await subscribing;
    server.answer(first?.id, COMPLETE);
    await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(5_000);
    const second = await listens(2);
    await subscription.close();
    acknowledge(second);
    await vi.waitUntil(() =>
      sent.some(({ params }) => params?.['requestId'] === second?.id && second?.id !== undefined),
    );
  });
});

describe('arguments that headers repeat', () => {
  const tool = (properties: JsonObject): JsonObject => ({
    ...TOOL,
    inputSchema: { type: 'object', properties },
  });
  /** The headers of one call with these arguments. */
  async function headersOf(inputSchema: JsonObject, args: JsonObject) {
    const server = peer(() => ({ ...COMPLETE, ...RESULT }), {
      dialect: 'ext',
      tools: [tool(inputSchema)],
    });
    const seen: (Readonly<Record<string, string>> | undefined)[] = [];
    const { transport } = server;
    const send = transport.send.bind(transport);
    Object.assign(transport, { hasPerRequestStream: true });
    transport.send = (message, options) => {
      const { method } = message as Message;
      if (method === 'tools/call') seen.push((options as SendOptions | undefined)?.headers);
      return send(message, options);
    };
    const { tasks, problems } = await connect(transport, 'ext');
    const tools = await tasks.tools();
    await tasks.call('work', args);
    return { headers: seen[0], tools, problems };
  }

  it('are sent with the call, in Base64 where HTTP would change them', async () => {
    const schema = {
      plain: { type: 'string', 'x-mcp-header': 'Plain' },
      odd: { type: 'string', 'x-mcp-header': 'Odd' },
      empty: { type: 'string', 'x-mcp-header': 'Empty' },
      absent: { type: 'string', 'x-mcp-header': 'Absent' },
      deep: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
    };
    const args = { plain: 'a b', odd: ' é', empty: '', deep: { n: 7 } };
    const { headers } = await headersOf(schema, args);
    expect(headers).toEqual({
      'Mcp-Param-Plain': 'a b',
      'Mcp-Param-Odd': '=?base64?IMOp?=',
      'Mcp-Param-Empty': '=?base64??=',
      'Mcp-Param-N': '7',
    });
  });

  it.each<[string, JsonObject]>([
    ['a header that HTTP does not allow', { a: { type: 'string', 'x-mcp-header': 'a b' } }],
    ['an object', { a: { type: 'object', 'x-mcp-header': 'A' } }],
    ['a number that is no integer', { a: { type: 'number', 'x-mcp-header': 'A' } }],
    [
      'one header twice',
      {
        a: { type: 'string', 'x-mcp-header': 'A' },
        b: { type: 'string', 'x-mcp-header': 'a' },
      },
    ],
    [
      'an entry of a list',
      { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } },
    ],
  ])('that declare %s make the tool one that is left out', async (_, schema) => {
    const { tools, headers, problems } = await headersOf(schema, {});
    expect(tools).toEqual([]);
    expect(headers).toBeUndefined();
    expect(problems[0]?.message).toContain('Left out the tool work: x-mcp-header');
  });

  it('escape the name of a tool that is left out', async () => {
    const wrong = { a: { type: 'object', 'x-mcp-header': 'A' } };
    const hostile = { ...tool(wrong), name: 'wo\u001b[2Jrk' };
    const server = peer(() => undefined, { dialect: 'ext', tools: [hostile] });
    Object.assign(server.transport, { hasPerRequestStream: true });
    const { tasks, problems } = await connect(server.transport, 'ext');
    await tasks.tools();
    expect(problems[0]?.message).toContain('Left out the tool wo\\u{1b}[2Jrk: ');
  });
});

it('onError prints escaped texts by default', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => print.mockRestore());
  const server = peer(() => undefined, { dialect: 'core' });
  const client = createTaskClient({ name: 'test', version: '1', revisions: ['2025-11-25'] });
  onTestFinished(() => client.close());
  await client.connect(server.transport);
  client.onNotification('notifications/message', () => {
    throw new Error('wrong \u001b[2J');
  });
  server.say('notifications/message', { level: 'info', data: 'text' });
  await vi.waitFor(() => expect(print).toHaveBeenCalledWith('wrong \\u{1b}[2J'));
});
