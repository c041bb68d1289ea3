import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTaskClient } from '../../runtime/client/index.js';
import { run, start } from '../cli/process.js';
import { temporary } from '../client-commands/terminal.js';
import { startHttp } from '../server/process.js';
import { tokenOf } from '../server/tokens.js';

const INFO = { name: 'test', version: '1' };

interface Line {
  readonly direction: string;
  readonly session: number;
  readonly message: { readonly method?: string; readonly id?: unknown };
}

const linesOf = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

async function findingsIn(file: string): Promise<unknown> {
  const { stdout } = await run(['validate', file, '--json'], { cwd: temporary() });
  return (JSON.parse(stdout) as { findings: unknown }).findings;
}

/** A proxy in front of a URL. */
async function proxied(target: string, ...more: readonly string[]) {
  const file = join(temporary(), 'session.jsonl');
  const child = start(['record', '--out', file, ...more, target], { cwd: temporary() });
  const ended = once(child, 'close');
  const said: string[] = [];
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface(child.stderr)) {
    said.push(line);
    const [, url] = /connect to (\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    async function end(): Promise<void> {
      child.kill('SIGINT');
      await ended;
    }
    return { url, file, end, child, ended };
  }
  throw new Error(`The proxy did not start: ${said.join('\n')}`);
}

async function serverOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
}

async function textOf(body: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of body) text += String(chunk);
  return text;
}

const PING = '{"jsonrpc":"2.0", "id":1,\n "method":"ping"}';

describe('record over HTTP', () => {
  const token = tokenOf('ann');
  const requestInit = { headers: { authorization: `Bearer ${token}` } };

  it.each([
    ['SDK v2', () => new Client(INFO)],
    [
      'SDK v2 in the newest revision',
      () => new Client(INFO, { versionNegotiation: { mode: 'auto' } }),
    ],
    ['SDK v1', () => new ClientV1(INFO)],
  ])('is not told from the server by the client of %s', async (name, clientOf) => {
    const server = await startHttp();
    onTestFinished(() => server.stop());
    const { url, file, end } = await proxied(server.url);
    const answers = [];
    for (const address of [server.url, url]) {
      const client = clientOf();
      const Transport = name === 'SDK v1' ? HttpV1 : StreamableHTTPClientTransport;
      await client.connect(new Transport(new URL(address), { requestInit }));
      answers.push([
        client.getServerVersion(),
        client.getServerCapabilities(),
        await client.listTools(),
        await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }),
        await client.callTool({ name: 'add', arguments: { a: 'x' } }).catch(String),
      ]);
      await client.close();
    }
    await end();
    expect(answers[1]).toEqual(answers[0]);
    // Those of the last call, which are wrong on purpose.
    expect(await findingsIn(file)).toMatchObject([{ code: 'wrong-arguments', from: 'client' }]);
    expect(readFileSync(file, 'utf8')).not.toContain(token);
    expect(linesOf(file).length).toBeGreaterThanOrEqual(8);
  });

  it('carries tasks, progress and questions of our own client', async () => {
    const server = await startHttp();
    onTestFinished(() => server.stop());
    const { url, file, end } = await proxied(server.url);
    const client = createTaskClient({
      ...INFO,
      answer: { form: () => ({ action: 'accept', content: { name: 'Ann' } }) },
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const result = await client.call('asks-once');
    await client.close();
    await end();
    expect(JSON.stringify(result)).toContain('accept Ann');
    expect(await findingsIn(file)).toEqual([]);
    expect(linesOf(file).some(({ message }) => /^tasks\//.test(message.method ?? ''))).toBe(true);
  });

  it('changes no body and no header of the conversation', async () => {
    const seen: IncomingMessage[] = [];
    const bodies: string[] = [];
    const answer = '{ "jsonrpc":"2.0",\r\n"id":1,"result":{} }';
    const target = await serverOf((request, response) => {
      seen.push(request);
      void textOf(request).then((text) => {
        bodies.push(text);
        response.writeHead(200, {
          'content-type': 'application/json',
          'mcp-session-id': 'secret-session',
          'www-authenticate': 'Bearer resource_metadata="https://example.org/x"',
        });
        response.end(answer);
      });
    });
    const { url, file, end } = await proxied(`${target}?key=1`, '--header', 'X-Key: Zq123');
    const response = await fetch(url, {
      method: 'POST',
      body: PING,
      headers: {
        ...requestInit.headers,
        'mcp-session-id': 'secret-session',
        origin: 'http://localhost:1',
      },
    });
    expect(await response.text()).toBe(answer);
    expect(response.headers.get('mcp-session-id')).toBe('secret-session');
    expect(response.headers.get('www-authenticate')).toContain('https://example.org/x');
    expect(bodies).toEqual([PING]);
    const [first] = seen;
    expect(first?.url).toBe('/mcp?key=1');
    expect(first?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'x-key': 'Zq123',
      origin: new URL(target).origin,
      host: new URL(target).host,
    });
    await fetch(`${url}/other?a=1`);
    expect(seen[1]?.url).toBe('/mcp/other?a=1');
    await end();
    expect(linesOf(file)).toHaveLength(3);
    for (const secret of ['secret-session', 'Zq123', token]) {
      expect(readFileSync(file, 'utf8')).not.toContain(secret);
    }
  });

  it('passes events at once, and each end of a stream', async () => {
    const streams: ServerResponse[] = [];
    const target = await serverOf((request, response) => {
      request.resume();
      streams.push(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        'event: message\r\nid: 1\r\ndata: {"jsonrpc":"2.0",\r\ndata: "id":1,"result":{}}\r\n\r\n',
      );
    });
    const { url, file, end } = await proxied(target);
    const stop = new AbortController();
    const response = await fetch(url, { method: 'POST', body: PING, signal: stop.signal });
    const reader = response.body?.getReader();
    const first = (await reader?.read()) as { value?: Uint8Array } | undefined;
    expect(Buffer.from(first?.value ?? []).toString()).toContain('"id":1,"result"');
    const closed = streams.map((each) => once(each, 'close'));
    stop.abort();
    await Promise.all(closed);
    await end();
    expect(linesOf(file).map(({ direction, session }) => [direction, session])).toEqual([
      ['client->server', 1],
      ['server->client', 1],
    ]);
  });

  it('numbers sessions, and ends streams that the server cuts', async () => {
    let sessions = 0;
    const target = await serverOf((request, response) => {
      void textOf(request).then((text) => {
        if (text.includes('cut')) {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write('data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n', () =>
            response.destroy(),
          );
          return;
        }
        const given = request.headers['mcp-session-id'] ?? `s${String((sessions += 1))}`;
        response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': given });
        response.end('{"jsonrpc":"2.0","id":1,"result":{}}');
      });
    });
    const { url, file, end } = await proxied(target);
    const post = (method: string, session?: string): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
        headers: session === undefined ? {} : { 'mcp-session-id': session },
      });
    await (await post('initialize')).text();
    await (await post('initialize')).text();
    await (await post('ping', 's1')).text();
    const cut = await post('cut', 's2');
    await expect(cut.text()).rejects.toThrow();
    await end();
    expect(linesOf(file).map(({ session }) => session)).toEqual([1, 1, 2, 2, 1, 1, 2, 2]);
  });

  it('refuses pages of other sites', async () => {
    const target = await serverOf((_, response) => response.end());
    const { url } = await proxied(target);
    const status = async (headers: Record<string, string>): Promise<number | undefined> => {
      const [response] = (await once(httpRequest(url, { headers }).end(), 'response')) as [
        IncomingMessage,
      ];
      response.resume();
      return response.statusCode;
    };
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({ origin: 'null' })).toBe(403);
    expect(await status({ origin: 'http://localhost:6274' })).toBe(200);
    expect(await status({ host: 'localhost:99' })).toBe(200);
  });

  it('says what is wrong in a line: no server, no port, no URL', async () => {
    const target = await serverOf((_, response) => response.end());
    const { url, child, file, end } = await proxied('http://127.0.0.1:9/mcp');
    let messages = '';
    child.stderr.on('data', (chunk: Buffer) => (messages += chunk.toString()));
    const response = await fetch(url, { method: 'POST', body: PING });
    expect(response.status).toBe(502);
    expect(await response.text()).toContain('Cannot reach http://127.0.0.1:9');
    await end();
    expect(messages).toContain('nothing listens there');
    expect(existsSync(file)).toBe(true);
    const { port } = new URL(target);
    const taken = await run(['record', '--out', 'a.jsonl', '--port', port, target], {
      cwd: temporary(),
    });
    expect(taken).toMatchObject({ code: 2, stdout: '' });
    expect(taken.stderr).toContain('another program listens there');
  });

  it('keeps what was recorded when it is killed', async () => {
    const target = await serverOf((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"jsonrpc":"2.0","id":1,"result":{}}');
    });
    const { url, file, child, ended } = await proxied(target);
    for (const _ of [1, 2]) await (await fetch(url, { method: 'POST', body: PING })).text();
    child.kill('SIGKILL');
    await ended;
    expect(linesOf(file).length).toBeGreaterThanOrEqual(3);
  });
});
