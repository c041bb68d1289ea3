import {
  Client,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  createApplicationInputHandler,
  createTaskSessionFromClient,
  type JsonRpcResponse,
  resultFromTaskOutcome,
} from '@modelcontextprotocol/ext-tasks/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { anyObject, at, isObject } from '../../runtime/wire/json.js';
import { APP, type HttpProcess, startHttp } from './process.js';
import { tokenOf } from './tokens.js';

/** The clients that people have, each in its own words, against a server in a process of its own. */

const INFO = { name: 'test', version: '1' };
const ANSWER = { action: 'accept' as const, content: { name: 'Ann' } };
const DECLARED = { elicitation: {}, extensions: { [EXTENSION_ID]: {} } };
const headers = { authorization: `Bearer ${tokenOf('ann')}` };

let http: HttpProcess;
beforeAll(async () => {
  http = await startHttp();
});
afterAll(() => http.stop());

type Kind = 'stdio' | 'http';

function transportTo(kind: Kind): Transport {
  if (kind === 'stdio') return new StdioClientTransport({ ...APP, args: [...APP.args, 'stdio'] });
  return new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers } });
}

async function connected(
  transport: Transport,
  mode: 'legacy' | 'auto',
  capabilities: object = { elicitation: {} },
): Promise<Client> {
  const client = new Client(INFO, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', () => ANSWER);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Exchanges messages beside the SDK's client, which takes no tasks for answers to calls. */
function tap(transport: Transport): (request: object) => Promise<JsonRpcResponse> {
  const waiting = new Map<unknown, (response: JsonRpcResponse) => void>();
  let sdk: Transport['onmessage'];
  const receive: Transport['onmessage'] = (message, extra) => {
    const take = 'id' in message ? waiting.get(message.id) : undefined;
    if (take === undefined) return sdk?.(message, extra);
    take(message as unknown as JsonRpcResponse);
  };
  Object.defineProperty(transport, 'onmessage', {
    get: () => sdk && receive,
    set: (handler: Transport['onmessage']) => (sdk = handler),
  });
  return (request) =>
    new Promise((resolve, reject) => {
      const id = `tap-${waiting.size}`;
      waiting.set(id, resolve);
      const message = { ...request, jsonrpc: '2.0', id } as unknown as JSONRPCMessage;
      transport.send(message).catch(reject);
    });
}

const modernMeta = {
  [META_KEYS.protocolVersion]: '2026-07-28',
  [META_KEYS.clientInfo]: INFO,
  [META_KEYS.clientCapabilities]: DECLARED,
};

describe.each<Kind>(['stdio', 'http'])('over %s', (kind) => {
  describe('the v2 client', () => {
    it('calls, and runs tasks of the core dialect with questions', async () => {
      const client = await connected(transportTo(kind), 'legacy');
      const sum = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
      expect(sum.structuredContent).toEqual({ sum: 3 });
      const asked = await client.callTool({ name: 'asks-once' });
      expect(asked.content).toMatchObject([{ text: 'accept Ann' }]);

      const request = (method: string, params: JsonObject): Promise<JsonObject> =>
        client.request({ method, params }, anyObject);
      const created = await request('tools/call', { name: 'asks-once', arguments: {}, task: {} });
      const taskId = at(created, ['task', 'taskId']);
      expect(await request('tasks/result', { taskId })).toMatchObject({
        content: [{ text: 'accept Ann' }],
      });
      expect(await request('tasks/get', { taskId })).toMatchObject({ status: 'completed' });
      expect((await request('tasks/list', {}))['tasks']).toContainEqual(
        expect.objectContaining({ taskId }),
      );
      await expect(request('tasks/cancel', { taskId })).rejects.toMatchObject({ code: -32602 });
    });

    it('calls in revision 2026-07-28, with questions in rounds', async () => {
      const capabilities = { elicitation: {}, sampling: {} };
      const client = await connected(transportTo(kind), 'auto', capabilities);
      client.setRequestHandler('sampling/createMessage', () => ({
        role: 'assistant',
        model: 'm',
        content: { type: 'text', text: 'Good day' },
      }));
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
      const sum = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
      expect(sum.structuredContent).toEqual({ sum: 3 });
      const asked = await client.callTool({ name: 'asks' });
      expect(asked.content).toMatchObject([{ text: 'Ann: Good day' }]);
      await expect(client.callTool({ name: 'asks-first' })).rejects.toMatchObject({ code: -32021 });
    });

    it('EXT-NOT-1 hears of tasks of the extension', async () => {
      const transport = transportTo(kind);
      const exchange = tap(transport);
      const client = await connected(transport, 'auto', DECLARED);
      const ended = new Promise<unknown>((resolve) => {
        client.setNotificationHandler(
          'notifications/tasks',
          { params: anyObject },
          (params: JsonObject) => {
            if (params['status'] === 'completed') resolve(params);
          },
        );
      });
      const params = { name: 'wait', arguments: { ms: 100 }, _meta: modernMeta };
      const created = await exchange({ method: 'tools/call', params });
      const taskId = String(at(created, ['result', 'taskId']));
      const filter: object = { taskIds: [taskId] };
      const { closed } = await client.listen(filter);
      expect(await ended).toMatchObject({ taskId, result: { content: [{}] } });
      expect(await closed).toBe('graceful');
    });
  });

  it('the v1 client streams a task and answers its questions', async () => {
    const client = new ClientV1(INFO, { capabilities: { elicitation: {}, tasks: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ANSWER);
    await client.connect(
      kind === 'stdio'
        ? new StdioV1({ ...APP, args: [...APP.args, 'stdio'] })
        : // Its own types are not exact about optional properties.
          new HttpV1(new URL(http.url), { requestInit: { headers } }),
    );
    onTestFinished(() => client.close());
    await client.listTools();
    for (const [name, args, text] of [
      ['wait', { ms: 50 }, 'waited 50 ms'],
      ['asks-once', {}, 'accept Ann'],
    ] as const) {
      const heard: JsonObject[] = [];
      const stream = client.experimental.tasks.callToolStream(
        { name, arguments: args },
        CallToolResultSchema,
        { task: { ttl: 60_000 } },
      );
      for await (const message of stream) heard.push({ ...message });
      expect(heard[0]).toMatchObject({ type: 'taskCreated', task: { status: 'working' } });
      expect(heard.at(-1)).toMatchObject({ type: 'result', result: { content: [{ text }] } });
    }
  });

  describe('the ext-tasks client', () => {
    const onInputRequest = createApplicationInputHandler({
      elicitation: () => ANSWER,
      sampling: () => Promise.reject(new Error('No model')),
      roots: () => ({ roots: [] }),
    });

    it('runs a task of the core dialect', async () => {
      const client = await connected(transportTo(kind), 'legacy');
      const session = createTaskSessionFromClient(client, { endpointId: 'test', onInputRequest });
      onTestFinished(() => session.close());
      const execution = await session.callTool(
        'wait',
        { ms: 50 },
        { task: { preference: 'prefer' } },
      );
      expect(execution.kind).toBe('task');
      const { outcome } = await execution.settle();
      expect(resultFromTaskOutcome(outcome)).toMatchObject({
        content: [{ text: 'waited 50 ms' }],
      });
    });

    it('runs tasks of the extension, and answers their questions', async () => {
      const transport = transportTo(kind);
      const exchange = tap(transport);
      const client = await connected(transport, 'auto', DECLARED);
      const session = createTaskSessionFromClient(client, {
        endpointId: 'test',
        onInputRequest,
        rawDispatch: (request) => exchange(isObject(request) ? request : {}),
        v2RequestFraming: {
          protocolVersion: '2026-07-28',
          clientInfo: INFO,
          clientCapabilities: DECLARED,
        },
      });
      onTestFinished(() => session.close());
      for (const [name, args, text] of [
        ['wait', { ms: 50 }, 'waited 50 ms'],
        ['asks-once', {}, 'accept Ann'],
        ['asks-first', {}, 'for Ann'],
      ] as const) {
        const execution = await session.callTool(name, args);
        expect(execution.kind).toBe('task');
        const { outcome } = await execution.settle();
        expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text }] });
      }
    });
  });
});
