import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { createTaskServer, defineTool } from '../../runtime/server/index.js';
import { createNodeParts } from '../../runtime/server/serve.js';
import type { AuditEvent } from '../../runtime/tasks/index.js';
import { lastOfMany } from '../../runtime/peer/wire/last-of-many.js';
import { request } from './raw.js';
import { legacy, type LegacyClient, type Message, type Reachable, until } from './support.js';
import { authorization, tokenOf } from './tokens.js';

const KIB = 2 ** 10;
const MIB = 2 ** 20;

describe('values that come without a pause', () => {
  it('are passed on at once up to 16, and then the last one, before the next step', async () => {
    const passed: number[] = [];
    const pass = lastOfMany((value: number) => passed.push(value));
    const loop = async (from: number, count: number): Promise<void> => {
      await Promise.resolve();
      for (let n = 0; n < count; n += 1) pass(from + n);
    };
    await loop(0, 1_000_000);
    expect(passed).toEqual([...Array(16).keys(), 999_999]);
    passed.length = 0;
    await loop(100, 3);
    await loop(200, 16);
    expect(passed).toEqual([100, 101, 102, ...Array.from({ length: 16 }, (_, n) => 200 + n)]);
  });
});

/** Reports progress with long messages, as fast as it can: `turns` times, `reports` each time. */
const chatty = defineTool({
  name: 'chatty',
  description: 'Reports progress.',
  input: z.object({ turns: z.number(), reports: z.number(), size: z.number() }),
  taskSupport: 'optional',
  async run({ args, task }) {
    for (let turn = 0; turn < args.turns; turn += 1) {
      for (let n = 1; n <= args.reports; n += 1) {
        task.progress({ progress: turn * args.reports + n, message: 'x'.repeat(args.size) });
        await Promise.resolve();
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    return 'done';
  },
});

const noisy = defineTool({
  name: 'noisy',
  description: 'Sends log messages.',
  input: z.object({ messages: z.number(), size: z.number() }),
  async run({ args, request: context }) {
    for (let n = 0; n < args.messages; n += 1) {
      context?.log('info', 'x'.repeat(args.size));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return 'done';
  },
});

interface Served extends Reachable {
  readonly url: string;
  readonly audit: readonly AuditEvent[];
  /** The server's ends of the connections. */
  readonly sockets: readonly Socket[];
}

async function served(): Promise<Served> {
  const audit: AuditEvent[] = [];
  const sockets: Socket[] = [];
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: [chatty, noisy],
    logging: true,
    audit: (event) => void audit.push(event),
    onError: () => undefined,
  });
  const { handler } = createNodeParts(server, { auth: authorization });
  const http = createServer((incoming, outgoing) => void handler.handle(incoming, outgoing));
  http.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  onTestFinished(async () => {
    await handler.close();
    http.closeAllConnections();
    http.close();
    await server.close(0);
  });
  return {
    url,
    audit,
    sockets,
    http: {
      fetch: (web) =>
        fetch(url, { method: web.method, headers: web.headers, body: web.body, duplex: 'half' }),
    },
  };
}

/** The stream of what belongs to no request, and the server's end of its connection. */
async function standalone({ url, sockets }: Served, client: LegacyClient) {
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${tokenOf('ann')}`,
    'mcp-session-id': client.sessionId,
    'mcp-protocol-version': '2025-11-25',
  };
  const stream = await new Promise<IncomingMessage>((resolve) => get(url, { headers }, resolve));
  onTestFinished(() => void stream.destroy());
  const port = stream.socket.localPort;
  return { stream, socket: sockets.find(({ remotePort }) => remotePort === port) as Socket };
}

/** The messages of a stream, as they come, and the number of its characters. */
function reading(stream: IncomingMessage): { readonly messages: Message[]; characters: number } {
  const read = { messages: [] as Message[], characters: 0 };
  let rest = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    read.characters += chunk.length;
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data: {')) read.messages.push(JSON.parse(line.slice(6)) as Message);
    }
  });
  return read;
}

async function start(client: LegacyClient, token: string, args: object): Promise<string> {
  const params = { name: 'chatty', arguments: args, task: {}, _meta: { progressToken: token } };
  const { result } = await client.request('tools/call', params);
  return (result?.['task'] as { taskId: string }).taskId;
}

async function ended(client: LegacyClient, taskIds: readonly string[]): Promise<void> {
  for (const taskId of taskIds) {
    await until(
      () => client.request('tasks/get', { taskId }),
      ({ result }) => result?.['status'] === 'completed',
    );
  }
}

describe('a session whose client does not read its stream', () => {
  it('costs a bounded number of bytes, and later gets the last state of each task', async () => {
    const server = await served();
    const client = await legacy(server);
    const { stream, socket } = await standalone(server, client);
    stream.pause();
    const tokens = ['a', 'b', 'c', 'd', 'e'];
    // 16 MiB, which no socket holds.
    const args = { turns: 20, reports: 10, size: 16 * KIB };
    const taskIds = await Promise.all(tokens.map((token) => start(client, token, args)));
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, socket.writableLength)), 1);
    await ended(client, taskIds);
    clearInterval(watch);
    expect(most).toBeLessThan(MIB);

    const read = reading(stream);
    stream.resume();
    const lastOf = (name: string, value: string) =>
      read.messages.findLast(({ params }) => params?.[name] === value)?.params;
    await until(
      () => Promise.resolve(taskIds.map((id) => lastOf('taskId', id)?.['status'])),
      (states) => states.every((state) => state === 'completed'),
    );
    for (const token of tokens) expect(lastOf('progressToken', token)?.['progress']).toBe(200);
    expect(read.characters).toBeLessThan(10 * MIB);
    expect(server.audit.filter(({ reason }) => reason === 'slow_reader')).toEqual([]);
  });

  it('loses a stream of messages that do not replace each other, which the audit records', async () => {
    const server = await served();
    const client = await legacy(server);
    const { host } = new URL(server.url);
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'noisy', arguments: { messages: 1_000, size: 16 * KIB } },
    });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.pause();
    const headers = [
      ['Host', host],
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
      ['Authorization', `Bearer ${tokenOf('ann')}`],
      ['Mcp-Session-Id', client.sessionId],
      ['Mcp-Protocol-Version', '2025-11-25'],
      ['Content-Length', String(body.length)],
    ] as const;
    socket.write(request('POST /mcp HTTP/1.1', headers, body));
    await until(
      () => Promise.resolve(server.audit),
      (events) => events.some(({ reason }) => reason === 'slow_reader'),
    );
    const owner = expect.stringContaining('ann') as string;
    expect(server.audit.find(({ reason }) => reason === 'slow_reader')).toMatchObject({
      type: 'refused',
      owner,
    });
    await until(
      () =>
        Promise.resolve(server.sockets.find(({ remotePort }) => remotePort === socket.localPort)),
      (end) => end?.destroyed !== false,
    );
  });
});

describe('what is written to a stream in one turn of the event loop', () => {
  it('is one write', async () => {
    const server = await served();
    const client = await legacy(server);
    const { stream, socket } = await standalone(server, client);
    const read = reading(stream);
    const written = countWrites(socket);
    const taskId = await start(client, 'p', { turns: 5, reports: 200, size: 10 });
    await ended(client, [taskId]);
    await until(
      () => Promise.resolve(read.messages),
      (messages) => messages.some(({ params }) => params?.['status'] === 'completed'),
    );
    expect(written.mostInOneTurn).toBe(1);
    expect(read.messages.length).toBeGreaterThan(10 * written.writes);
    const progress = read.messages.flatMap(({ params }) => params?.['progress'] ?? []);
    expect(progress).toEqual([...new Set(progress)].sort((a, b) => Number(a) - Number(b)));
  });
});

/** Counts the calls by which Node hands bytes to the operating system. */
function countWrites(socket: Socket) {
  const counted = { writes: 0, mostInOneTurn: 0 };
  let inTurn = 0;
  for (const name of ['_write', '_writev'] as const) {
    const own = socket[name]?.bind(socket) as (...args: unknown[]) => void;
    Object.assign(socket, {
      [name](...args: unknown[]) {
        if (inTurn === 0) setImmediate(() => (inTurn = 0));
        inTurn += 1;
        counted.writes += 1;
        counted.mostInOneTurn = Math.max(counted.mostInOneTurn, inTurn);
        own(...args);
      },
    });
  }
  return counted;
}
