import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server as SocketServer,
} from 'node:net';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerHelp } from '../../cli/client/form.js';
import { hasOpenssl, selfSigned } from '../support/certificate.js';
import { asOtherUser } from '../support/other-user.js';
import { SILENT_PORT } from '../support/silent-port.js';
import { openTerminal, temporary } from './terminal.js';

/** How a program without a terminal runs the client: its exit code, and what it says. */
async function ran(...words: readonly string[]): Promise<{ code: number; said: string }> {
  const { run, output, messages } = openTerminal({ person: false });
  const code = await run(...words);
  expect(output()).toBe('');
  return { code, said: messages().replace(/\n {2}help: /, ' ') };
}

/** What a user can read: no stack, no object dump, nothing for a terminal to act on, and not a page long. */
function expectReadable(said: string): void {
  expect(said).not.toMatch(/^\s+at /m);
  expect(said).not.toMatch(/\[object |undefined|node:internal|TypeError/);
  // eslint-disable-next-line no-control-regex
  expect(said).not.toMatch(/[\u0000-\u0008\u001b]/);
  expect(said.length).toBeLessThan(1_500);
}

async function listening(server: SocketServer & { closeAllConnections?: () => void }) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function at(listener: RequestListener, path = '/mcp'): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(listener))}${path}`;
}

const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

const node = (script: string): string[] => ['--', process.execPath, '-e', script];

/** A server of revision 2025-11-25, which answers calls as `onCall` says, and nothing that reads one thing. */
const STDIO = (onCall: string, task?: { task: string; result: string }): string[] =>
  node(`
    const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
    require('node:readline').createInterface(process.stdin).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const reply = (result) => send({ id, result });
      if (method === 'initialize') reply({ protocolVersion: '2025-11-25', capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
        serverInfo: { name: 'test', version: '1' } });
      else if (method === 'tools/list') reply({ tools: [{ name: 'work', inputSchema: { type: 'object' }, execution: { taskSupport: '${task ? 'required' : 'forbidden'}' } }] });
      else if (method === 'tools/call') { ${onCall} }
      else if (method === 'tasks/result') reply(${task?.result});
      else if (method === 'tasks/get') reply(${task?.task});
      else if (id !== undefined && !/read|get/.test(method)) send({ id, error: { code: -32601, message: 'Unknown method' } });
    });`);

it.each([
  ['call', ['call', 'work', '--timeout', '4']],
  ['describe', ['describe', '--timeout', '4']],
  ['lock', ['lock', '--timeout', '4']],
  ['lint', ['lint', '--timeout', '4']],
  ['tools', ['tools', '--dry-run', '--timeout', '4']],
])(
  '%s says that a slow server has an earlier revision, and its document does',
  async (_, words) => {
    // It answers nothing before `initialize`, as a server that has not started.
    const program = `
    let isOpen = false;
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      isOpen ||= method === 'initialize';
      if (id === undefined || !isOpen) return;
      const result = {
        initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'slow', version: '1' } },
        'tools/list': { tools: [] },
        'tools/call': { content: [] },
      }[method];
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  `;
    const { run, output, messages } = openTerminal({ person: false });
    await run(...words, '--json', ...node(program));
    const { diagnostics } = JSON.parse(output()) as { diagnostics: object[] };
    expect(diagnostics).toMatchObject([{ code: 'slow-server', severity: 'warning' }]);
    expect(messages().match(/^warning\[slow-server\]: .* revision is 2025-06-18/gm)).toHaveLength(
      1,
    );
  },
);

it('names --answer and the fields of a question that no user is asked', () => {
  const form = { properties: { room: { type: 'string' }, seats: { type: 'number' } } } as const;
  const help = answerHelp({ type: 'object', ...form, required: ['seats'] });
  expect(help).toContain(`--answer '{"room":"…","seats":"…"}'`);
  expect(help).toMatch(/room {2}string$[^]*seats {2}number, required$/m);
});

it('writes no data that is not base64', async () => {
  const folder = join(temporary(), 'out');
  const data = 'data:image/png;base64,AAAA';
  const image = JSON.stringify({ content: [{ type: 'image', data, mimeType: 'image/png' }] });
  const { run, output, messages } = openTerminal({ person: false });
  expect(await run('call', 'work', '--save', folder, ...STDIO(`reply(${image})`))).toBe(3);
  expect(messages()).toContain('Cannot save image of work in');
  expect(messages()).toContain('its data is not base64');
  expect(output()).toContain('image/png, data that is not base64]');
  expect(existsSync(folder)).toBe(false);
});

describe('a result whose structured content alone is wrong', () => {
  const content = [
    { type: 'text', text: 'Booked.' },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
  ];
  const said = /^error: The answer is not a valid tool result: .*structuredContent/m;
  /** As a plain call, and as a task. */
  const servers = [false, true].map((isTask) => {
    const result = JSON.stringify({ content, structuredContent: [1] });
    const now = new Date().toISOString();
    const times = { createdAt: now, lastUpdatedAt: now, ttl: null };
    const task = JSON.stringify({ taskId: 'one', status: 'completed', ...times });
    return STDIO(isTask ? `reply({ task: ${task} })` : `reply(${result})`, { task, result });
  });

  it.each(servers)('is printed, then the error (%#)', async (...server) => {
    const { run, output, messages } = openTerminal({ person: false });
    expect(await run('call', 'work', ...server)).toBe(3);
    expect(output()).toMatch(/^Booked\.\n\[image: image\/png/);
    expect(messages()).toMatch(said);
  });

  it.each(servers)('is saved, and is in the document with the error (%#)', async (...server) => {
    const save = temporary();
    const { run, output } = openTerminal({ person: false });
    expect(await run('call', 'work', '--json', '--save', save, ...server)).toBe(3);
    const { exitCode, error } = JSON.parse(output()) as {
      exitCode: number;
      error: { saved: string[] };
    };
    expect([exitCode, error]).toMatchObject([
      3,
      {
        reason: 'invalid_answer',
        message: expect.stringContaining('structuredContent') as string,
        result: { content },
      },
    ]);
    expect(error.saved.map((path) => readFileSync(path).length)).toEqual([3]);
  });
});

it.each([
  ['an error', "send({ id, error: { code: -32602, message: 'No such tool' } })"],
  ['a result', "reply({ isError: true, content: [{ type: 'text', text: 'No such tool' }] })"],
])('offers the nearest tool where an unknown one gets %s', async (_, onCall) => {
  const { code, said } = await ran('call', 'wrok', ...STDIO(onCall));
  expect([code, said]).toEqual([2, expect.stringContaining('no tool "wrok". Did you mean work?')]);
});

describe.skipIf(process.platform === 'win32').each([
  ['this user', (folder: string) => folder],
  ['a user who may not enter the first folder of the PATH', closedBefore],
  ['a user who may not enter the last folder of the PATH', closedAfter],
])('a command that cannot be started, for %s', (_, pathOf) => {
  it.each([
    ['nothing', 'there is no such command (ENOENT)'],
    ['plain', 'the file may not be run (EACCES)'],
    ['script', 'the program that runs it is missing'],
  ])('is %s', async (command, said) => {
    const folder = opened();
    writeFileSync(join(folder, 'plain'), 'text');
    writeFileSync(join(folder, 'script'), '#!/no/such/program\n', { mode: 0o755 });
    const env = { PATH: pathOf(folder) };
    const { run, messages } = openTerminal({ person: false, env, home: folder });
    const start = (): Promise<number> => run('describe', '--', command);
    // Its modules are loaded as the user who may read them.
    await start();
    const before = messages().length;
    expect(await asOtherUser(start)).toBe(3);
    expect(messages().slice(before)).toContain(said);
  });
});

/** A folder that every user may enter. */
function opened(): string {
  const folder = temporary();
  chmodSync(folder, 0o755);
  return folder;
}

function closed(): string {
  const folder = temporary();
  chmodSync(folder, 0o000);
  return folder;
}

function closedBefore(folder: string): string {
  return [closed(), folder].join(delimiter);
}

function closedAfter(folder: string): string {
  return [folder, closed()].join(delimiter);
}

type Failing = readonly [
  situation: string,
  /** The options for the server. */
  server: () => Promise<readonly string[]> | readonly string[],
  said: RegExp,
];

const atUrl = (url: string): readonly string[] => ['--server', url];

describe('a server that cannot be connected to', () => {
  it.each<Failing>([
    [
      'no such command',
      () => ['--', 'there-is-no-such-command'],
      /^error: Cannot connect to there-is-no-such-command: there is no such command \(ENOENT\)\. Is it installed, and on the PATH\?$/m,
    ],
    [
      'a file that is no program',
      () => ['--', new URL('failures.integration.test.ts', import.meta.url).pathname],
      /^error: Cannot connect to \S+: .*may not be run \(EACCES\)/m,
    ],
    [
      'exits at once',
      () => node('process.exit(3)'),
      /: its process ended with exit code 3 before it answered\./,
    ],
    [
      'exits with a reason',
      () => node("console.error('PORT is not set'); process.exit(1)"),
      /PORT is not set[^]*: its process ended with exit code 1 before it answered\./,
    ],
    [
      'prints a greeting on standard output',
      () => node("console.log('Listening on 3000'); setTimeout(() => process.exit(), 500)"),
      /: its process ended with exit code 0 before it answered\. .*on standard output a server prints messages of MCP only/,
    ],
    [
      'says nothing',
      () => ['--timeout', '1', ...node('setInterval(() => {}, 1000)')],
      /: it did not answer within 1 s\. .*--timeout\.$/m,
    ],
    [
      'nothing listens',
      () => atUrl(`http://127.0.0.1:${SILENT_PORT}/mcp`),
      /: nothing listens there \(ECONNREFUSED\)\. Is the server running/,
    ],
    [
      'fetch refuses the port',
      () => atUrl('http://127.0.0.1:6000/mcp'),
      /Cannot connect to http:\/\/127\.0\.0\.1:6000\/mcp: fetch refuses port 6000, as browsers do\. Let the/,
    ],
    [
      'no such host',
      () => atUrl('http://no-such-host.invalid/mcp'),
      /host.*\((ENOTFOUND|EAI_AGAIN)\)/,
    ],
    [
      'http at an https address',
      async () => atUrl((await at(answer(200))).replace('http:', 'https:')),
      /: the server speaks http, not https \(.*\)\. Try http:\/\//,
    ],
    [
      'closes each connection',
      async () =>
        atUrl(`http://127.0.0.1:${await listening(createSocketServer((s) => s.destroy()))}/mcp`),
      /: the connection was cut \(/,
    ],
    [
      '401',
      async () => atUrl(await at(answer(401))),
      /HTTP 401\. Log in with "mcp-codegen login --server .*--token/,
    ],
    ['403', async () => atUrl(await at(answer(403))), /HTTP 403\. .*not allowed/],
    ['404', async () => atUrl(await at(answer(404))), /HTTP 404\. Is the path right\?/],
    ['404 at /', async () => atUrl(await at(answer(404), '/')), /HTTP 404\. .*\/mcp\./],
    ['405', async () => atUrl(await at(answer(405))), /HTTP 405\. Is the path right\?/],
    ['429', async () => atUrl(await at(answer(429))), /HTTP 429\. .*later/],
    ['500', async () => atUrl(await at(answer(500))), /HTTP 500\. .*log/],
    [
      'a page of a proxy',
      async () => atUrl(await at(answer(502, { 'content-type': 'text/html' }, '<html>\u001b[2J'))),
      /HTTP 502\. /,
    ],
    [
      'a web page',
      async () => atUrl(await at(answer(200, { 'content-type': 'text/html' }, '<html>Hi'))),
      /: what answers there does not speak MCP\. .+\. Is the path right\?/,
    ],
    [
      'JSON of another kind',
      async () => atUrl(await at(answer(200, { 'content-type': 'application/json' }, '{"ok":1}'))),
      /: what answers there does not speak MCP\. .+\. Is the path right\?/,
    ],
    [
      'a redirect elsewhere',
      async () => atUrl(await at(answer(307, { location: 'http://localhost:1/mcp' }))),
      /redirect/,
    ],
    [
      'never answers',
      async () => ['--timeout', '1', ...atUrl(await at(() => undefined))],
      /: it did not answer within 1 s\. .*--timeout\.$/m,
    ],
  ])('%s', async (_, server, said) => {
    const { code, said: text } = await ran('describe', ...(await server()));
    expect(text).toMatch(said);
    expectReadable(text);
    expect(code).toBe(3);
  });

  it.skipIf(!hasOpenssl())('a certificate signed by itself', async () => {
    const [cert, key] = selfSigned(temporary()).map((path) => readFileSync(path));
    const port = await listening(createTlsServer({ cert, key }, answer(200)));
    const { code, said } = await ran('describe', ...atUrl(`https://127.0.0.1:${port}/mcp`));
    expect(said).toMatch(/certificate.* \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*NODE_EXTRA_CA_CERTS/);
    expectReadable(said);
    expect(code).toBe(3);
  });
});

describe('a call that fails', () => {
  it.each<readonly [string, () => readonly string[], number, RegExp]>([
    ['the server dies', () => STDIO('process.exit(1)'), 3, /closed|ended/],
    [
      'the server answers no call',
      () => ['--timeout', '1', ...STDIO('')],
      7,
      /within 1 s|1,?000 ms|timed out/i,
    ],
    [
      'the tool fails',
      () => STDIO("reply({ isError: true, content: [{ type: 'text', text: 'disk full' }] })"),
      6,
      /^error: disk full$/m,
    ],
    [
      'the tool fails without a word',
      () => STDIO('reply({ isError: true, content: [] })'),
      6,
      /^error: The tool failed without a message\.$/m,
    ],
    [
      'invalid arguments',
      () => STDIO("send({ id, error: { code: -32602, message: 'limit must be a number' } })"),
      6,
      /^error: JSON-RPC error -32602: limit must be a number.*mcp-codegen describe work/s,
    ],
    ['an answer against the protocol', () => STDIO('reply({ content: 7 })'), 3, /./],
    [
      'an error with a page of text',
      () => STDIO("send({ id, error: { code: -32000, message: '\\u001b[2J' + 'x'.repeat(1e5) } })"),
      6,
      /xxx…/,
    ],
  ])('%s', async (_, server, exit, said) => {
    const { code, said: text } = await ran('call', 'work', ...server());
    expect(text).toMatch(said);
    expectReadable(text);
    expect(code).toBe(exit);
  });
});

it.each([
  ['resources', 'read', 'note://today'],
  ['prompts', 'get', 'review'],
])('%s %s waits as long as --timeout says', async (...words) => {
  const { code, said } = await ran(...words, '--timeout', '1', ...STDIO(''));
  expect(said).toMatch(/within 1000 ms/);
  expectReadable(said);
  expect(code).toBe(7);
});
