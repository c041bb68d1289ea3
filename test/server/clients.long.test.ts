import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { anyObject, at } from '../../runtime/peer/wire/json.js';
import { callV1, clientV2, DECLARED, INFO, streamV1, tap, taskSession } from './clients.js';
import { APP, type HttpProcess, startHttp } from './process.js';
import { tokenOf } from './tokens.js';

/** The clients that people have, against a server in a process of its own. */

const ANSWER = { name: 'Ann' };
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

const modernMeta = {
  [META_KEYS.protocolVersion]: '2026-07-28',
  [META_KEYS.clientInfo]: INFO,
  [META_KEYS.clientCapabilities]: DECLARED,
};

describe.each<Kind>(['stdio', 'http'])('over %s', (kind) => {
  describe('the v2 client', () => {
    it('calls, and runs tasks of the core dialect with questions', async () => {
      const client = await clientV2(transportTo(kind), 'legacy', ANSWER);
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
      const client = await clientV2(transportTo(kind), 'auto', ANSWER, capabilities);
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

    it('EXT-NOT-1 gets notifications of tasks of the extension', async () => {
      const transport = transportTo(kind);
      const exchange = tap(transport);
      const client = await clientV2(transport, 'auto', ANSWER, DECLARED);
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

  const transportV1 = (): TransportV1 =>
    kind === 'stdio'
      ? new StdioV1({ ...APP, args: [...APP.args, 'stdio'] })
      : // Its own types are not exact about optional properties.
        new HttpV1(new URL(http.url), { requestInit: { headers } });

  describe('EXT-GET-3 CORE-LIFE-3 CORE-RES-1 the message of a tool that throws is seen', () => {
    const FAILED = { isError: true, content: [{ type: 'text', text: 'It went wrong' }] };

    it.each(['legacy', 'auto'] as const)('by the v2 client, in a call of mode %s', async (mode) => {
      const client = await clientV2(transportTo(kind), mode, ANSWER);
      expect(await client.callTool({ name: 'failing' })).toMatchObject(FAILED);
    });

    it('by the v2 client, in tasks of both dialects', async () => {
      const client = await clientV2(transportTo(kind), 'legacy', ANSWER);
      const created = await client.request(
        { method: 'tools/call', params: { name: 'failing', task: {} } },
        anyObject,
      );
      const params = { taskId: at(created, ['task', 'taskId']) };
      expect(await client.request({ method: 'tasks/result', params }, anyObject)).toMatchObject(
        FAILED,
      );

      const transport = transportTo(kind);
      const exchange = tap(transport);
      await clientV2(transport, 'auto', ANSWER, DECLARED);
      const send = (method: string, params: JsonObject) =>
        exchange({ method, params: { ...params, _meta: modernMeta } });
      const taskId = at(await send('tools/call', { name: 'failing' }), ['result', 'taskId']);
      await expect
        .poll(() => send('tasks/get', { taskId }), { timeout: 30_000 })
        .toMatchObject({ result: { status: 'completed', result: FAILED } });
    });

    it('by the v1 client, in a call and, as the status of the task, in a task', async () => {
      expect(await callV1(transportV1(), 'failing')).toMatchObject(FAILED);
      const [heard] = await streamV1(transportV1(), ANSWER, [{ name: 'failing', arguments: {} }]);
      expect(JSON.stringify(heard)).toContain('It went wrong');
    });

    it.each(['legacy', 'auto'] as const)('by the ext-tasks client in mode %s', async (mode) => {
      const session = await taskSession(transportTo(kind), mode, ANSWER);
      const options = { task: { preference: 'prefer' } } as const;
      const execution = await session.callTool('failing', {}, options);
      expect(execution.kind).toBe('task');
      const { outcome } = await execution.settle();
      expect(JSON.stringify(outcome)).toContain('It went wrong');
      expect(JSON.stringify(outcome)).not.toContain('schema validation');
    });
  });

  it('the v1 client streams a task and answers its questions', async () => {
    const streams = await streamV1(transportV1(), ANSWER, [
      { name: 'wait', arguments: { ms: 50 } },
      { name: 'asks-once', arguments: {} },
    ]);
    for (const [index, text] of ['waited 50 ms', 'accept Ann'].entries()) {
      const heard = streams[index] ?? [];
      expect(heard[0]).toMatchObject({ type: 'taskCreated', task: { status: 'working' } });
      expect(heard.at(-1)).toMatchObject({ type: 'result', result: { content: [{ text }] } });
    }
  });

  describe('the ext-tasks client', () => {
    it('runs a task of the core dialect', async () => {
      const session = await taskSession(transportTo(kind), 'legacy', ANSWER);
      const options = { task: { preference: 'prefer' } } as const;
      const execution = await session.callTool('wait', { ms: 50 }, options);
      expect(execution.kind).toBe('task');
      const { outcome } = await execution.settle();
      expect(resultFromTaskOutcome(outcome)).toMatchObject({
        content: [{ text: 'waited 50 ms' }],
      });
    });

    it('runs tasks of the extension, and answers their questions', async () => {
      const session = await taskSession(transportTo(kind), 'auto', ANSWER);
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
