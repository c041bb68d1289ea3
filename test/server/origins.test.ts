import { describe, expect, it } from 'vitest';

import type { HttpOptions } from '../../runtime/server/index.js';
import { authorization, RESOURCE, tokenOf } from './tokens.js';
import { legacy, modernResponse, rig } from './support.js';

const PAGE = 'https://app.example';
const INIT = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 't', version: '1' },
};

async function call(
  init: RequestInit,
  options: Partial<HttpOptions> = { allowedOrigins: ['app.example'] },
  url = RESOURCE,
): Promise<Response> {
  const { http } = await rig({}, { auth: authorization, ...options });
  const headers = { host: 'localhost', ...(init.headers as Record<string, string>) };
  return http.fetch(new Request(url, { ...init, headers }));
}

const preflight = (origin: string, more: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'POST', ...more },
});

const list = (response: Response, name: string): string[] =>
  (response.headers.get(name) ?? '').split(',').map((each) => each.trim().toLowerCase());

describe('a page of an allowed origin', () => {
  it('may ask without a token what it may send', async () => {
    const asked = 'authorization,content-type,mcp-param-region,x-other';
    const response = await call(preflight(PAGE, { 'access-control-request-headers': asked }));
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(response.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(list(response, 'access-control-allow-methods')).toEqual(
      expect.arrayContaining(['get', 'post', 'delete']),
    );
    const headers = list(response, 'access-control-allow-headers');
    expect(headers).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'mcp-session-id',
        'mcp-protocol-version',
        'mcp-method',
        'mcp-name',
        'mcp-param-region',
        'last-event-id',
      ]),
    );
    expect(headers).not.toContain('x-other');
    expect(Number(response.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    expect(list(response, 'vary')).toEqual(
      expect.arrayContaining(['origin', 'access-control-request-headers']),
    );
  });

  it.each<[string, number, RequestInit, string]>([
    ['no token', 401, { method: 'POST', body: '{}' }, RESOURCE],
    [
      'a token without the scope',
      403,
      { headers: { authorization: `Bearer ${tokenOf('ann', 'app', 'x')}` } },
      RESOURCE,
    ],
    ['another path', 404, {}, 'http://localhost/other'],
    ['another method', 405, { method: 'PUT' }, RESOURCE],
    [
      'no JSON',
      400,
      {
        method: 'POST',
        body: '{',
        headers: { authorization: `Bearer ${tokenOf('ann')}`, 'content-type': 'application/json' },
      },
      RESOURCE,
    ],
    ['the metadata', 200, {}, 'http://localhost/.well-known/oauth-protected-resource/mcp'],
  ])('can read the answer to a request with %s (%i)', async (_, status, init, url) => {
    const headers = { ...(init.headers as Record<string, string>), origin: PAGE };
    const response = await call({ ...init, headers }, undefined, url);
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(list(response, 'access-control-expose-headers')).toEqual(
      expect.arrayContaining([
        'mcp-session-id',
        'mcp-protocol-version',
        'www-authenticate',
        'retry-after',
      ]),
    );
    expect(list(response, 'vary')).toContain('origin');
  });

  it('can read streams and sessions', async () => {
    const rigged = await rig({}, { auth: authorization, allowedOrigins: ['app.example'] });
    const headers = {
      host: 'localhost',
      origin: PAGE,
      authorization: `Bearer ${tokenOf('ann')}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INIT });
    const begun = await rigged.http.fetch(new Request(RESOURCE, { method: 'POST', headers, body }));
    const sessionId = begun.headers.get('mcp-session-id') ?? '';
    expect(begun.headers.get('access-control-allow-origin')).toBe(PAGE);
    const streaming = await rigged.http.fetch(
      new Request(RESOURCE, { headers: { ...headers, 'mcp-session-id': sessionId } }),
    );
    expect(streaming.headers.get('content-type')).toContain('text/event-stream');
    expect(streaming.headers.get('access-control-allow-origin')).toBe(PAGE);
    const listening = await modernResponse(
      rigged,
      'subscriptions/listen',
      { notifications: { taskIds: ['x'] } },
      { headers: { origin: PAGE } },
    );
    expect(listening.headers.get('access-control-allow-origin')).toBe(PAGE);
    await streaming.body?.cancel();
    await listening.body?.cancel();
  });
});

describe('allowed origins', () => {
  it.each<[string, readonly string[], string, boolean]>([
    ['a host name, of any scheme and port', ['app.example'], 'http://app.example:8080', true],
    ['a host name in other letters', ['App.Example'], 'https://app.example', true],
    ['an address', ['[::1]'], 'http://[::1]:1', true],
    ['an origin', ['https://app.example:8443'], 'https://app.example:8443', true],
    ['an origin with the usual port', ['https://app.example:443'], 'https://app.example', true],
    ['an origin of another port', ['https://app.example:8443'], 'https://app.example', false],
    ['an origin of another scheme', ['https://app.example'], 'http://app.example', false],
    ['the scheme of an extension', ['moz-extension://*'], 'moz-extension://0123', true],
    ['a host name that ends alike', ['app.example'], 'https://evil-app.example', false],
    ['a host name that begins alike', ['app.example'], 'https://app.example.evil', false],
    ['no origin that can be named', ['app.example'], 'null', false],
    ['none', [], PAGE, false],
    ['this machine', ['localhost'], PAGE, false],
  ])('are %s', async (_, allowedOrigins, origin, allowed) => {
    for (const init of [preflight(origin), { method: 'POST', body: '{}', headers: { origin } }]) {
      const response = await call(init, { allowedOrigins });
      expect(response.headers.get('access-control-allow-origin')).toBe(allowed ? origin : null);
      if (!allowed) expect(response.status).toBe(403);
      else expect([204, 401]).toContain(response.status);
    }
  });

  it.each(['*', 'http://*', 'app.example:3000', 'https://app.example/path', '', 'a b'])(
    'cannot be %j',
    async (entry) => {
      const wrong = rig({}, { auth: authorization, allowedOrigins: [entry] });
      await expect(wrong).rejects.toThrow('allowedOrigins');
    },
  );

  it('do not open other host names: a page that was rebound is refused', async () => {
    const response = await call({
      ...preflight(PAGE),
      headers: { origin: PAGE, host: 'evil.example' },
    });
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('are not needed by programs, which send none', async () => {
    const response = await call({ method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toContain('POST');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const client = await legacy(await rig());
    expect(client.sessionId).not.toBe('');
  });
});
