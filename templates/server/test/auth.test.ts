import { expect, it } from 'vitest';
import { startTestApp } from './app.js';

const post = (url: URL, token: string | undefined): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1.0.0' },
      },
    }),
  });

it('lets a genuine token in', async () => {
  const { url, authorization } = await startTestApp();
  expect((await post(url, authorization.issue())).status).toBe(200);
});

it.each([
  ['issued for another resource', { aud: 'https://elsewhere.example/mcp' }],
  ['of another issuer', { iss: 'https://elsewhere.example' }],
  ['that has expired', { exp: 1 }],
  ['that was withdrawn', { active: false }],
  ['that names nobody', { sub: undefined }],
])('refuses a token %s', async (_, claims) => {
  const { url, authorization } = await startTestApp();
  expect((await post(url, authorization.issue(claims))).status).toBe(401);
});

it.each([
  ['no token', undefined],
  ['an invented one', 'invented'],
])('refuses %s, and says where to get one', async (_, token) => {
  const { url, authorization } = await startTestApp();
  const response = await post(url, token);
  expect(response.status).toBe(401);
  const [, place = ''] =
    /resource_metadata="([^"]+)"/.exec(response.headers.get('www-authenticate') ?? '') ?? [];
  const metadata = await fetch(new URL(new URL(place).pathname, url));
  expect(await metadata.json()).toMatchObject({ authorization_servers: [authorization.url] });
});
