import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';

import type { ClientChannel, TaskClientOptions } from '../../runtime/client/index.js';
import { createTaskClient, processTransport } from '../../runtime/client/node/index.js';
import { httpTransport } from '../../runtime/client/transports/http.js';
import { sseTransport } from '../../runtime/client/transports/sse.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import type { Message } from '../server/support.js';

type Answer = (request: Message) => JsonObject | undefined;

/** A transport to a server that answers by a function; `{ code }` is an error. */
function scripted(answer: Answer): { transport: InMemoryTransport; methods: () => string[] } {
  const [transport, theirs] = InMemoryTransport.createLinkedPair();
  const methods: string[] = [];
  theirs.onmessage = (incoming) => {
    const request = incoming as Message;
    methods.push(String(request.method));
    const given = request.id === undefined ? undefined : answer(request);
    if (given === undefined) return;
    const body = 'code' in given ? { error: given } : { result: given };
    void theirs.send({ jsonrpc: '2.0', id: request.id, ...body } as unknown as JSONRPCMessage);
  };
  void theirs.start();
  return { transport, methods: () => methods };
}

function made(options: Partial<TaskClientOptions> = {}) {
  const client = createTaskClient({ name: 'test', version: '1', ...options });
  onTestFinished(() => client.close());
  return client;
}

const opened = (protocolVersion: string): JsonObject => ({
  protocolVersion,
  capabilities: {},
  serverInfo: { name: 'old', version: '1' },
});

const UNKNOWN = { code: -32601, message: 'Method not found' };

describe('the revision of a connection', () => {
  it('is that of initialize where the server has no server/discover', async () => {
    const { transport, methods } = scripted(({ method }) =>
      method === 'initialize' ? opened('2025-06-18') : UNKNOWN,
    );
    const client = made();
    await client.connect(transport);
    expect(client.revision).toBe('2025-06-18');
    expect(client.server.info).toEqual({ name: 'old', version: '1' });
    expect(methods()).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
  });

  it.each([
    ['an error', { code: -32022, message: 'Unsupported', data: { supported: ['2024-11-05'] } }],
    [
      'a result',
      {
        resultType: 'complete',
        supportedVersions: ['2024-11-05'],
        capabilities: {},
        ttlMs: 0,
        cacheScope: 'private',
      },
    ],
  ])('is an earlier one that server/discover names in %s', async (_, answer) => {
    const { transport } = scripted(({ method }) =>
      method === 'server/discover' ? answer : opened('2024-11-05'),
    );
    const client = made();
    await client.connect(transport);
    expect(client.revision).toBe('2024-11-05');
  });

  it('is not agreed on when the server names others, and the error has the names', async () => {
    const refusal = { code: -32022, message: 'Unsupported', data: { supported: ['2099-01-01'] } };
    await expect(made().connect(scripted(() => refusal).transport)).rejects.toMatchObject({
      message: expect.stringMatching(
        /Unsupported: the server supports 2099-01-01, this client 2026-07-28, /,
      ) as string,
      failure: { reason: 'rpc_error', error: { code: -32022 } },
    });
    const old = { code: -32602, message: 'Bad version', data: { supported: ['2023-01-01'] } };
    const revisions = ['2025-11-25'] as const;
    await expect(made({ revisions }).connect(scripted(() => old).transport)).rejects.toThrow(
      'Bad version: the server supports 2023-01-01, this client 2025-11-25',
    );
    const other = scripted(() => opened('2023-01-01')).transport;
    await expect(made({ revisions }).connect(other)).rejects.toThrow(
      'does not support revision 2025-11-25 and names 2023-01-01',
    );
  });

  it.each([-32020, -32021])(
    'is not tried to be an earlier one after the error %i, which only later servers have',
    async (code) => {
      const { transport, methods } = scripted(({ method }) =>
        method === 'server/discover' ? { code, message: 'Refused' } : opened('2025-11-25'),
      );
      await expect(made().connect(transport)).rejects.toMatchObject({
        message: 'Refused',
        failure: { reason: 'rpc_error', error: { code } },
      });
      expect(methods()).toEqual(['server/discover']);
    },
  );

  it('shows no control characters that a server names', async () => {
    const refusal = { code: -32022, message: 'No\u001b[2J', data: { supported: ['\u001b[31m'] } };
    await expect(made().connect(scripted(() => refusal).transport)).rejects.toThrow(
      'No\\u{1b}[2J: the server supports \\u{1b}[31m',
    );
  });

  it('is one of those that the client offers', () => {
    const revisions = ['2031-01-01' as '2025-11-25'];
    expect(() => made({ revisions })).toThrow('Unknown revision "2031-01-01"');
    expect(() => made({ revisions: [] })).toThrow('`revisions` is empty');
  });

  it('BASE-CANCEL-2: does not wait longer than the option timeout, and cancels no initialize', async () => {
    const silent = scripted(() => undefined);
    const revisions = ['2025-11-25'] as const;
    const connecting = made({ revisions }).connect(silent.transport, { timeout: 20 });
    await expect(connecting).rejects.toMatchObject({ reason: 'timeout' });
    expect(silent.methods()).toEqual(['initialize']);
  });

  it('is not agreed on when the transport does not open in time, and a channel that opens later is closed', async () => {
    let opened: (channel: ClientChannel) => void = () => undefined;
    const connecting = made().connect(() => new Promise((resolve) => (opened = resolve)), {
      timeout: 20,
    });
    await expect(connecting).rejects.toMatchObject({ reason: 'timeout' });
    const closed = new Promise<void>((close) => {
      opened({ send: () => undefined, close, gone: new AbortController().signal });
    });
    await closed;
  });

  it('is not agreed on when the server does not take notifications/initialized in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { transport, methods } = scripted(() => opened('2025-11-25'));
    const send = transport.send.bind(transport);
    let hasSent: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => (hasSent = resolve));
    // As over a pipe that is full.
    transport.send = async (message, options) => {
      if ('id' in message) return await send(message, options);
      hasSent();
      await new Promise(() => undefined);
    };
    const connecting = made({ revisions: ['2025-11-25'] }).connect(transport, { timeout: 200 });
    const refused = expect(connecting).rejects.toMatchObject({
      reason: 'timeout',
      message: 'The server did not take notifications/initialized within 200 ms',
    });
    await sent;
    await vi.advanceTimersByTimeAsync(200);
    await refused;
    expect(methods()).toEqual(['initialize']);
  });

  it('is found also where a process ends at the first request that is not initialize', async () => {
    const program = `
      process.stdin.once('data', (chunk) => {
        const { id, method } = JSON.parse(String(chunk));
        if (method !== 'initialize') process.exit(1);
        const result = ${JSON.stringify(opened('2025-03-26'))};
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    `;
    const args = ['-e', program];
    const client = made();
    await client.connect({ command: process.execPath, args });
    expect(client.revision).toBe('2025-03-26');
  });
});

/** What a server of 2026-07-28 says of itself. */
const DISCOVERED: JsonObject = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: 'private',
};

/** Lets time pass as soon as the client has sent a request, and what came before it. */
function clock() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return async (sent: () => boolean, ms: number): Promise<void> => {
    for (let turns = 0; !sent(); turns += 1) {
      if (turns > 1_000_000) throw new Error('The client did not send it');
      await new Promise(setImmediate);
    }
    await vi.advanceTimersByTimeAsync(ms);
  };
}

describe('a server over a pipe that does not answer server/discover', () => {
  const legacy = (more: (request: Message) => JsonObject | undefined) =>
    scripted((request) => (request.method === 'initialize' ? opened('2025-11-25') : more(request)));

  it('is waited for while it answers no ping either, and its revision is the newest', async () => {
    const pass = clock();
    const folder = mkdtempSync(join(tmpdir(), 'slow-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const go = join(folder, 'go');
    // Both kinds of a revision are served, and the first request says which one begins.
    const program = `
      import { existsSync } from 'node:fs';
      import { McpServer } from '@modelcontextprotocol/server';
      import { serveStdio } from '@modelcontextprotocol/server/stdio';
      while (!existsSync(${JSON.stringify(go)})) await new Promise((next) => setTimeout(next, 10));
      serveStdio(() => {
        const server = new McpServer({ name: 'slow', version: '1' });
        server.registerTool('one', {}, () => ({ content: [] }));
        return server;
      });
    `;
    const args = ['--input-type=module', '-e', program];
    const transport = processTransport({ command: process.execPath, args });
    const sent: unknown[] = [];
    const send = transport.send.bind(transport);
    transport.send = (message) => {
      sent.push((message as Message).method);
      return send(message);
    };
    const client = made();
    const connecting = client.connect(transport, { timeout: 60_000 });
    await pass(() => sent.length === 1, 2_000);
    await pass(() => sent.length === 2, 57_000);
    expect(sent).toEqual(['server/discover', 'ping']);
    writeFileSync(go, '');
    await connecting;
    expect(client.revision).toBe('2026-07-28');
    expect((await client.tools()).map(({ name }) => name)).toEqual(['one']);
    expect(client.slowness).toBeUndefined();
  });

  it.each([
    ['a result', {}],
    ['an error', UNKNOWN],
  ])('ignores the question when it answers ping with %s', async (_, answer) => {
    const pass = clock();
    const { transport, methods } = legacy(({ method }) => (method === 'ping' ? answer : undefined));
    const client = made();
    const connecting = client.connect(transport);
    await pass(() => methods().length === 1, 2_000);
    await pass(() => methods().length === 2, 3_000);
    await connecting;
    expect(client.revision).toBe('2025-11-25');
    expect(client.slowness).toBeUndefined();
    expect(methods()).toEqual([
      'server/discover',
      'ping',
      'initialize',
      'notifications/initialized',
    ]);
  });

  it('gets initialize at the end of the time, and the client says why', async () => {
    const pass = clock();
    const { transport, methods } = legacy(() => undefined);
    const problems: string[] = [];
    const client = made({ onError: ({ message }) => problems.push(message) });
    const connecting = client.connect(transport, { timeout: 30_000 });
    await pass(() => methods().length === 1, 2_000);
    await pass(() => methods().length === 2, 27_999);
    expect(methods()).toEqual(['server/discover', 'ping']);
    await pass(() => true, 1);
    await connecting;
    expect(client.revision).toBe('2025-11-25');
    expect(client.slowness).toContain('neither server/discover nor ping within 30 s');
    expect(problems).toEqual([client.slowness]);
  });

  /** Answers `ping` at once, and `server/discover` when it is told to. */
  async function lateAnswer(initialized: JsonObject) {
    const pass = clock();
    let discover: Message | undefined;
    let isPinged = false;
    const [transport, theirs] = InMemoryTransport.createLinkedPair();
    const send = (id: unknown, body: JsonObject): Promise<void> =>
      theirs.send({ jsonrpc: '2.0', id, ...body } as unknown as JSONRPCMessage);
    theirs.onmessage = (incoming) => {
      const request = incoming as Message;
      if (request.method === 'server/discover') discover = request;
      if (request.method === 'initialize') void send(request.id, initialized);
      if (request.method !== 'ping') return;
      isPinged = true;
      void send(request.id, { result: {} });
    };
    await theirs.start();
    const client = made({ onError: () => undefined });
    const connecting = client.connect(transport);
    await pass(() => discover !== undefined, 2_000);
    await pass(() => isPinged, 3_000);
    return { client, connecting, answer: () => send(discover?.id, { result: DISCOVERED }) };
  }

  it('has its revision taken from a late answer when it refuses initialize', async () => {
    const { client, connecting, answer } = await lateAnswer({ error: UNKNOWN });
    await answer();
    await connecting;
    expect(client.revision).toBe('2026-07-28');
    expect(client.slowness).toBeUndefined();
  });

  it('is called slow when it answers after the session is open', async () => {
    const { client, connecting, answer } = await lateAnswer({ result: opened('2025-11-25') });
    await connecting;
    expect(client.revision).toBe('2025-11-25');
    expect(client.slowness).toBeUndefined();
    await answer();
    await new Promise(setImmediate);
    expect(client.revision).toBe('2025-11-25');
    expect(client.slowness).toContain('server/discover after initialize');
  });

  it('is started again when ping ends it, and gets initialize first', async () => {
    const program = `
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (method === 'ping') process.exit(1);
        if (method !== 'initialize') return;
        const result = ${JSON.stringify(opened('2025-03-26'))};
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    `;
    const client = made();
    const args = ['-e', program];
    const transport = processTransport({ command: process.execPath, args });
    await client.connect(transport, { timeout: 2_000 });
    expect(client.revision).toBe('2025-03-26');
  });

  it('is waited for as long as the client waits, where no earlier one can be tried', async () => {
    const pass = clock();
    const { transport, methods } = legacy(() => undefined);
    const connecting = made({ revisions: ['2026-07-28'] }).connect(transport, { timeout: 30_000 });
    const refused = expect(connecting).rejects.toMatchObject({ reason: 'timeout' });
    await pass(() => methods().length === 1, 29_999);
    expect(methods()).toEqual(['server/discover']);
    await pass(() => true, 1);
    await refused;
  });
});

it.each([408, 425, 429])('HTTP %i says nothing of the revision', async (status) => {
  const methods: unknown[] = [];
  const fetch = (_: unknown, init?: RequestInit): Promise<Response> => {
    methods.push((JSON.parse(init?.body as string) as Message).method);
    return Promise.resolve(new Response(null, { status }));
  };
  const transport = httpTransport(new URL('http://localhost/mcp'), { fetch });
  await expect(made().connect(transport)).rejects.toMatchObject({ cause: { status } });
  expect(methods).toEqual(['server/discover']);
});

/** A server of SDK v1 with the HTTP transport of 2024-11-05. */
async function oldServer(): Promise<{ url: URL; drop: () => void }> {
  const sessions = new Map<string, SSEServerTransport>();
  const streams = new Set<ServerResponse>();
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'GET') {
      const server = new McpServer({ name: 'old', version: '1' });
      server.registerTool(
        'greet',
        { description: 'Greets', inputSchema: { name: z.string() } },
        async ({ name }, { sendNotification, _meta }) => {
          const progressToken = _meta?.progressToken;
          if (progressToken !== undefined) {
            const params = { progressToken, progress: 1, total: 2 };
            await sendNotification({ method: 'notifications/progress', params });
          }
          if (name === 'silent') await new Promise(() => undefined);
          return { content: [{ type: 'text' as const, text: `Hello, ${name}` }] };
        },
      );
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      streams.add(response);
      return server.connect(transport);
    }
    const session = sessions.get(url.searchParams.get('sessionId') ?? '');
    if (session === undefined) return void response.writeHead(405).end();
    return session.handlePostMessage(request, response);
  }
  const http = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  const drop = (): void => {
    for (const stream of streams) stream.destroy();
  };
  return { url: new URL(`http://127.0.0.1:${port}/sse`), drop };
}

describe('the HTTP transport of 2024-11-05', () => {
  it('carries calls, with their progress', async () => {
    const { url } = await oldServer();
    const client = made();
    await client.connect(sseTransport(url));
    const progress: unknown[] = [];
    const onProgress = (news: unknown): void => void progress.push(news);
    const result = await client.call('greet', { name: 'Ann' }, { onProgress });
    expect(result.content).toEqual([{ type: 'text', text: 'Hello, Ann' }]);
    expect(progress).toEqual([{ progress: 1, total: 2 }]);
    expect((await client.tools()).map(({ name }) => name)).toEqual(['greet']);
  });

  it('fails calls with lost when its stream ends, because the stream is the session', async () => {
    const { url, drop } = await oldServer();
    const client = made();
    await client.connect(sseTransport(url));
    const call = client.call('greet', { name: 'silent' }, { onProgress: drop });
    await expect(call).rejects.toMatchObject({ reason: 'lost' });
    await expect(client.call('greet', { name: 'Ann' })).rejects.toMatchObject({ reason: 'lost' });
  });

  it('is tried where the server refuses the first request as its servers do', async () => {
    const { url } = await oldServer();
    const client = made();
    await client.connect(url);
    expect((await client.call('greet', { name: 'Ann' })).content).toHaveLength(1);
  });

  it('is told apart by the status of the first request', async () => {
    const { url } = await oldServer();
    const attempt = made().connect(httpTransport(url));
    await expect(attempt).rejects.toMatchObject({ reason: 'lost', cause: { status: 405 } });
  });
});

it('a client that is connected refuses another transport', async () => {
  const client = made({ revisions: ['2025-11-25'] });
  const serve = () => scripted(() => opened('2025-11-25')).transport;
  await client.connect(serve());
  const refused = {
    reason: 'lost',
    message: 'The client is connected: call close() before it connects again',
  };
  await expect(client.connect(serve())).rejects.toMatchObject(refused);
  await client.close();
  await client.connect(serve());
  expect(client.server.info?.name).toBe('old');
});

it('close() ends what waits for a process whose child keeps its pipes open', async () => {
  const program = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    process.stdin.once('data', (chunk) => {
      const { id } = JSON.parse(String(chunk));
      const result = { ...${JSON.stringify(opened('2025-11-25'))}, instructions: String(child.pid) };
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      process.stdin.pause();
    });
  `;
  const client = made({ revisions: ['2025-11-25'] });
  const args = ['-e', program];
  await client.connect({ command: process.execPath, args });
  const child = Number(client.server.instructions);
  onTestFinished(() => {
    try {
      process.kill(child);
    } catch {
      // It ended with the process that started it.
    }
  });
  const lost = expect(client.call('any')).rejects.toMatchObject({ reason: 'lost' });
  // More than a pipe holds.
  const progress = { progressToken: 1, progress: 1, message: 'x'.repeat(2 ** 22) };
  const notified = expect(client.notify('notifications/progress', progress)).rejects.toMatchObject({
    reason: 'lost',
  });
  await client.close();
  await Promise.all([lost, notified]);
  await client.connect(scripted(() => opened('2025-11-25')).transport);
});

describe('close() while connect is under way', () => {
  it('ends the connection that a silent server keeps waiting', async () => {
    const client = made();
    const { transport } = scripted(() => undefined);
    let closed = 0;
    transport.onclose = () => (closed += 1);
    const connecting = client.connect(transport);
    const failed = expect(connecting).rejects.toMatchObject({
      reason: 'lost',
      reference: undefined,
    });
    await expect(client.connect(transport)).rejects.toThrow(
      'The client is connecting: call close()',
    );
    await new Promise(setImmediate);
    await client.close();
    await failed;
    expect(closed).toBe(1);
  });

  it('closes a channel that opens after it', async () => {
    const client = made();
    let opened: (channel: ClientChannel) => void = () => undefined;
    const connecting = client.connect(() => new Promise((resolve) => (opened = resolve)));
    const failed = expect(connecting).rejects.toMatchObject({ reason: 'lost' });
    await new Promise(setImmediate);
    await client.close();
    await failed;
    const closed = new Promise<void>((close) => {
      opened({ send: () => undefined, close, gone: new AbortController().signal });
    });
    await closed;
  });

  it('lets the client connect again', async () => {
    const client = made({ revisions: ['2025-11-25'] });
    const connecting = client.connect(scripted(() => undefined).transport);
    const failed = expect(connecting).rejects.toMatchObject({ reason: 'lost' });
    await client.close();
    await failed;
    await client.connect(scripted(() => opened('2025-11-25')).transport);
    expect(client.server.info?.name).toBe('old');
    await client.close();
  });
});
