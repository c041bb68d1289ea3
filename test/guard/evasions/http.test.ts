import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROTOCOLS } from '../../../contracts/protocols/protocols.js';
import { createGuard } from '../../../contracts/recording/guard/index.js';
import { proxyHttp } from '../../../contracts/recording/proxy/index.js';
import type { HttpProxy } from '../../../contracts/recording/proxy/index.js';
import { revisionsWhere } from '../../../generator/ir/revisions/index.js';
import { sampled, sized, spread } from '../../support/size.js';
import { LOCK } from '../support.js';
import { goodOf, hidden, HIDINGS, isEvil } from './hidings.js';
import { READERS } from './readers.js';

const REVISIONS = [...revisionsWhere(({ dialect }) => dialect === 'core'), '1999-01-01'];

/** Headers of an answer, where a name may stand twice. */
const TYPES: readonly (readonly [string, string][])[] = [
  ['application/json'],
  ['text/event-stream'],
  ['application/json', 'text/event-stream'],
  ['text/event-stream', 'application/json'],
  ['application/json, text/event-stream'],
  ['text/event-stream;x="application/json"'],
  ['Text/Event-Stream; charset=utf-16'],
  ['text/plain'],
  [],
].map((types) => types.map((type): [string, string] => ['content-type', type]));

/** The bytes of a message in a body. */
const FRAMINGS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  alone: (bytes) => bytes,
  'in an event': (bytes) => around('data: ', bytes, '\n\n'),
  'in an event with CR': (bytes) => around('data:', bytes, '\r\r'),
  'in an event that is cut': (bytes) => around('data: ', bytes, ''),
  'behind a comment with CR': (bytes) => around(': x\rdata: ', bytes, '\r\n\r\n'),
  'in an event of the name message': (bytes) =>
    around('id: 1\nevent: message\ndata: ', bytes, '\n\n'),
  'in an event of another name': (bytes) => around('event: x\ndata: ', bytes, '\n\n'),
  'in an event behind a byte order mark': (bytes) => around('\uFEFFdata: ', bytes, '\n\n'),
  'in an event behind a good one': (bytes) =>
    around(`data: ${JSON.stringify(goodOf('server'))}\n\ndata: `, bytes, '\n\n'),
  'in the data of a good one': (bytes) =>
    around(`data: ${JSON.stringify(goodOf('server'))}\ndata: `, bytes, '\n\n'),
  compressed: (bytes) => gzipSync(bytes),
};

function around(before: string, bytes: Buffer, after: string): Buffer {
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
}

const SESSIONS = ['one', 'none', 'another', 'twice'] as const;
const STATUSES = [200, 202, 404, 500] as const;

interface Case {
  readonly way: string;
  readonly framing: string;
  readonly types: number;
  readonly session: (typeof SESSIONS)[number];
  readonly status: number;
  readonly revision: string;
}

/** Each value of each dimension with each of another one, and all others in turn. */
const CASES: readonly Case[] = Object.keys(HIDINGS).flatMap((way, w) =>
  Object.keys(FRAMINGS).flatMap((framing, f) =>
    TYPES.map((_, types) => {
      const turn = w * 7 + f * 3 + types;
      return {
        way,
        framing,
        types,
        session: SESSIONS[turn % SESSIONS.length] ?? 'none',
        status: STATUSES[Math.floor(turn / 5) % 8] ?? 200,
        revision: REVISIONS[Math.floor(turn / 3) % REVISIONS.length] ?? '',
      };
    }),
  ),
);

let current: Case | undefined;
let requests: { readonly body: Buffer; readonly headers: IncomingMessage['headers'] }[] = [];

function answer(incoming: IncomingMessage, response: ServerResponse, body: Buffer): void {
  requests.push({ body, headers: incoming.headers });
  if (!current) return void response.writeHead(202).end();
  const { session, status, revision, types, framing, way } = current;
  const ids = { one: ['a'], none: [], another: [String(requests.length)], twice: ['a', 'b'] };
  const headers = ids[session].map((id): [string, string] => ['mcp-session-id', id]);
  const text = body.toString();
  if (incoming.method !== 'POST') return void response.writeHead(405).end();
  if (text.includes('"initialize"')) {
    const { capabilities, instructions } = LOCK;
    const serverInfo = { name: 's', version: '1' };
    const result = { protocolVersion: revision, capabilities, serverInfo, instructions };
    response.writeHead(200, [['content-type', 'application/json'], ...headers].flat());
    return void response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  }
  if (!text.includes('tools/call')) return void response.writeHead(202).end();
  const encoding: [string, string][] =
    framing === 'compressed' ? [['content-encoding', 'gzip']] : [];
  response.writeHead(status, [...(TYPES[types] ?? []), ...headers, ...encoding].flat());
  response.end(FRAMINGS[framing]?.(hidden('server', way)));
}

const server = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => answer(incoming, response, Buffer.concat(chunks)));
});
const proxies: HttpProxy[] = [];

async function proxied(enforce: boolean): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const onFinding = (): void => undefined;
  const watcher = createGuard({ protocols: PROTOCOLS, lock: LOCK, enforce, onFinding });
  const target = new URL(`http://127.0.0.1:${String(port)}/mcp`);
  const proxy = await proxyHttp({ target, port: 0, headers: {}, watcher, onProblem: onFinding });
  proxies.push(proxy);
  return proxy.url;
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  for (const proxy of proxies) await proxy.close();
  server.close();
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: LOCK.revision,
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  },
};

interface SdkTransport {
  start(): Promise<void>;
  send(message: never): Promise<void>;
  close(): Promise<void>;
  setProtocolVersion?(version: string): void;
}

/** What a transport of the SDK gives to its client. */
async function bySdk(transport: SdkTransport): Promise<unknown[]> {
  const seen: unknown[] = [];
  const own = transport as { onmessage?: (message: unknown) => void };
  own.onmessage = (message) => void seen.push(message);
  await transport.start();
  for (const message of [
    INITIALIZE,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    goodOf('client'),
  ]) {
    await transport.send(message as never).catch(() => undefined);
  }
  // A stream ends after `send` has resolved.
  const isOver = () => seen.some((each) => (each as { id?: unknown }).id === 2);
  for (let turn = 0; turn < 10 && !isOver(); turn += 1) await new Promise(setImmediate);
  await transport.close();
  return seen;
}

/** What programs read that look at bytes alone, as lines or as events. */
async function byBytes(url: string): Promise<unknown[]> {
  let session: string | null | undefined;
  let bytes = Buffer.alloc(0);
  for (const message of [INITIALIZE, goodOf('client')]) {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      ...(typeof session === 'string' && { 'mcp-session-id': session }),
    };
    const response: Response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
    });
    session ??= response.headers.get('mcp-session-id');
    bytes = Buffer.from(await response.arrayBuffer().catch(() => new ArrayBuffer(0)));
  }
  const without = bytes.toString().replace(/^(?:\uFEFF)?(?:data|event|id): ?/gm, '');
  return Object.values(READERS).flatMap((open) => open()(Buffer.from(`${without}\n`)));
}

async function seenBy(url: string): Promise<unknown[]> {
  const address = new URL(url);
  return [
    ...(await bySdk(new StreamableHTTPClientTransport(address))),
    ...(await bySdk(new HttpV1(address))),
    ...(await byBytes(url)),
  ];
}

it('no reader of HTTP sees what was refused', async () => {
  const url = await proxied(true);
  const seen: unknown[] = [];
  for (const each of spread(CASES, sized(600))) {
    current = each;
    const evil = (await seenBy(url)).filter(isEvil);
    if (evil.length > 0) seen.push({ ...each, evil });
  }
  expect(seen).toEqual([]);
}, 600_000);

it('some see it when nothing is refused', async () => {
  const url = await proxied(false);
  let seen = 0;
  const cases = spread(CASES, sized(600)).filter(({ status }) => status === 200);
  for (const each of cases) {
    current = each;
    if ((await seenBy(url)).some(isEvil)) seen += 1;
  }
  expect(seen).toBeGreaterThan(cases.length / 4);
}, 600_000);

/** Headers of a request with a hidden message. */
const REQUESTS: readonly OutgoingHttpHeaders[] = [
  { 'content-type': 'application/json' },
  { 'content-type': ['application/json', 'text/plain'] },
  { 'content-type': 'application/json; charset=utf-16le' },
  { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  { 'content-type': 'application/json', 'mcp-protocol-version': REVISIONS[0] },
  { 'content-type': 'application/json', 'mcp-protocol-version': '2099-01-01' },
  { 'content-type': 'application/json', 'mcp-session-id': 'never-given' },
  {},
];

it('no server gets what a client hides', async () => {
  const url = await proxied(true);
  const seen: unknown[] = [];
  for (const method of ['POST', 'PUT', 'GET', 'DELETE']) {
    for (const headers of REQUESTS) {
      for (const way of sampled(Object.keys(HIDINGS), 12)) {
        current = {
          way,
          framing: 'alone',
          types: 0,
          session: 'none',
          status: 200,
          revision: LOCK.revision,
        };
        await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(INITIALIZE),
        });
        requests = [];
        const bytes = hidden('client', way);
        const sent = request(url, { method, headers, agent: false });
        sent.end('content-encoding' in headers ? gzipSync(bytes) : bytes);
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        response.resume();
        await once(response, 'close');
        const evil = requests.flatMap(({ body }) =>
          Object.values(READERS).flatMap((open) =>
            open()(Buffer.from(`${body.toString()}\n`)).filter(isEvil),
          ),
        );
        if (evil.length > 0) seen.push({ method, headers, way, evil });
      }
    }
  }
  expect(seen).toEqual([]);
}, 600_000);
