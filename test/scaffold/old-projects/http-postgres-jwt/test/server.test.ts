import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@mcp-codegen/runtime/server';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../src/config.js';
import { connect, startTestApp } from './app.js';

it('offers orders as resources', async () => {
  const { client } = await connect({ mode: 'auto' });
  const { contents } = await client.readResource({ uri: 'shop://orders/1001' });
  expect(contents).toMatchObject([{ text: '{"item":"Teapot","status":"delivered"}' }]);
});

it('refuses a resource and a prompt that it does not have', async () => {
  const { client } = await connect({ mode: 'auto' });
  for (const uri of ['shop://orders/9', 'shop://orders/constructor', 'shop://customers/1001']) {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  }
  await expect(client.getPrompt({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
});

it('offers a prompt', async () => {
  const { client } = await connect({ mode: 'auto' });
  const { messages } = await client.getPrompt({ name: 'order-status', arguments: { id: '1001' } });
  expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
});

it('suggests the numbers of orders', async () => {
  const { client } = await connect({ mode: 'auto' });
  const argument = { name: 'id', value: '1' };
  for (const ref of [
    { type: 'ref/prompt' as const, name: 'order-status' },
    { type: 'ref/resource' as const, uri: 'shop://orders/{id}' },
  ]) {
    const { completion } = await client.complete({ ref, argument });
    expect(completion.values).toEqual(['1001', '1002']);
  }
});

it('answers /health while its store works', async () => {
  const { url } = await startTestApp();
  const response = await fetch(new URL('/health', url));
  expect(await response.json()).toMatchObject({ status: 'ok', parts: { store: 'ok' } });
});

it('serves no web page of another host', async () => {
  const { url, headers } = await startTestApp();
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, origin: 'https://elsewhere.example' },
  });
  expect(response.status).toBe(403);
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'http-postgres-jwt-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function configFile(content: string): string {
  const file = join(newFolder(), 'config.json');
  writeFileSync(file, content);
  return file;
}

/** What has no default. */
const NEEDED = JSON.stringify({
  auth: {
    resource: 'https://example.com/mcp',
    issuer: 'https://auth.example.com',

    jwks: 'https://auth.example.com/jwks',
  },
});

it('has defaults', () => {
  expect(readConfig({ CONFIG: configFile(NEEDED) })).toMatchObject({
    drainMs: 5_000,

    port: 3000,
  });
});

it('lets the environment come first', () => {
  const file = configFile(JSON.stringify({ ...JSON.parse(NEEDED), drainMs: 1 }));
  expect(readConfig({ CONFIG: file })).toMatchObject({ drainMs: 1 });
  expect(readConfig({ CONFIG: file, DRAIN_MS: '2' })).toMatchObject({ drainMs: 2 });
});

it.each([
  ['a variable', NEEDED, { DRAIN_MS: 'soon' }, /^DRAIN_MS is "soon": /],
  ['a setting', '{ "drainMs": -1 }', {}, /config\.json, drainMs: .*\(set by DRAIN_MS\)/],
  ['a setting that there is not', '{ "colour": "red" }', {}, /config\.json.*colour/s],
  ['the file', '{', {}, /config\.json: .*JSON/],
  ['what is in the file', '[]', {}, /config\.json: must be an object/],
])('says what is wrong with %s', (_, content, environment, message) => {
  const read = () => readConfig({ CONFIG: configFile(content), ...environment });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(message);
});

it('says that the file it was told to read is not there', () => {
  expect(() => readConfig({ CONFIG: 'nowhere.json' })).toThrow(/^nowhere\.json: /);
});

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

  ['without a subject', { sub: undefined }],
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
