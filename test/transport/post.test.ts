import { describe, expect, it } from 'vitest';

import { rpcError } from '../../runtime/peer/index.js';
import {
  BASE,
  begin,
  eventsOf,
  gate,
  messagesOf,
  post,
  rig,
  stateless,
  text,
  until,
} from './rig.js';

const progress = (n: number) =>
  ['notifications/progress', { progressToken: 'p', progress: n }] as const;

describe('a POST of a revision without sessions', () => {
  const call = (name: string) => stateless('tools/call', { name, arguments: {} });

  it('is answered in JSON with its length', async () => {
    const { url, problems } = await rig({ say: () => text('hello') });
    const { message, headers } = call('say');
    const response = await post(url, message, headers);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const body = await response.text();
    expect(response.headers.get('content-length')).toBe(String(body.length));
    expect(JSON.parse(body)).toMatchObject({ id: 1, result: { content: [{ text: 'hello' }] } });
    expect(problems).toEqual([]);
  });

  it('gets a stream when something comes before the answer', async () => {
    const { url } = await rig({
      async say(_, exchange) {
        for (let n = 1; n <= 3; n += 1) await exchange.notify(...progress(n));
        return text('hello');
      },
    });
    const { message, headers } = call('say');
    const response = await post(url, message, headers);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    const messages = await messagesOf(response);
    expect(
      messages.map(({ params, id }) => (params as { progress?: number })?.progress ?? id),
    ).toEqual([1, 2, 3, 1]);
  });

  it('gets a stream with comments when the answer takes long', async () => {
    const { opened, open } = gate();
    const { url } = await rig(
      { say: () => opened.then(() => text('late')) },
      { streamAfterMs: 1, keepAliveMs: 5 },
    );
    const { message, headers } = call('say');
    const response = await post(url, message, headers);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = await reader.read();
    expect(new TextDecoder().decode(first.value)).toMatch(/^(: keepalive\n\n)+$/);
    open();
    let rest = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      rest += new TextDecoder().decode(next.value);
    }
    expect(rest).toMatch(/^(: keepalive\n\n)*event: message\ndata: \{.*late.*\}\n\n$/);
  });

  it.each([
    ['tools/list', 404, -32601],
    ['none/such', 404, -32601],
  ])('of the method %s, which is not served, gets %i', async (method, status, code) => {
    const { url } = await rig();
    const { message, headers } = stateless(method);
    const response = await post(url, message, headers);
    expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }]);
  });

  it('has the status 200 for the error of a handler, and 400 for a missing capability', async () => {
    const { url } = await rig({
      fails: () => Promise.reject(rpcError(-32601, 'not this one')),
      needs: () => Promise.reject(rpcError(-32021, 'more')),
    });
    for (const [name, status] of [
      ['fails', 200],
      ['needs', 400],
    ] as const) {
      const { message, headers } = call(name);
      expect((await post(url, message, headers)).status).toBe(status);
    }
  });

  it('is cancelled when its client disconnects', async () => {
    const signals: AbortSignal[] = [];
    const { url, problems } = await rig({
      waits: (_, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    });
    const { message, headers } = call('waits');
    const leaving = new AbortController();
    const left = post(url, message, headers, leaving.signal).catch(() => 'left');
    await until(() => signals.length === 1);
    leaving.abort();
    expect(await left).toBe('left');
    await until(() => signals[0]?.aborted === true);
    expect(problems).toEqual([]);
  });

  it('of a notification gets 202', async () => {
    const { url } = await rig();
    const { message, headers } = stateless('notifications/cancelled', { requestId: 7 });
    const { id: _, ...notification } = message;
    expect((await post(url, notification, headers)).status).toBe(202);
  });

  it('with a long answer is answered whole, also to a reader that pauses', async () => {
    const long = 'äx'.repeat(300_000);
    const { url, slow } = await rig({ say: () => text(long) });
    const { message, headers } = call('say');
    const response = await post(url, message, headers);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await response.json()).toMatchObject({ result: { content: [{ text: long }] } });
    expect(slow).toEqual([]);
  });

  it('is answered the same way to a host with web requests', async () => {
    const { web } = await rig({
      say: () => text('hello'),
      async reports(_, exchange) {
        await exchange.notify(...progress(1));
        return text('done');
      },
    });
    const ask = async (name: string): Promise<Response> => {
      const { message, headers } = call(name);
      const body = JSON.stringify(message);
      return web(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
    };
    expect(await (await ask('say')).json()).toMatchObject({ id: 1 });
    expect(await messagesOf(await ask('reports'))).toHaveLength(2);
  });

  it.each(['cancels the stream', 'aborts the request'])(
    'is cancelled when a host with web requests %s',
    async (how) => {
      const signals: AbortSignal[] = [];
      const { web } = await rig({
        async waits(_, exchange) {
          signals.push(exchange.signal);
          await exchange.notify(...progress(1));
          return new Promise(() => undefined);
        },
      });
      const { message, headers } = call('waits');
      const body = JSON.stringify(message);
      const leaving = new AbortController();
      const { signal } = leaving;
      const init = { method: 'POST', headers, body, signal };
      const response = await web(new Request('http://localhost/mcp', init));
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      const rest = reader.read();
      if (how === 'aborts the request') leaving.abort();
      else void reader.cancel();
      await until(() => signals[0]?.aborted === true);
      expect((await rest).done).toBe(true);
    },
  );

  it('may have its signal aborted when it was answered', async () => {
    const { web, served } = await rig();
    const over = new AbortController();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...init });
    const request = { method: 'POST', headers: BASE, body, signal: over.signal };
    expect((await web(new Request('http://localhost/mcp', request))).status).toBe(200);
    over.abort();
    expect(served.sessions[0]?.peer.isClosed).toBe(false);
  });
});

describe('a POST in a session', () => {
  const call = (name: string, id: unknown = 1) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {} },
  });

  it('is answered in JSON, or on a stream that begins with an event without data', async () => {
    const { url } = await rig({
      say: () => text('hello'),
      async reports(_, exchange) {
        await exchange.notify(...progress(1));
        return text('done');
      },
    });
    const headers = await begin(url);
    const plain = await post(url, call('say'), headers);
    expect(plain.headers.get('content-type')).toBe('application/json');
    expect(plain.headers.get('mcp-session-id')).toBe(headers['mcp-session-id']);
    const stream = await post(url, call('reports'), headers);
    const events = [];
    for await (const event of eventsOf(stream)) events.push(event);
    expect(events.map(({ data }) => data === '')).toEqual([true, false, false]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
  });

  it('begins without it in older revisions', async () => {
    const { url } = await rig({
      async reports(_, exchange) {
        await exchange.notify(...progress(1));
        return text('done');
      },
    });
    const headers = await begin(url, '2025-06-18');
    const events = [];
    for await (const event of eventsOf(await post(url, call('reports'), headers))) {
      events.push(event);
    }
    expect(events.map(({ data }) => data === '')).toEqual([false, false]);
  });

  it('of responses and notifications gets 202', async () => {
    const { url, served } = await rig();
    const headers = await begin(url);
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect((await post(url, initialized, headers)).status).toBe(202);
    expect(served.heard.map(([method]) => method)).toEqual(['notifications/initialized']);
    expect((await post(url, { jsonrpc: '2.0', id: 9, result: {} }, headers)).status).toBe(202);
    expect(served.late).toBe(1);
  });

  it('that is cancelled gets a stream that ends', async () => {
    let running = false;
    const { url } = await rig({
      waits: () => {
        running = true;
        return new Promise(() => undefined);
      },
    });
    const headers = await begin(url);
    const asked = post(url, call('waits', 'w'), headers);
    await until(() => running);
    const params = { requestId: 'w' };
    await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params }, headers);
    const response = await asked;
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await messagesOf(response)).toEqual([]);
  });

  it('carries several messages only in the revision that has batches', async () => {
    const { url, served } = await rig({ say: () => text('hello') });
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const all = [call('say', 1), initialized, call('say', 2)];
    for (const version of ['2025-11-25', '2025-06-18']) {
      const refused = await post(url, all, await begin(url, version));
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { error: { code: -32600 } },
      ]);
    }
    const headers = await begin(url, '2025-03-26');
    const answers = await messagesOf(await post(url, all, headers));
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    expect((await post(url, [initialized], headers)).status).toBe(202);
    expect(served.heard).toHaveLength(2);
  });
});

describe('sessions', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

  it('belong to their owners', async () => {
    const { url } = await rig();
    const headers = await begin(url);
    const foreign = await post(url, ping, { ...headers, authorization: 'bob' });
    const unknown = await post(url, ping, { ...headers, 'mcp-session-id': 'none' });
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(await foreign.json()).toEqual(await unknown.json());
  });

  it('are refused with the id of the request, and without one where there is none', async () => {
    const { url } = await rig({}, { sessionsPerOwner: 1 });
    const headers = await begin(url);
    const request = { ...ping, id: 'r' };
    const again = { ...request, ...init, id: 'r' };
    const begun: Record<string, string> = { ...headers };
    delete begun['mcp-session-id'];
    const refusals: [unknown, Record<string, string>, number][] = [
      [request, { ...headers, 'mcp-session-id': 'none' }, 404],
      [request, begun, 400],
      [request, { ...headers, 'mcp-protocol-version': '2024-01-01' }, 400],
      [request, { ...headers, accept: 'text/html' }, 406],
      [again, headers, 400],
      [again, begun, 429],
    ];
    for (const [body, given, status] of refusals) {
      const response = await post(url, body, given);
      expect([response.status, await response.json()]).toMatchObject([status, { id: 'r' }]);
    }
    for (const body of [{ jsonrpc: '2.0', id: 'r', result: {} }, [request], 7]) {
      const response = await post(url, body, { ...headers, 'mcp-session-id': 'none' });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(await response.json()).not.toHaveProperty('id');
    }
  });

  it('are limited for each owner, and in all', async () => {
    const { url } = await rig({}, { sessions: 3, sessionsPerOwner: 2 });
    const open = async (who: string): Promise<number> =>
      (await post(url, { ...ping, ...init }, { authorization: who })).status;
    expect([await open('ann'), await open('ann'), await open('ann')]).toEqual([200, 200, 429]);
    expect([await open('bob'), await open('bob')]).toEqual([200, 503]);
  });

  it('end with DELETE, and when they are idle', async () => {
    const { url } = await rig();
    const headers = await begin(url);
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(200);
    expect((await post(url, ping, headers)).status).toBe(404);
    const { url: other, served } = await rig({}, { sessionIdleMs: 20 });
    await begin(other);
    await until(() => served.sessions.every(({ peer }) => peer.isClosed));
  });

  it('are idle although a client of a host with web requests left before its stream', async () => {
    const { url, web, served } = await rig(
      { late: () => new Promise(() => undefined) },
      {
        sessionIdleMs: 20,
        streamAfterMs: 20,
      },
    );
    const headers = await begin(url);
    const leaving = new AbortController();
    const params = { name: 'late', arguments: {} };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const left = web(new Request(url, { method: 'POST', headers, body, signal: leaving.signal }));
    await new Promise(setImmediate);
    leaving.abort();
    await left;
    await post(
      url,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      headers,
    );
    await until(() => served.sessions.every(({ peer }) => peer.isClosed));
  });

  it('are not left behind by a handshake that failed', async () => {
    const { url, served } = await rig();
    const { params: _, ...rest } = init;
    const response = await post(url, { jsonrpc: '2.0', id: 1, ...rest, params: { x: 1 } });
    expect(await response.json()).toMatchObject({ error: { code: -32602 } });
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(served.sessions.map(({ peer }) => peer.isClosed)).toEqual([true]);
  });

  it.each([
    ['no header', undefined, 200],
    ['its own version', '2025-11-25', 200],
    ['another version', '2025-06-18', 400],
    ['an unknown version', 'x', 400],
  ])('take requests with %s', async (_, version, status) => {
    const { url } = await rig();
    const { 'mcp-protocol-version': __, ...headers } = await begin(url);
    const more = version === undefined ? {} : { 'mcp-protocol-version': version };
    expect((await post(url, ping, { ...headers, ...more })).status).toBe(status);
  });

  it.each([
    ['*/*', 200],
    ['application/*, text/*', 200],
    ['application/json;q=0.5, text/event-stream;q=0.1', 200],
    ['application/json', 406],
    ['text/event-stream', 406],
    ['*/*, text/event-stream;q=0', 406],
    ['text/html', 406],
  ])('take requests that accept %s, or refuse them (%i)', async (accept, status) => {
    const { url } = await rig();
    const headers = await begin(url);
    expect((await post(url, ping, { ...headers, accept })).status).toBe(status);
  });

  it('are begun once, and have ids with the key of a proxy', async () => {
    const { url } = await rig({}, { sessionKeyHeader: 'X-Key' });
    const response = await post(url, { ...ping, ...init }, { 'x-key': 'node-1' });
    const id = response.headers.get('mcp-session-id') ?? '';
    expect(id).toMatch(/^node-1\.[\da-f-]{36}$/);
    const again = await post(url, { ...ping, ...init }, { 'mcp-session-id': id });
    expect([again.status, await again.json()]).toMatchObject([400, { error: { code: -32600 } }]);
  });
});

const init = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};
