import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';

import { type Mode, clientV2 } from './clients.js';
import { fastifyApp, MOUNTED, PAGE } from './mounts.js';
import { rig } from './support.js';
import { release } from './tools.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

it('a session lives in a test of Fastify, whose requests have no connection', async () => {
  const app = fastifyApp((await rig()).server);
  const headers = { accept: 'application/json, text/event-stream', host: 'localhost' };
  const begun = await app.inject({ method: 'POST', url: '/mcp', headers, payload: INITIALIZE });
  expect(begun.statusCode).toBe(200);
  const session = { ...headers, 'mcp-session-id': String(begun.headers['mcp-session-id']) };
  const payload = {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'add', arguments: { a: 1, b: 2 } },
  };
  const called = await app.inject({ method: 'POST', url: '/mcp', headers: session, payload });
  expect(called.payload).toContain('"sum":3');
});

describe.each(Object.keys(MOUNTED))('mounted in %s', (kind) => {
  const start = async (): Promise<string> =>
    `http://127.0.0.1:${(await MOUNTED[kind]?.((await rig()).server)) ?? 0}`;

  it.each(['legacy', 'auto'] as Mode[])('calls and streams reach a client, %s', async (mode) => {
    const url = new URL(`${await start()}/mcp`);
    const client = await clientV2(new StreamableHTTPClientTransport(url), mode, {});
    expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
      structuredContent: { sum: 3 },
    });
    const label = `${kind}-${mode}`;
    const progress: number[] = [];
    const result = await client.callTool(
      { name: 'held', arguments: { label } },
      {
        // The tool ends only after its first progress has come through the stream.
        onprogress(event) {
          progress.push(event.progress);
          release(label);
        },
      },
    );
    expect(result.content).toEqual([{ type: 'text', text: `done ${label}` }]);
    expect(progress).toEqual([1, 2]);
  });

  it('a session begins, opens its stream and ends', async () => {
    const url = `${await start()}/mcp`;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const begun = await fetch(url, { method: 'POST', headers, body: JSON.stringify(INITIALIZE) });
    expect(begun.status).toBe(200);
    await begun.text();
    const session = {
      'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
      'mcp-protocol-version': '2025-11-25',
    };
    const leave = new AbortController();
    const stream = await fetch(url, {
      headers: { ...session, accept: 'text/event-stream' },
      signal: leave.signal,
    });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const first = await stream.body?.getReader().read();
    expect(first?.done).toBe(false);
    leave.abort();
    expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(200);
    const after = await fetch(url, {
      method: 'POST',
      headers: { ...headers, ...session },
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }),
    });
    expect(after.status).toBe(404);
  });

  it('pages of allowed origins get a CORS preflight, others get 403', async () => {
    const url = `${await start()}/mcp`;
    const preflight = (origin: string): Promise<Response> =>
      fetch(url, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type, mcp-session-id',
        },
      });
    const allowed = await preflight(PAGE);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect((await preflight('https://evil.example')).status).toBe(403);
  });

  it('/health answers, and malformed bodies are refused', async () => {
    const url = await start();
    const health = await fetch(`${url}/health`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ status: 'ok' });
    const refused = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{',
    });
    expect(refused.status).toBe(400);
  });
});
