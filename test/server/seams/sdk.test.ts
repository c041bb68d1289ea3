import { createMcpHandler, isLegacyRequest, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { META_KEYS } from '../../../generated/2026-07-28/protocol.js';
import { anyObject } from '../../../runtime/wire/json.js';

/**
 * What this project relies on in @modelcontextprotocol/server, tried on the SDK alone. When an update makes
 * a test fail, its name says what `runtime/server` has to do in another way. Found with 2.4.0.
 */

const TASK = { resultType: 'task', taskId: 't', status: 'working' };

function request(method: string, params: object = {}): Request {
  const _meta = {
    [META_KEYS.protocolVersion]: '2026-07-28',
    [META_KEYS.clientInfo]: { name: 'test', version: '1' },
    [META_KEYS.clientCapabilities]: {},
  };
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
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
}

async function answered(prepare: (mcp: McpServer) => void, asked: Request): Promise<unknown> {
  const handler = createMcpHandler(() => {
    const mcp = new McpServer({ name: 'seam', version: '1' }, { capabilities: {} });
    // Declared in the constructor, McpServer would answer tools/call itself.
    mcp.server.registerCapabilities({ tools: {} });
    prepare(mcp);
    return mcp;
  });
  const text = await (await handler.fetch(asked)).text();
  await handler.close();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return (JSON.parse(data) as { result?: unknown }).result;
}

describe('the SDK', () => {
  it('passes the results of fallbackRequestHandler unchanged: connection.ts answers tools/call with a task there', async () => {
    const call = request('tools/call', { name: 'slow', arguments: {} });
    const result = await answered((mcp) => {
      mcp.server.fallbackRequestHandler = () => Promise.resolve(TASK);
    }, call);
    expect(result).toMatchObject(TASK);
    expect(result).not.toHaveProperty('content');
  });

  it('takes inputResponses out of the params into ctx.mcpReq: the ext dialect reads them there', async () => {
    const inputResponses = { name: { action: 'accept', content: { name: 'x' } } };
    const seen: unknown[] = [];
    await answered(
      (mcp) =>
        mcp.server.setRequestHandler('tasks/update', { params: anyObject }, (params, ctx) => {
          seen.push(params['inputResponses'], ctx.mcpReq.inputResponses);
          return { resultType: 'complete' };
        }),
      request('tasks/update', { taskId: 't', inputResponses }),
    );
    expect(seen).toEqual([undefined, inputResponses]);
  });

  it('tells requests of sessions from those of 2026-07-28: http.ts routes by isLegacyRequest', async () => {
    expect(await isLegacyRequest(request('tools/list'))).toBe(false);
    const session = new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(await isLegacyRequest(session)).toBe(true);
  });
});
