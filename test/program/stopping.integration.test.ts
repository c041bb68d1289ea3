import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';

import { hasNginx, startNginx } from '../support/nginx.js';
import { compiled } from '../support/program.js';
import { newFolder } from './process.js';

const PROGRAM = compiled(new URL('./stopping.ts', import.meta.url));

/** A server in a process of its own, and what it has said. */
interface Stoppable {
  readonly client: Client;
  readonly url: string;
  readonly pid: number;
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends SIGTERM. */
  stop(): void;
  /** Lets the tools finish. */
  release(): void;
  /** Resolves when a new request of the client is refused. */
  refusesLists(): Promise<void>;
  readonly ended: Promise<unknown>;
}

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
};

function environment(way: string, folder: string, drainMs: number) {
  const { PATH = '' } = process.env;
  const DRAIN = String(drainMs);
  const RELEASE = join(folder, 'release');
  return { PATH, WAY: way, PROJECT: folder, RELEASE, DRAIN, DRAIN_MS: DRAIN, DATABASE: '' };
}

function listener(stream: Readable): Stoppable['said'] {
  const lines: string[] = [];
  const heard = createInterface(stream).on('line', (line) => lines.push(line));
  return async (pattern) => {
    for (;;) {
      const match = lines.map((line) => pattern.exec(line)).find((each) => each !== null);
      if (match) return match;
      await once(heard, 'line');
    }
  };
}

function newClient(): Client {
  return new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } } },
  );
}

async function startHttp(way: string, drainMs = 30_000): Promise<Stoppable> {
  const folder = newFolder();
  const env = environment(way, folder, drainMs);
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = listener(child.stderr);
  const [, url = ''] = await said(/Serving at ([^\s"]+)/);
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return { ...stoppable(child, said, env.RELEASE, client), client, url };
}

/** Resolves when a new request is refused. */
function refusesLists(client: Client): Promise<void> {
  return until(() =>
    client.listTools().then(
      () => false,
      () => true,
    ),
  );
}

function stoppable(child: ChildProcess, said: Stoppable['said'], release: string, client: Client) {
  return {
    said,
    pid: child.pid ?? 0,
    ended: once(child, 'exit'),
    stop: () => void child.kill('SIGTERM'),
    release: () => writeFileSync(release, ''),
    refusesLists: () => refusesLists(client),
  };
}

const EITHER = 'application/json, text/event-stream';

function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      accept: EITHER,
      ...headers,
    },
  });
}

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: { form: {} } },
    clientInfo: { name: 'raw', version: '1' },
  },
};

/**
 * The reply to a request on a connection of its own. `fetch` would take one that it kept, which the server may be
 * closing.
 */
async function replyOnNewConnection(url: string): Promise<IncomingMessage | 'refused'> {
  const agent = new Agent({ keepAlive: true });
  const headers = { 'content-type': 'application/json', accept: EITHER };
  const sent = request(url, { method: 'POST', agent, headers });
  sent.end(JSON.stringify(INITIALIZE));
  try {
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    return reply;
  } catch {
    return 'refused';
  } finally {
    agent.destroy();
  }
}

/** Resolves with the first refusal of a new request. */
async function refusal(url: string): Promise<{ status: number; headers: object } | 'refused'> {
  for (;;) {
    const reply = await replyOnNewConnection(url);
    if (reply === 'refused') return reply;
    const { statusCode: status = 0, headers } = reply;
    reply.destroy();
    if (status !== 200) return { status, headers };
  }
}

async function expectRefusal(url: string): Promise<void> {
  expect(await refusal(url)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1', connection: 'close' },
  });
}

/** Those that accept connections until they have stopped. */
const LISTENS: ReadonlySet<string> = new Set([
  ...['runServer over HTTP', 'a guest in Express', 'a web handler in Hono'],
]);

const HTTP_WAYS = [
  ['the SDK', 'slow'],
  ['runServer over HTTP', 'own'],
  ['a guest in Express', 'slow'],
  ['a guest in Express', 'own'],
  ['a handler that is closed before its server', 'own'],
  ['a web handler in Hono', 'own'],
  ['withTasks', 'slow'],
  ['withTasks', 'own'],
] as const;

describe('a server that is told to stop', () => {
  it.each(HTTP_WAYS)('%s: answers the calls of %s that are under way', async (way, name) => {
    const server = await startHttp(way);
    const calls = [1, 2, 3, 4].map((n) => server.client.callTool({ name, arguments: { n } }));
    for (const n of [1, 2, 3, 4]) await server.said(new RegExp(`began ${n}`));
    server.stop();
    // A transport of the SDK opens the session before our server sees its request.
    if (way === 'withTasks') await server.refusesLists();
    else if (LISTENS.has(way)) await expectRefusal(server.url);
    else await until(async () => (await refusal(server.url)) === 'refused');
    server.release();
    const texts = (await Promise.all(calls)).map(({ content }) => content);
    expect(texts).toEqual([1, 2, 3, 4].map((n) => [{ type: 'text', text: `done ${n}` }]));
    expect(await server.ended).toEqual([0, null]);
  });

  it('over stdio: answers the calls that are under way', async () => {
    const folder = newFolder();
    const env = environment('runServer over stdio', folder, 30_000);
    const transport = new StdioClientTransport({
      ...{ command: process.execPath, args: [PROGRAM], env, stderr: 'pipe' },
    });
    const said = listener(transport.stderr as Readable);
    const client = newClient();
    await client.connect(transport);
    onTestFinished(() => client.close());
    const calls = [1, 2].map((n) => client.callTool({ name: 'own', arguments: { n } }));
    for (const n of [1, 2]) await said(new RegExp(`began ${n}`));
    process.kill(transport.pid ?? 0, 'SIGTERM');
    await expect(refusesLists(client)).resolves.toBeUndefined();
    writeFileSync(env.RELEASE, '');
    const texts = (await Promise.all(calls)).map(({ content }) => content);
    expect(texts).toEqual([1, 2].map((n) => [{ type: 'text', text: `done ${n}` }]));
    await said(/Stopped/);
  });

  it('takes the answer to a question, lets tasks/result and streams end, then closes idle connections', async () => {
    const server = await startHttp('runServer over HTTP');
    const idle = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(idle, 'connect');
    idle.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(idle, 'data');

    const first = await post(server.url, INITIALIZE);
    const headers = { 'mcp-session-id': first.headers.get('mcp-session-id') ?? '' };
    const send = (id: number, method: string, params: object): Promise<Response> =>
      post(server.url, { jsonrpc: '2.0', id, method, params }, headers);
    const standalone = await fetch(server.url, {
      headers: { ...headers, accept: 'text/event-stream' },
    });
    const made = await send(2, 'tools/call', { name: 'own', arguments: { n: 1 }, task: {} });
    const { result } = (await made.json()) as { result: { task: { taskId: string } } };
    const { taskId } = result.task;
    await server.said(/began 1/);
    const waiting = await send(3, 'tasks/result', { taskId });

    server.client.setRequestHandler('elicitation/create', async () => {
      server.stop();
      await expectRefusal(server.url);
      return { action: 'accept', content: { name: 'Ann' } };
    });
    const closed = once(idle, 'close');
    const asked = await server.client.callTool({ name: 'ask', arguments: {} });
    expect(asked.content).toEqual([{ type: 'text', text: 'Hello, Ann' }]);
    server.release();
    expect(await waiting.text()).toContain('done 1');
    await standalone.text();
    await closed;
    expect(await server.ended).toEqual([0, null]);
  });

  it('answers what lasts longer than its time with an error', async () => {
    const server = await startHttp('runServer over HTTP', 100);
    const call = server.client.callTool({ name: 'own', arguments: { n: 1 } });
    const refused = expect(call).rejects.toThrow('The server is shutting down; retry in 1000 ms');
    await server.said(/began 1/);
    server.stop();
    await refused;
    expect(await server.ended).toEqual([0, null]);
  });

  it.runIf(hasNginx)('behind nginx, which keeps connections: answers the calls', async () => {
    const server = await startHttp('runServer over HTTP');
    const nginx = await startNginx(
      (port) => `upstream app { server ${new URL(server.url).host}; keepalive 8; }
        server { listen 127.0.0.1:${port}; location / {
          proxy_pass http://app; proxy_http_version 1.1; proxy_buffering off;
          proxy_set_header Connection ''; proxy_set_header Host localhost; } }`,
    );
    onTestFinished(() => nginx.stop());
    const client = newClient();
    const url = `${nginx.origin}/mcp`;
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const calls = [1, 2, 3, 4].map((n) => client.callTool({ name: 'own', arguments: { n } }));
    for (const n of [1, 2, 3, 4]) await server.said(new RegExp(`began ${n}`));
    server.stop();
    expect(await refusal(url)).toMatchObject({ status: 503 });
    server.release();
    const texts = (await Promise.all(calls)).map(({ content }) => content);
    expect(texts).toEqual([1, 2, 3, 4].map((n) => [{ type: 'text', text: `done ${n}` }]));
    expect(await server.ended).toEqual([0, null]);
  });
});
