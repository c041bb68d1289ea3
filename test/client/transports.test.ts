import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';

import { createTaskClient as webClient, type FetchLike } from '../../runtime/client/index.js';
import { createTaskClient, httpFetch } from '../../runtime/client/node/index.js';
import { eventReader } from '../../runtime/transport/reading/events.js';
import type { Message } from '../server/support.js';
import { brokenTexts, malformedAnswers } from '../support/malformed-answers.js';
import { rig, RESOURCE, tokenOf } from '../server/support.js';

interface Asked extends IncomingMessage {
  readonly text: string;
}
type Serve = (request: Asked, response: ServerResponse, message: Message) => unknown;

/** The URL of a server that gets the text of each request, and the message in it. */
async function serving(serve: Serve): Promise<string> {
  const http = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const message = (text === '' ? {} : JSON.parse(text)) as Message;
      serve(Object.assign(request, { text }), response, message);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENTS = { 'content-type': 'text/event-stream' };

function answered({ id, method }: Message): string {
  const result =
    method === 'initialize'
      ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: SERVER }
      : { content: [{ type: 'text', text: 'done' }] };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

const SERVER = { name: 'raw', version: '1' };

/** A server of sessions, whose answers to calls are `calls`. */
function sessions(calls: Serve): Serve {
  return (request, response, message) => {
    if (request.method === 'GET') {
      if (request.headers['last-event-id'] === undefined) return response.writeHead(405).end();
      return calls(request, response, message);
    }
    if (message.method === 'tools/call') return calls(request, response, message);
    if (message.id === undefined) return response.writeHead(202).end();
    if (message.method !== 'initialize') return response.writeHead(400).end();
    return response.writeHead(200, { ...JSON_TYPE, 'mcp-session-id': 's' }).end(answered(message));
  };
}

/** Answers with one fault, which the client has to name. */
const MALFORMED = malformedAnswers('ID', { content: [] }).map(({ name, message }) => ({
  name,
  text: (id: unknown) => JSON.stringify(message).replace('"ID"', JSON.stringify(id)),
}));

const FETCHES: readonly (readonly [string, FetchLike])[] = [
  ['fetch', fetch],
  ['httpFetch', httpFetch()],
];

function client() {
  const made = createTaskClient({ name: 'test', version: '1', revisions: ['2025-11-25'] });
  onTestFinished(() => made.close());
  return made;
}

describe.each(FETCHES)('Streamable HTTP with %s', (_, fetch) => {
  async function connected(calls: Serve, more: { maxMessageBytes?: number } = {}) {
    const made = client();
    await made.connect(await serving(sessions(calls)), { fetch, ...more });
    return made;
  }

  it('names session and revision in each request, and further headers', async () => {
    const seen: unknown[] = [];
    const made = client();
    const url = await serving((request, response, message) => {
      const { 'mcp-session-id': id, 'mcp-protocol-version': version, 'x-a': a } = request.headers;
      seen.push([request.method, message.method, id, version, a]);
      sessions((__, answer, call) => answer.writeHead(200, JSON_TYPE).end(answered(call)))(
        request,
        response,
        message,
      );
    });
    await made.connect(url, { fetch, headers: { 'X-A': 'a', 'Mcp-Session-Id': 'none' } });
    await made.call('any');
    await made.endSession();
    const common = ['s', '2025-11-25', 'a'];
    expect(seen.filter((each) => (each as string[])[0] !== 'GET')).toEqual([
      ['POST', 'initialize', 'none', undefined, 'a'],
      ['POST', 'notifications/initialized', ...common],
      ['POST', 'tools/call', ...common],
      ['DELETE', undefined, ...common],
    ]);
    expect(made.session).toBeUndefined();
  });

  it('resumes a stream behind its last event, as soon as the server says', async () => {
    const ids: unknown[] = [];
    let call: Message = {};
    const made = await connected((request, response, message) => {
      response.writeHead(200, EVENTS);
      if (request.method === 'POST') {
        call = message;
        return response.end('retry: 100\nid: 1\ndata:\n\nid: 2\ndata: {"jsonrpc"');
      }
      ids.push(request.headers['last-event-id']);
      if (ids.length < 3) return response.end(`id: ${String(ids.length + 1)}\ndata:\n\n`);
      return response.end(`data: ${answered(call)}\n\n`);
    });
    expect((await made.call('any')).content).toEqual([{ type: 'text', text: 'done' }]);
    // The second event had not ended.
    expect(ids).toEqual(['1', '2', '3']);
  });

  it('polls as long as a server asks for it that ends the stream each time', async () => {
    let polls = 0;
    let call: Message = {};
    const made = await connected((request, response, message) => {
      response.writeHead(200, EVENTS);
      if (request.method === 'POST') {
        call = message;
        return response.end('retry: 100\nid: 1\ndata:\n\n');
      }
      polls += 1;
      return response.end(polls < 6 ? '' : `data: ${answered(call)}\n\n`);
    });
    expect((await made.call('any')).content).toEqual([{ type: 'text', text: 'done' }]);
    expect(polls).toBe(6);
  });

  it('gives up a stream without an event each time, whose server asks for no polling', async () => {
    let resumed = 0;
    const made = await connected((request, response) => {
      if (request.method === 'GET') resumed += 1;
      response.writeHead(200, EVENTS).end(request.method === 'POST' ? 'id: 1\ndata:\n\n' : '');
    });
    const message = 'The stream ended without an answer: The stream could not be resumed';
    await expect(made.call('any')).rejects.toMatchObject({ reason: 'lost', message });
    expect(resumed).toBe(2);
  });

  it('gives up a stream that the server refuses to resume', async () => {
    const made = await connected((request, response) =>
      request.method === 'POST'
        ? response.writeHead(200, EVENTS).end('retry: 100\nid: 1\ndata:\n\n')
        : response.writeHead(404).end('gone'),
    );
    await expect(made.call('any')).rejects.toMatchObject({
      reason: 'lost',
      message: 'The stream ended without an answer: The server answered with HTTP 404: gone',
    });
  });

  const stream = (text: string): [string, Record<string, string>, string] => [
    text,
    EVENTS,
    `data: ${text}\n\n`,
  ];
  it.each<[string, Record<string, string>, string]>([
    ['no JSON', JSON_TYPE, '{'],
    ['nothing', JSON_TYPE, ''],
    ['an answer to another request', JSON_TYPE, '{"jsonrpc":"2.0","id":"x","result":{}}'],
    ['an empty list', JSON_TYPE, '[]'],
    ['a page', { 'content-type': 'text/html' }, '<html>'],
    ['no type', {}, 'x'],
    ['bad UTF-8', JSON_TYPE, '"\xff"'],
    ['a stream without an answer', EVENTS, ''],
    stream('{'),
    stream('{"jsonrpc":"2.0","id":"x","result":{}}'),
    stream('{"id":ID}'),
  ])('ends a call at once whose answer is %s', async (_what, headers, body) => {
    const made = await connected((__, response, { id }) =>
      response.writeHead(200, headers).end(body.replace('ID', String(id)), 'latin1'),
    );
    const call = made.call('any');
    await expect(call).rejects.toMatchObject({ name: 'CallError' });
    const { reason, message } = (await call.catch((error: unknown) => error)) as {
      reason: string;
      message: string;
    };
    expect(['lost', 'invalid_answer']).toContain(reason);
    expect(message).toMatch(/./);
  });

  it.each([
    ['body', JSON_TYPE, (text: string) => text],
    ['event', EVENTS, (text: string) => `data: ${text}\n\n`],
  ])('ends a call with what is wrong with its answer, a %s', async (_what, headers, framed) => {
    let at = 0;
    const made = await connected((__, response, { id }) =>
      response.writeHead(200, headers).end(framed(MALFORMED[at]?.text(id) ?? '')),
    );
    for (; at < MALFORMED.length; at += 1) {
      await expect(made.call('any'), MALFORMED[at]?.name).rejects.toMatchObject({
        reason: 'invalid_answer',
      });
    }
  });

  it('ends a call at once that the server accepts without an answer', async () => {
    const made = await connected((__, response) => response.writeHead(202).end());
    await expect(made.call('any')).rejects.toThrow(
      'The server answered HTTP 202 with no content type',
    );
  });

  const deep = '['.repeat(900) + ']'.repeat(900);
  const names = JSON.stringify(Object.fromEntries([...Array(300_000).keys()].map((at) => [at, 1])));
  it.each<[string, Record<string, string>, string, string]>([
    [
      'long JSON',
      JSON_TYPE,
      `"${'x'.repeat(5_000_000)}"`,
      'of more than 4000000 bytes (maxMessageBytes)',
    ],
    ['deep JSON', JSON_TYPE, deep, '500 levels'],
    [
      'many names',
      { 'content-type': 'application/json; charset=utf-8' },
      names,
      'members of objects',
    ],
    ['a long event', EVENTS, `data: ${'x'.repeat(5_000_000)}\n\n`, 'of more than 4000000 bytes'],
    [
      'a long event in lines',
      EVENTS,
      `data: ${'x'.repeat(1_000)}\n`.repeat(5_000),
      '4000000 bytes',
    ],
    ['a deep event', EVENTS, `data: ${deep}\n\n`, '500 levels'],
    ['a deep event behind a quote', EVENTS, `id: "\ndata: ${deep}\n\n`, '500 levels'],
    [
      'a deep event in lines',
      EVENTS,
      `${deep.replaceAll('[', 'data: [\r\n')}\r\n\r\n`,
      '500 levels',
    ],
  ])('fails a call with %s', async (_what, headers, body, why) => {
    const fetchers = fetch === FETCHES[0]?.[1] ? fetch : httpFetch({ maxMessageBytes: 4_000_000 });
    const made = client();
    const url = await serving(
      sessions((request, response) => {
        if (request.method === 'GET') return response.writeHead(404).end();
        return response.writeHead(200, headers).end(body);
      }),
    );
    await made.connect(url, { fetch: fetchers, maxMessageBytes: 4_000_000 });
    await expect(made.call('any')).rejects.toThrow(why);
  });

  it('takes long comments, many events and many lines', async () => {
    const made = await connected(
      (__, response, message) => {
        const note =
          'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\r\r';
        response.writeHead(200, EVENTS);
        response.end(`: ${'['.repeat(9_000)}\n\n${note.repeat(500)}data: ${answered(message)}\n\n`);
      },
      { maxMessageBytes: 1_000 },
    );
    expect((await made.call('any')).content).toHaveLength(1);
  });

  it('quotes the beginning of a refusal', async () => {
    const made = await connected((__, response) =>
      response.writeHead(500).end('x'.repeat(1_000_000)),
    );
    const error = (await made.call('any').catch((reason: unknown) => reason)) as Error;
    expect(error.message.length).toBeLessThan(17_000);
    expect(error.message).toMatch(/HTTP 500: xxx/);
  });

  it('follows redirects within the origin that keep the method, and no others', async () => {
    const asked: unknown[] = [];
    const other = await serving((request, response) => {
      asked.push(request.headers);
      response.end();
    });
    const calls: Serve = (_request, response, message) =>
      response.writeHead(200, JSON_TYPE).end(answered(message));
    const redirecting = (status: number, to: string) =>
      serving((request, response, message) => {
        if (request.url === '/mcp') return response.writeHead(status, { location: to }).end();
        return sessions(calls)(request, response, message);
      });
    const made = client();
    await made.connect(await redirecting(308, '/moved'), { fetch });
    expect((await made.call('any')).content).toHaveLength(1);
    for (const [status, to] of [
      [307, other],
      [302, '/moved'],
    ] as const) {
      const url = await redirecting(status, to);
      await expect(
        client().connect(url, { fetch, headers: { 'x-key': 'secret' } }),
      ).rejects.toThrow(
        `The server redirects to ${new URL(to, url).href} (HTTP ${String(status)}). Use that address`,
      );
    }
    expect(asked).toEqual([]);
  });

  it('names the scopes that a token lacks', async () => {
    const made = await connected((__, response) =>
      response
        .writeHead(403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="a b"' })
        .end(),
    );
    await expect(made.call('any')).rejects.toMatchObject({ cause: { requiredScope: 'a b' } });
  });

  it('asks once for another token, and sends the request again', async () => {
    const tokens = ['old', 'new'];
    let asked = 0;
    const authProvider = {
      token: () => Promise.resolve(tokens[0]),
      onUnauthorized: () => {
        asked += 1;
        tokens.shift();
        return Promise.resolve();
      },
    };
    const calls: Serve = (_request, response, message) =>
      response.writeHead(200, JSON_TYPE).end(answered(message));
    const url = await serving((request, response, message) =>
      request.headers.authorization === 'Bearer new'
        ? sessions(calls)(request, response, message)
        : response.writeHead(401).end(),
    );
    const made = client();
    await made.connect(url, { fetch, authProvider });
    expect([(await made.call('any')).content.length, asked]).toEqual([1, 1]);
    tokens[0] = 'bad';
    await expect(made.call('any')).rejects.toMatchObject({ cause: { status: 401 } });
    expect(asked).toBe(2);
  });
});

it('HTTP+SSE sends nothing to an address of another origin', async () => {
  const asked: unknown[] = [];
  const other = await serving((request, response) => {
    asked.push(request.url);
    response.end();
  });
  const url = await serving((request, response) =>
    request.method === 'GET'
      ? response.writeHead(200, EVENTS).write(`event: endpoint\ndata: ${other}\n\n`)
      : response.writeHead(405).end(),
  );
  await expect(client().connect(url)).rejects.toThrow('an address of another origin');
  expect(asked).toEqual([]);
});

const ECHO = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const result = method === 'initialize'
      ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'p', version: '1' } }
      : { content: [{ type: 'text', text: JSON.stringify(process.env) }] };
    console.log('a log');
    console.log(JSON.stringify({ level: 'info' }));
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
`;

/** Says what it is asked to say. */
const SAYING = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'p', version: '1' } };
    const said = method === 'initialize' ? JSON.stringify({ jsonrpc: '2.0', id, result }) : params.arguments?.said ?? '';
    console.log(said.replaceAll('"ID"', id));
  });
`;

describe('a process', () => {
  it('gets the variables that programs need, and those that are given', async () => {
    process.env['SECRET_OF_THIS_PROCESS'] = 'x';
    onTestFinished(() => void delete process.env['SECRET_OF_THIS_PROCESS']);
    const made = client();
    await made.connect({ command: process.execPath, args: ['-e', ECHO], env: { GIVEN: 'y' } });
    const [block] = (await made.call('env')).content;
    const env = JSON.parse((block as { text: string }).text) as Record<string, string>;
    expect([env['PATH'], env['GIVEN'], env['SECRET_OF_THIS_PROCESS']]).toEqual([
      process.env['PATH'],
      'y',
      undefined,
    ]);
  });

  it('ends a call with what is wrong with its answer', async () => {
    const made = client();
    await made.connect({ command: process.execPath, args: ['-e', SAYING] });
    const ending = (said: string) =>
      expect(made.call('any', { said }), said).rejects.toMatchObject({ reason: 'invalid_answer' });
    for (const { text } of MALFORMED) await ending(text('ID'));
    for (const text of brokenTexts('ID', { content: [] })) await ending(text);
    await ending('[{"jsonrpc":"2.0","id":"ID","result":{"content":[]}}]');
  });

  it.each(['\n', '\r\n'])('ends a call whose answer is several lines, ended by %j', async (end) => {
    const made = client();
    await made.connect({ command: process.execPath, args: ['-e', SAYING] });
    const [log, answer] = [
      { b: { c: [{}] } },
      { jsonrpc: '2.0', id: 'ID', result: { content: [] } },
    ].map((value) => JSON.stringify(value, null, 2).replaceAll('\n', end));
    await expect(made.call('any', { said: `{${end}${log}${end}}${end}${answer}` })).rejects.toThrow(
      'Invalid answer: The server sent JSON over several lines',
    );
    const good = '{"jsonrpc":"2.0","id":"ID","result":{"content":[]}}';
    expect((await made.call('any', { said: `{${end}${good}` })).content).toEqual([]);
  });

  it('is one that only the client of client/node starts', async () => {
    const made = webClient({ name: 'test', version: '1' });
    await expect(made.connect({ command: 'node' })).rejects.toThrow('runtime/client/node');
    await expect(made.connect('node server.js')).rejects.toThrow('Not an http or https URL');
  });

  it('that cannot be started has the code of the system as the cause', async () => {
    await expect(client().connect({ command: 'no-such-command' })).rejects.toMatchObject({
      cause: { code: 'ENOENT' },
    });
  });
});

describe("the official SDK's transports, as guests", () => {
  it('Streamable HTTP', async () => {
    const { http } = await rig();
    const guest = new StreamableHTTPClientTransport(new URL(RESOURCE), {
      requestInit: { headers: { host: 'localhost', authorization: `Bearer ${tokenOf('ann')}` } },
      fetch: (url, init) => http.fetch(new Request(url, init)),
    });
    for (const revision of ['2026-07-28', '2025-11-25'] as const) {
      const made = createTaskClient({ name: 'test', version: '1', revisions: [revision] });
      onTestFinished(() => made.close());
      await made.connect(
        revision === '2026-07-28'
          ? guest
          : new StreamableHTTPClientTransport(new URL(RESOURCE), {
              requestInit: {
                headers: { host: 'localhost', authorization: `Bearer ${tokenOf('ann')}` },
              },
              fetch: (url, init) => http.fetch(new Request(url, init)),
            }),
      );
      expect((await made.tools()).length).toBeGreaterThan(0);
      await made.endSession();
      expect(made.session).toBeUndefined();
    }
  });

  it('stdio', async () => {
    const made = client();
    await made.connect(new StdioClientTransport({ command: process.execPath, args: ['-e', ECHO] }));
    expect((await made.call('env')).content).toHaveLength(1);
  });

  it('HTTP+SSE', async () => {
    let stream: ServerResponse | undefined;
    const url = await serving((request, response, message) => {
      if (request.method === 'GET') {
        stream = response;
        return response.writeHead(200, EVENTS).write('event: endpoint\ndata: /messages\n\n');
      }
      response.writeHead(202).end();
      if (message.id !== undefined) stream?.write(`data: ${answered(message)}\n\n`);
    });
    const made = client();
    await made.connect(new SSEClientTransport(new URL(url)));
    expect((await made.call('any')).content).toHaveLength(1);
  });
});

describe('event streams', () => {
  const lines = [
    '\uFEFFdata: a',
    'data:b',
    '',
    ': data: c',
    'event: x',
    'id: é',
    'retry: 250',
    'data',
    '',
    'data: d',
  ];
  const kept = ['retry: 100', 'retry:60000'];
  const dropped = [
    'retry: 0',
    'retry:99',
    'retry: 60001',
    `retry: ${'9'.repeat(300)}`,
    'retry',
    'retry: x',
    'id: \0',
    'id',
  ];

  it.each([1, 2, 3, 7, 1_000])('are read in parts of %d bytes', (size) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const seen: unknown[] = [];
      const take = eventReader(1_000, {
        event: ({ type, data }) => seen.push([type, new TextDecoder().decode(data)]),
        id: (id) => seen.push(id),
        retry: (ms) => seen.push(ms),
        tooLong: () => seen.push('too long'),
      });
      const bytes = new TextEncoder().encode([...lines, ...kept, ...dropped].join(end) + end + end);
      for (let at = 0; at < bytes.length; at += size) take(bytes.slice(at, at + size));
      expect(seen).toEqual([
        ['message', 'a\nb'],
        250,
        'é',
        ['x', ''],
        100,
        60_000,
        ['message', 'd'],
      ]);
    }
  });
});

it('a closed connection leaves nothing that keeps the process', async () => {
  const calls: Serve = (_request, response) =>
    response.writeHead(200, EVENTS).write('id: 1\ndata:\n\n');
  const made = client();
  await made.connect(await serving(sessions(calls)));
  const call = made.call('any');
  await sleep(50);
  await made.close();
  await expect(call).rejects.toMatchObject({ reason: 'lost' });
});
