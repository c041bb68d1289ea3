import { PassThrough } from 'node:stream';

import { describe, expect, it, onTestFinished } from 'vitest';

import { DIALECT_VERSIONS, META_KEYS } from '../../../runtime/protocol.js';
import { definePrompt } from '../../../runtime/server/prompt.js';
import { defineResource, defineResourceTemplate } from '../../../runtime/server/resource.js';
import { serveHttp, serveStdio } from '../../../runtime/server/index.js';
import type { JsonObject } from '../../../runtime/tasks/index.js';
import {
  legacy,
  type Message,
  messagesOf,
  modern,
  modernResponse,
  type Reachable,
  until,
} from '../support.js';
import { serverOf } from './wire.js';

const UPDATED = 'notifications/resources/updated';

const options = {
  logging: true,
  resources: [
    defineResource({
      uri: 'x:r',
      name: 'r',
      read({ request }) {
        request.log('warning', 'read');
        return { text: 'r' };
      },
    }),
    defineResourceTemplate({
      uriTemplate: 'x:t/{id}',
      name: 't',
      complete: { id: (value) => [`${value}1`] },
      read: ({ variables }) => ({ text: variables.id }),
    }),
  ],
  prompts: [definePrompt({ name: 'p', get: () => 'Hello' })],
};

async function overHttp() {
  const { server } = await serverOf(options);
  const http = await serveHttp(server, { allowUnidentified: true });
  onTestFinished(() => http.close());
  const reachable: Reachable = {
    http: {
      fetch: (web, signal) =>
        fetch(http.url, {
          method: web.method,
          headers: web.headers,
          body: web.body,
          duplex: 'half',
          ...(signal && { signal }),
        }),
    },
  };
  return { server, http, reachable };
}

describe('over HTTP', () => {
  it('a session reads, completes, logs and watches', async () => {
    const { server, reachable } = await overHttp();
    const client = await legacy(reachable, { token: undefined, revision: '2025-06-18' });
    const read = await client.request('resources/read', { uri: 'x:r' });
    expect(read.result).toMatchObject({ contents: [{ text: 'r' }] });
    expect(client.heard).toMatchObject([{ params: { level: 'warning', data: 'read' } }]);
    const ref = { type: 'ref/resource', uri: 'x:t/{id}' };
    const argument = { name: 'id', value: '2' };
    const { result } = await client.request('completion/complete', { ref, argument });
    expect(result).toMatchObject({ completion: { values: ['21'] } });
    const leave = new AbortController();
    const stream = await client.listen(leave.signal);
    await client.request('resources/subscribe', { uri: 'x:r' });
    server.notify.resourceUpdated('x:r');
    expect((await stream.next()).value).toMatchObject({ method: UPDATED, params: { uri: 'x:r' } });
    leave.abort();
  });

  it('a request listens until its client leaves', async () => {
    const { server, reachable } = await overHttp();
    const notifications = { resourceSubscriptions: ['x:r'], promptsListChanged: true };
    const leave = new AbortController();
    const response = await modernResponse(
      reachable,
      'subscriptions/listen',
      { notifications },
      {},
      leave.signal,
    );
    const stream = messagesOf(response);
    expect((await stream.next()).value).toMatchObject({ params: { notifications } });
    server.notify.resourceUpdated('x:r');
    expect((await stream.next()).value).toMatchObject({ method: UPDATED, params: { uri: 'x:r' } });
    server.notify.promptsChanged();
    expect((await stream.next()).value).toMatchObject({
      method: 'notifications/prompts/list_changed',
    });
    leave.abort();
  });

  it('a request that listens is answered when the endpoint closes', async () => {
    const { http, reachable } = await overHttp();
    const notifications = { promptsListChanged: true };
    const response = await modernResponse(reachable, 'subscriptions/listen', { notifications });
    const stream = messagesOf(response);
    expect((await stream.next()).value).toMatchObject({ params: { notifications } });
    const closed = http.close();
    expect((await stream.next()).value).toMatchObject({ result: { resultType: 'complete' } });
    await closed;
  });

  it('a request gets the log messages for which it asks', async () => {
    const { reachable } = await overHttp();
    const _meta = { [META_KEYS.logLevel]: 'debug' };
    const response = await modernResponse(reachable, 'resources/read', { uri: 'x:r', _meta });
    const messages: Message[] = [];
    for await (const message of messagesOf(response)) messages.push(message);
    expect(messages).toMatchObject([{ params: { level: 'warning' } }, { result: {} }]);
    expect((await modern(reachable, 'resources/read', { uri: 'x:r' })).result).toMatchObject({
      contents: [{ text: 'r' }],
    });
  });
});

async function overStdio() {
  const { server } = await serverOf(options);
  const [source, target] = [new PassThrough(), new PassThrough()];
  const handle = serveStdio(server, { source, target });
  onTestFinished(() => handle.close());
  const lines: Message[] = [];
  let rest = '';
  target.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((line) => JSON.parse(line) as Message));
  });
  return { server, source, handle, lines };
}

it('over stdio, the end of a subscription is announced, and then its request is answered', async () => {
  const { source, handle, lines } = await overStdio();
  const notifications = { promptsListChanged: true };
  const _meta = {
    [META_KEYS.protocolVersion]: DIALECT_VERSIONS.ext,
    [META_KEYS.clientCapabilities]: {},
  };
  const listen = { method: 'subscriptions/listen', params: { notifications, _meta } };
  source.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'l', ...listen })}\n`);
  const begun = () => Promise.resolve(lines.length);
  await until(begun, (count) => count > 0);
  await handle.close();
  const ofStream = { [META_KEYS.subscriptionId]: 'l' };
  expect(lines.slice(1)).toMatchObject([
    { method: 'notifications/cancelled', params: { requestId: 'l', _meta: ofStream } },
    { id: 'l', result: { resultType: 'complete', _meta: ofStream } },
  ]);
});

it('over stdio, a session reads and watches', async () => {
  const { server, source, lines } = await overStdio();
  const request = async (id: number, method: string, params: JsonObject): Promise<Message> => {
    source.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const found = () => Promise.resolve(lines.find((line) => line.id === id));
    return (await until(found, (line) => line !== undefined)) ?? {};
  };
  const clientInfo = { name: 'test', version: '1' };
  await request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const read = await request(2, 'resources/read', { uri: 'x:t/7' });
  expect(read.result).toMatchObject({ contents: [{ text: '7' }] });
  await request(3, 'resources/subscribe', { uri: 'x:r' });
  server.notify.resourceUpdated('x:r');
  const updated = () => Promise.resolve(lines.find(({ method }) => method === UPDATED));
  expect(await until(updated, (line) => line !== undefined)).toMatchObject({
    params: { uri: 'x:r' },
  });
});
