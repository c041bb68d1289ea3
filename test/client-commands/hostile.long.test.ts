import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';

import { kept, openTerminal, tasksFolder, temporary } from './terminal.js';

const MIB = 1024 * 1024;

interface Ran {
  readonly code: number;
  readonly output: string;
  readonly messages: string;
}

async function client(
  words: readonly string[],
  env: Record<string, string> = {},
  home = temporary(),
): Promise<Ran> {
  const terminal = openTerminal({ person: false, env, home });
  const code = await terminal.run(...words);
  return { code, output: terminal.output(), messages: terminal.messages() };
}

interface Asked {
  readonly method: string;
  readonly id?: unknown;
  readonly params: Record<string, unknown>;
}

interface ToolShape {
  readonly name: string;
  readonly execution?: object;
  readonly description?: string;
}

type Answer = (asked: Asked, response: ServerResponse, request: IncomingMessage) => unknown;

interface Server {
  readonly url: string;
  readonly requests: readonly {
    readonly asked: Asked;
    readonly headers: IncomingMessage['headers'];
  }[];
}

const TASKS = { tasks: { cancel: {}, requests: { tools: { call: {} } } } };
const OPTIONAL = { taskSupport: 'optional' };
const TOOL = { name: 'work', inputSchema: { type: 'object' } };

/** An HTTP server of revision 2025-11-25 that answers what this returns, or does what it likes. */
async function serving(answer: Answer, tool: ToolShape = TOOL): Promise<Server> {
  const requests: { asked: Asked; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const asked = JSON.parse(text) as Asked;
      requests.push({ asked, headers: request.headers });
      const result = standard(asked, tool) ?? answer(asked, response, request);
      if (asked.id === undefined) return void response.writeHead(202).end();
      if (result === undefined) return;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...(result as object) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}/mcp`, requests };
}

function standard({ method, id }: Asked, tool: ToolShape): object | undefined {
  if (method === 'server/discover') return { error: { code: -32601, message: 'Unknown' } };
  if (method === 'initialize') {
    const capabilities = tool.execution === undefined ? { tools: {} } : { tools: {}, ...TASKS };
    return { result: { ...INITIALIZED, capabilities } };
  }
  if (method === 'tools/list') return { result: { tools: [tool] } };
  return id === undefined ? {} : undefined;
}

const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'hostile', version: '1' },
};

/** Writes for as long as it is read; returns how much that was. */
function flood(response: NodeJS.WritableStream, text: string): () => number {
  const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  let written = 0;
  let open = true;
  response.on('close', () => (open = false));
  const write = (): void => {
    while (open && written < 200 * MIB) {
      written += chunk.length;
      if (!response.write(chunk)) return void response.once('drain', write);
    }
  };
  write();
  return () => written;
}

const SSE = { 'content-type': 'text/event-stream' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('a server that sends without end', () => {
  it.each([
    ['a line', SSE, 200, 'data: ', 'x', 'maxmessage'],
    ['an event of many lines', SSE, 200, 'data: x\n', 'data: x\n', 'maxmessage'],
    ['a body', JSON_TYPE, 200, '{"jsonrpc":"', 'x', 'maxmessage'],
    ['a body of an error', { 'content-type': 'text/html' }, 500, '', 'trouble ', 'trouble'],
  ])('is read up to a limit: %s', async (_, headers, status, first, text, said) => {
    let sent = (): number => 0;
    const { url } = await serving((asked, response) => {
      if (asked.method !== 'tools/call') return {};
      response.writeHead(status, headers).write(first);
      sent = flood(response, text);
      return undefined;
    });
    const ran = await client(['call', 'work', '--max-message', '1', '--server', url]);
    expect(ran.code).toBe(3);
    expect(ran.messages.replaceAll(/[- ]/g, '').toLowerCase()).toContain(said);
    expect(ran.messages.length).toBeLessThan(2_000);
    // What fits into the buffers of sockets on both sides, and no more.
    expect(sent()).toBeLessThan(64 * MIB);
  });

  it('is read up to a limit that holds for what is packed', async () => {
    const { url } = await serving((asked, response) => {
      if (asked.method !== 'tools/call') return {};
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.write('{"jsonrpc":"');
      flood(gzip, 'x');
      return undefined;
    });
    const ran = await client(['call', 'work', '--max-message', '1', '--server', url]);
    expect(ran.code).toBe(3);
    expect(ran.messages).toContain('more than 1048576 bytes (option --max-message)');
  });

  it('may send any number of small events, and a comment of any length', async () => {
    const result = { content: [{ type: 'text', text: 'done' }] };
    const { url } = await serving((asked, response) => {
      if (asked.method !== 'tools/call') return {};
      response.writeHead(200, SSE);
      for (let left = 64; left > 0; left -= 1) {
        response.write(`: ${'x'.repeat(65_000)}\n`);
        const params = { level: 'info', data: 'x'.repeat(60_000) };
        const news = { jsonrpc: '2.0', method: 'notifications/message', params };
        response.write(`data: ${JSON.stringify(news)}\r\n\r\n`);
      }
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: asked.id, result })}\n\n`);
      return undefined;
    });
    const ran = await client(['call', 'work', '--max-message', '1', '--server', url]);
    expect(ran).toMatchObject({ code: 0, output: 'done\n' });
  });

  it('is read up to a limit over standard streams, and on its standard error', async () => {
    const file = join(temporary(), 'server.mjs');
    writeFileSync(file, STDIO);
    const words = ['call', 'work', '--max-message', '1', '--', process.execPath, file];
    const line = await client([...words, 'line']);
    expect(line.code).toBe(3);
    expect(line.messages).toContain('more than 1048576 bytes (option --max-message)');
    const errors = await client([...words, 'errors']);
    expect(errors).toMatchObject({ code: 0, output: 'done\n' });
    expect(errors.messages).toContain('xxx');
  });
});

/** A server over standard streams that floods one of them when its tool is called. */
const STDIO = `
import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface(process.stdin).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'server/discover') say({ id, error: { code: -32601, message: 'Unknown' } });
  if (method === 'initialize') say({ id, result: ${JSON.stringify(INITIALIZED)} });
  if (method === 'tools/list') say({ id, result: { tools: [${JSON.stringify(TOOL)}] } });
  if (method !== 'tools/call') return;
  if (process.argv[2] === 'line') {
    const more = () => process.stdout.write('x'.repeat(65536), more);
    more();
  } else {
    process.stderr.write('x'.repeat(4 * 1024 * 1024), () =>
      say({ id, result: { content: [{ type: 'text', text: 'done' }] } }));
  }
});
`;

describe('an output schema with a pattern that would backtrack', () => {
  const tool = {
    ...TOOL,
    execution: OPTIONAL,
    outputSchema: {
      type: 'object',
      properties: { text: { type: 'string', pattern: '^(a+)+$' } },
    },
  };
  const result = { content: [], structuredContent: { text: `${'a'.repeat(60)}!` } };
  const answer: Answer = ({ method }) => (method === 'tools/call' ? { result } : {});

  it('is checked at once', async () => {
    const { url } = await serving(answer, tool);
    const given = await client(['call', 'work', '--server', url]);
    expect(given.code).toBe(3);
    expect(given.messages).toContain('must match the pattern');
  });
});

describe('what a server says', () => {
  const nasty = 'a\u001b]0;title\u0007b\u009b31mc\u202ed\u2066e\u200ff';

  it.each([
    ['text', []],
    ['a document', ['--json']],
  ])('is shown without what a terminal acts on: %s', async (_, flags) => {
    const { url } = await serving(
      ({ method }) =>
        method === 'tools/call'
          ? {
              result: {
                content: [{ type: 'text', text: nasty }],
                structuredContent: { [nasty]: 1 },
              },
            }
          : {},
      { ...TOOL, description: nasty },
    );
    const failing = await serving(() => ({ error: { code: -32000, message: nasty } }));
    for (const words of [
      ['call', 'work', '--server', url],
      ['describe', '--server', url],
      ['call', 'work', '--server', failing.url],
    ]) {
      const ran = await client([...words, ...flags]);
      const shown = ran.output + ran.messages;
      expect(shown.length).toBeGreaterThan(20);
      expect(shown).not.toMatch(/[^\P{C}\n]/u);
      if (flags.length === 0) continue;
      expect(JSON.stringify(JSON.parse(ran.output))).toContain(JSON.stringify(nasty).slice(1, -1));
    }
  });
});

describe('arguments and answers', () => {
  it('may have the names of members that every object has', async () => {
    const server = await serving(({ method }) =>
      method === 'tools/call' ? { result: { content: [] } } : {},
    );
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const words = names.map((name) => `${name}=given`);
    expect((await client(['call', 'work', ...words, '--server', server.url])).code).toBe(0);
    const args = '{"__proto__":{"a":1},"constructor":2}';
    expect((await client(['call', 'work', '--args', args, '--server', server.url])).code).toBe(0);
    const calls = server.requests.filter(({ asked }) => asked.method === 'tools/call');
    const [first, second] = calls.map(({ asked }) => asked.params['arguments'] as object);
    expect(Object.entries(first ?? {})).toEqual(names.map((name) => [name, 'given']));
    expect(Object.entries(second ?? {})).toEqual([
      ['__proto__', { a: 1 }],
      ['constructor', 2],
    ]);
  });
});

describe('passwords in addresses', () => {
  it.each([
    'http://ann:secret@127.0.0.1:9/mcp',
    'ftp://ann:secret@127.0.0.1/mcp',
    'ann:secret@127.0.0.1',
    'http://ann:sec@ret@127.0.0.1:9/mcp',
    'http://:secret@127.0.0.1:x/',
  ])('are refused, and not shown: %s', async (url) => {
    for (const flags of [[], ['--json']]) {
      for (const [words, env] of [
        [['describe', '--server', url], {}],
        [['describe'], { MCP_SERVER: url }],
        [['call', 'work', '--server', url], {}],
      ] as const) {
        const ran = await client([...words, ...flags], env);
        expect(ran.code).toBe(2);
        expect(ran.output + ran.messages).not.toContain('ret');
      }
    }
  });
});

describe('a token', () => {
  const bearer = ({ requests }: Server): Set<string | undefined> =>
    new Set(requests.map(({ headers }) => headers.authorization));
  const echo: Answer = ({ method }) => (method === 'tools/call' ? { result: { content: [] } } : {});

  it('goes to the origin that it was given for', async () => {
    const [mine, other] = [await serving(echo), await serving(echo)];
    const env = { MCP_TOKEN: 'secret', MCP_SERVER: mine.url };
    expect((await client(['call', 'work'], env)).code).toBe(0);
    expect(bearer(mine)).toEqual(new Set(['Bearer secret']));
    const elsewhere = await client(['call', 'work', '--server', other.url], env);
    expect(elsewhere.code).toBe(0);
    expect(elsewhere.messages).toContain(`not sent to ${new URL(other.url).origin}`);
    expect(elsewhere.messages).not.toContain('secret');
    expect(bearer(other)).toEqual(new Set([undefined]));
    const asked = ['call', 'work', '--token', 'own', '--server', other.url];
    expect((await client(asked, env)).code).toBe(0);
    expect(bearer(other)).toEqual(new Set([undefined, 'Bearer own']));
  });

  it('does not follow a redirect to another origin', async () => {
    const other = await serving(echo);
    for (const status of [301, 302, 307, 308]) {
      const mine = await serving(
        (_, response) => void response.writeHead(status, { location: other.url }).end(),
      );
      const ran = await client(['call', 'work', '--server', mine.url], { MCP_TOKEN: 'secret' });
      expect(ran.code).toBe(3);
    }
    expect(other.requests).toEqual([]);
  });

  it('is not handed to a server that is started', async () => {
    const file = join(temporary(), 'server.mjs');
    writeFileSync(file, STDIO.replace("text: 'done'", 'text: String(process.env.MCP_TOKEN)'));
    const words = ['call', 'work', '--', process.execPath, file];
    const ran = await client(words, { MCP_TOKEN: 'secret' });
    expect(ran).toMatchObject({ code: 0, output: 'undefined\n' });
  });

  it('of one server is not sent to the server of a task that is kept', async () => {
    const task = {
      taskId: 'one',
      status: 'working',
      createdAt: '2026-01-01T00:00:00Z',
      lastUpdatedAt: '2026-01-01T00:00:00Z',
      ttl: 60_000,
    };
    const other = await serving(
      ({ method }) => (method === 'tools/call' ? { result: { task } } : { result: task }),
      { ...TOOL, execution: { taskSupport: 'required' } },
    );
    const home = temporary();
    const start = ['call', 'work', '--detach', '--server', other.url];
    expect((await client(start, { MCP_TOKEN: 'first' }, home)).code).toBe(0);
    const [file = ''] = kept(home);
    expect(readFileSync(join(tasksFolder(home), file), 'utf8')).not.toContain('first');
    const get = ['tasks', 'get', file.slice(0, 12)];
    // The token that it was started with, and no other.
    expect((await client(get, { MCP_TOKEN: 'first' }, home)).code).toBe(0);
    expect(bearer(other)).toEqual(new Set(['Bearer first']));
    const stranger = await client(get, { MCP_TOKEN: 'second' }, home);
    expect(stranger.messages).toContain('MCP_TOKEN is not sent');
    expect(bearer(other)).toEqual(new Set(['Bearer first', undefined]));
    // Unless it is said to be for that server.
    await client(get, { MCP_TOKEN: 'third', MCP_SERVER: other.url }, home);
    expect(bearer(other)).toEqual(new Set(['Bearer first', undefined, 'Bearer third']));
    const listed = await client(['tasks', 'list', '--json'], {}, home);
    expect(listed.output).not.toContain('tokenMark');
  });
});
