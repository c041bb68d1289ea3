import { createMcpHandler, isLegacyRequest, type McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { META_KEYS } from '../../../generated/2026-07-28/protocol.js';
import type { JsonObject } from '../../../runtime/tasks/index.js';
import { anyObject } from '../../../runtime/wire/json.js';
import { breaks, envelope, SDK, serverWith } from './support.js';

function request(method: string, params: object = {}, capabilities: object = {}): Request {
  const name =
    'taskId' in params ? String(params.taskId) : 'name' in params ? String(params.name) : '';
  return new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { ...params, _meta: envelope(capabilities) },
    }),
  });
}

async function answered(
  prepare: (mcp: McpServer) => void,
  asked: Request,
): Promise<JsonObject | undefined> {
  const handler = createMcpHandler(() => serverWith(prepare));
  const text = await (await handler.fetch(asked)).text();
  await handler.close();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return (JSON.parse(data) as { result?: JsonObject }).result;
}

const TASK = { resultType: 'task', taskId: 't', status: 'working' };

describe(`${SDK}, requests of 2026-07-28`, () => {
  it('fallbackRequestHandler passes results unchanged', async () => {
    const result = await answered(
      (mcp) => {
        mcp.server.fallbackRequestHandler = () => Promise.resolve(TASK);
      },
      request('tools/call', { name: 'slow', arguments: {} }),
    );
    const why = breaks('connected-server.ts', 'tools/call can no longer be answered with a task');
    expect(result, why).toMatchObject(TASK);
    expect(result, why).not.toHaveProperty('content');
  });

  it('inputResponses are taken out of the params', async () => {
    const given = { name: { action: 'accept', content: { name: 'x' } } };
    const seen: unknown[] = [];
    await answered(
      (mcp) =>
        mcp.server.setRequestHandler('tasks/update', { params: anyObject }, (params, ctx) => {
          seen.push(params['inputResponses'], ctx.mcpReq.inputResponses);
          return { resultType: 'complete' };
        }),
      request('tasks/update', { taskId: 't', inputResponses: given }),
    );
    const why = breaks('request.ts', 'inputResponses() reads ctx.mcpReq.inputResponses');
    expect(seen, why).toEqual([undefined, given]);
  });

  it('the envelope has the capabilities of the client', async () => {
    const capabilities = { elicitation: {}, extensions: { 'a.example/x': {} } };
    const seen: unknown[] = [];
    await answered(
      (mcp) =>
        mcp.server.setRequestHandler('tasks/get', { params: anyObject }, (_, ctx) => {
          seen.push(
            (ctx.mcpReq.envelope as JsonObject | undefined)?.[META_KEYS.clientCapabilities],
          );
          return { resultType: 'complete' };
        }),
      request('tasks/get', { taskId: 't' }, capabilities),
    );
    const why = breaks('request.ts', 'declaredCapabilities() reads ctx.mcpReq.envelope');
    expect(seen, why).toEqual([capabilities]);
  });

  it('ctx.http.req is the request that was given to the SDK', async () => {
    const asked = request('tasks/get', { taskId: 't' });
    const seen: unknown[] = [];
    await answered(
      (mcp) =>
        mcp.server.setRequestHandler('tasks/get', { params: anyObject }, (_, ctx) => {
          seen.push(ctx.http?.req === asked);
          return { resultType: 'complete' };
        }),
      asked,
    );
    const why = breaks('continuation.ts', 'an answer that has begun is found by its request');
    expect(seen, why).toEqual([true]);
  });

  it('an answer has its members in this order, and the name of the server', async () => {
    const handler = createMcpHandler(() =>
      serverWith((mcp) =>
        mcp.server.setRequestHandler('tasks/get', { params: anyObject }, () => ({
          resultType: 'complete',
        })),
      ),
    );
    const response = await handler.fetch(request('tasks/get', { taskId: 't' }));
    const why = breaks('../door/replies.ts', 'answers at the door differ from those of the SDK');
    expect(await response.text(), why).toBe(
      JSON.stringify({
        result: {
          resultType: 'complete',
          _meta: { [META_KEYS.serverInfo]: { name: 'seam', version: '1' } },
        },
        jsonrpc: '2.0',
        id: 1,
      }),
    );
    await handler.close();
  });

  it('isLegacyRequest tells requests of sessions from those of 2026-07-28', async () => {
    const session = new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const why = breaks('request-handler.ts', 'isOfSession() routes requests by isLegacyRequest');
    expect(await isLegacyRequest(request('tools/list')), why).toBe(false);
    expect(await isLegacyRequest(session), why).toBe(true);
  });

  it('a refused request is reported as a rejected inbound request', async () => {
    const reported: string[] = [];
    const handler = createMcpHandler(() => serverWith(() => undefined), {
      onerror: ({ message }) => reported.push(message),
    });
    const asked = request('tools/list');
    asked.headers.set('mcp-method', 'tools/call');
    const response = await handler.fetch(asked);
    await handler.close();
    const why = breaks('request-handler.ts', 'faults of clients are left out by this text');
    expect(response.status, why).toBe(400);
    expect(reported, why).toEqual([expect.stringMatching(/^Rejected inbound request/)]);
  });

  it('a subscription is acknowledged first, without tasks, and ends when nothing was asked for', async () => {
    const handler = createMcpHandler(() => serverWith(() => undefined));
    const response = await handler.fetch(
      request('subscriptions/listen', { notifications: { taskIds: ['t'] } }),
    );
    const messages = (await response.text())
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice('data: '.length)) as JsonObject);
    await handler.close();
    const why = breaks('listen-http.ts', 'merge() completes the acknowledgement and holds the end');
    expect(messages, why).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
      { id: 1, result: { resultType: 'complete' } },
    ]);
    expect(JSON.stringify(messages[0]), why).not.toContain('taskIds');
  });
});
