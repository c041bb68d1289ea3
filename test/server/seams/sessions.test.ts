import {
  type JSONRPCMessage,
  ProtocolError,
  ResourceTemplate,
  type Transport,
} from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { withoutPayload } from '../../../runtime/server/sdk/index.js';
import { deferred, type JsonObject } from '../../../runtime/tasks/index.js';
import { anyObject } from '../../../runtime/wire/json.js';
import { breaks, HANDSHAKE, httpSession, pipe, SDK, serverWith } from './support.js';

const CALL = { method: 'tools/call', params: { name: 'slow', arguments: {} } };
const TASK = {
  task: {
    taskId: 't',
    status: 'working',
    createdAt: '2026-01-01T00:00:00.000Z',
    lastUpdatedAt: '2026-01-01T00:00:00.000Z',
    ttl: 1_000,
  },
};

describe(`${SDK}, sessions`, () => {
  it('fallbackRequestHandler passes results unchanged', async () => {
    const mcp = serverWith(({ server }) => {
      server.fallbackRequestHandler = () => Promise.resolve(TASK);
    });
    const client = await pipe((theirs) => mcp.connect(theirs));
    await client.request(HANDSHAKE);
    const { result } = await client.request({ id: 1, ...CALL });
    const why = breaks('connected-server.ts', 'tools/call can no longer be answered with a task');
    expect(result, why).toEqual(TASK);
  });

  it.each([-32602, -32002])(
    'an unknown resource is -32602 with its URI alone, for %s',
    async (code) => {
      const mcp = serverWith((server) => {
        const template = new ResourceTemplate('seam://{name}', { list: undefined });
        server.registerResource('some', template, {}, ({ href }) => {
          throw new ProtocolError(code, 'Not found', { uri: href });
        });
      });
      const client = await pipe((theirs) => mcp.connect(theirs));
      await client.request(HANDSHAKE);
      const why = breaks(
        'checked-answer.ts',
        'sessions no longer get -32002 for unknown resources',
      );
      for (const uri of ['seam://x', 'nothing:x']) {
        const read = { id: uri, method: 'resources/read', params: { uri } };
        const { error } = await client.request(read);
        expect(error, why).toMatchObject({ code: -32602 });
        expect((error as JsonObject)['data'], why).toEqual({ uri });
      }
    },
  );

  it('a handler that is set or removed as a request arrives decides which handler answers it', async () => {
    const mcp = serverWith(() => undefined);
    const { server } = mcp;
    const answers = ['fallback', 'handler', 'fallback'];
    const client = await pipe(async (theirs) => {
      await mcp.connect(theirs);
      const deliver = theirs.onmessage;
      theirs.onmessage = (message, extra) => {
        if ('method' in message && message.method === 'tools/call') {
          const by = answers.shift();
          server.removeRequestHandler('tools/call');
          server.fallbackRequestHandler = () => Promise.resolve({ by: 'fallback', content: [] });
          if (by === 'handler') {
            server.setRequestHandler('tools/call', () => ({ content: [], by: 'handler' }));
          }
        }
        deliver?.(message, extra);
      };
    });
    await client.request(HANDSHAKE);
    const why = breaks(
      'connected-server.ts',
      'the handler is no longer looked up in the turn of the delivery: #route() comes too late',
    );
    for (const by of ['fallback', 'handler', 'fallback']) {
      const { result } = await client.request({ id: by + String(answers.length), ...CALL });
      expect(result, why).toMatchObject({ by });
    }
  });

  it('registerTool sets its handlers through setRequestHandler of the instance', () => {
    const mcp = serverWith(() => undefined);
    const set = mcp.server.setRequestHandler.bind(mcp.server) as (...args: unknown[]) => void;
    const seen: string[] = [];
    Object.assign(mcp.server, {
      setRequestHandler(method: string, ...rest: unknown[]) {
        seen.push(method);
        set(method, ...rest);
      },
    });
    mcp.registerTool('own', { description: 'x' }, () => ({ content: [] }));
    const why = breaks('shared-tools.ts', 'the handlers of registered tools are not seen any more');
    expect(seen, why).toEqual(expect.arrayContaining(['tools/list', 'tools/call']));
  });

  it('a wrapped transport gets the negotiated version before the answer to the handshake', async () => {
    const events: string[] = [];
    const mcp = serverWith(() => undefined);
    const client = await pipe((theirs) => {
      const send = theirs.send.bind(theirs);
      const wrapped: Transport = Object.assign(theirs, {
        send(message: JSONRPCMessage) {
          events.push('sent');
          return send(message);
        },
        setProtocolVersion: (version: string) => void events.push(version),
      });
      return mcp.connect(wrapped);
    });
    await client.request(HANDSHAKE);
    const why = breaks(
      'checked-transport.ts',
      'the answer to initialize is checked by the revision that setProtocolVersion names',
    );
    expect(events, why).toEqual(['2025-11-25', 'sent']);
  });

  it('errors quote the message at hand', async () => {
    const reported: Error[] = [];
    const mcp = serverWith(({ server }) => {
      server.onerror = (error) => reported.push(error);
    });
    const client = await pipe((theirs) => mcp.connect(theirs));
    await client.request(HANDSHAKE);
    await client.send({ id: 'never asked', result: { password: 'hunter2' } });
    const [error] = reported;
    const why = breaks('error-text.ts', 'withoutPayload() cuts the text at its first quotation');
    expect(error?.message, why).toContain('hunter2');
    expect(withoutPayload(error).message, why).toBe(
      'Received a response for an unknown message ID',
    );
  });
});

describe(`${SDK}, sessions over HTTP`, () => {
  it('an event is one chunk, and its data one line', async () => {
    const session = await httpSession(serverWith(() => undefined));
    const { body } = await session.post(HANDSHAKE);
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    const why = breaks('event-stream.ts, json-answer.ts', 'they read events in this form');
    expect(first, why).toMatch(/^event: message\n(?:id: .*\n)?data: \{.*"id":"handshake".*\}\n\n$/);
  });

  it('a refused handshake leaves the transport without a session', async () => {
    const session = await httpSession(serverWith(() => undefined));
    const response = await session.post({ id: 1, method: 'tools/list' });
    const why = breaks('session-transport.ts', 'handle() closes a server that has no session id');
    expect(response.status, why).toBe(400);
    expect(session.transport.sessionId, why).toBeUndefined();
    await session.post(HANDSHAKE);
    expect(session.transport.sessionId, why).toBe('session');
  });

  it("a dropped stream aborts the web request's signal alone", async () => {
    const signals: Record<string, AbortSignal | undefined> = {};
    const started = deferred<undefined>();
    const mcp = serverWith(({ server }) =>
      server.setRequestHandler('tasks/result', { params: anyObject }, (_, ctx) => {
        Object.assign(signals, { web: ctx.http?.req?.signal, own: ctx.mcpReq.signal });
        started.resolve(undefined);
        return new Promise<never>(() => undefined);
      }),
    );
    const session = await httpSession(mcp);
    await (await session.post(HANDSHAKE)).body?.cancel();
    const dropped = new AbortController();
    void session.post({ id: 2, method: 'tasks/result', params: { taskId: 't' } }, dropped.signal);
    await started.promise;
    dropped.abort();
    const why = breaks('request.ts', 'requestSignal() joins the two signals');
    expect(signals['web']?.aborted, why).toBe(true);
    expect(signals['own']?.aborted, why).toBe(false);
  });

  it('streams queue events that are not read', async () => {
    const mcp = serverWith(({ server }) => server.registerCapabilities({ logging: {} }));
    const session = await httpSession(mcp);
    await (await session.post(HANDSHAKE)).body?.cancel();
    const { body } = await session.get();
    const data = 'x'.repeat(2 ** 16);
    for (let sent = 0; sent < 64; sent += 1) {
      await mcp.server.notification({
        method: 'notifications/message',
        params: { level: 'info', data },
      });
    }
    const why = breaks('paced.ts', 'paced() reads a stream as it comes, because it queues anyway');
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    let bytes = 0;
    while (bytes < 64 * data.length) bytes += (await reader.read()).value?.byteLength ?? Infinity;
    expect(bytes, why).toBeLessThan(Infinity);
    await reader.cancel();
  });

  it('an answer to a client that has disconnected is reported as undeliverable', async () => {
    const reported: string[] = [];
    const release = deferred<undefined>();
    const started = deferred<undefined>();
    const mcp = serverWith(({ server }) => {
      server.onerror = ({ message }) => reported.push(message);
      server.setRequestHandler('tasks/result', { params: anyObject }, async () => {
        started.resolve(undefined);
        await release.promise;
        return {};
      });
    });
    const session = await httpSession(mcp);
    await (await session.post(HANDSHAKE)).body?.cancel();
    const response = await session.post({ id: 2, method: 'tasks/result', params: { taskId: 't' } });
    await started.promise;
    await response.body?.cancel();
    release.resolve(undefined);
    const why = breaks('connected-server.ts', '#report() leaves out errors by this text');
    await expect
      .poll(() => reported, { message: why })
      .toEqual([expect.stringContaining('is undeliverable')]);
  });
});
