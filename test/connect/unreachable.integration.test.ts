import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listTools } from '../../cli/client/connect/index.js';
import type { ServerLocation } from '../../cli/client/connect/index.js';
import { DiagnosticError } from '../../generator/diagnostics/index.js';
import { stubbornCommand } from './stubborn.js';
import { SILENT_PORT } from '../support/silent-port.js';

/** What the user reads when a server cannot be listed. */
async function problemOf(location: ServerLocation, timeout = 20_000): Promise<string> {
  const error: unknown = await listTools(location, { timeout, version: '1.0.0' }).catch(
    (reason: unknown) => reason,
  );
  if (!(error instanceof DiagnosticError)) throw new Error(`no diagnostic: ${String(error)}`);
  const [{ code, message, help } = { code: '', message: '', help: '' }] = error.diagnostics;
  expect(code).toBe('unreachable-server');
  return `${message} ${help ?? ''}`;
}

const command = (name: string, ...args: string[]): ServerLocation => ({
  command: name,
  args,
  cwd: import.meta.dirname,
  env: { PATH: process.env['PATH'] ?? '' },
});
const at = (url: string, headers: Record<string, string> = {}): ServerLocation => ({
  url: new URL(url),
  headers,
});

/** Writes its second argument to a stream, named by its first, as fast as it is read. */
const FLOOD = `
  const [stream, text] = process.argv.slice(1);
  const chunk = text.replaceAll('\\\\n', '\\n').repeat(100);
  const write = () => {
    while (process[stream].write(chunk));
    process[stream].once('drain', write);
  };
  process[stream].on('error', () => process.exit());
  write();
`;

/** Ends at a request before `initialize`, as servers of some older SDKs do. */
const OLD_SERVER = `
  const results = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } },
    'tools/list': { tools: [{ name: 'old' }] },
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    if (!(method in results)) process.exit(1);
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
  });
`;

/** The URL of a server, until the test ends. */
async function serving(listener: RequestListener, path = '/mcp'): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${String(port)}${path}`;
}

describe('a command that is no server', () => {
  it.each<[ServerLocation, string]>([
    [command('no-such-command'), 'there is no such command (ENOENT). Is it installed'],
    [command('127.0.0.1:9/mcp'), 'Is it a URL? Then write http://127.0.0.1:9/mcp'],
    [command('localhost:3000'), 'Is it a URL? Then write http://localhost:3000'],
    [command(import.meta.filename), 'may not be run (EACCES). A script needs the program'],
    [
      command('node', '-e', ''),
      'its process ended with exit code 0 before it answered. Run the command',
    ],
    [command('node', '-e', 'throw new Error("no key")'), 'The server printed: "Error: no key"'],
  ])('case %#', async (location, text) => {
    expect(await problemOf(location)).toContain(text);
  });

  it('is given up after the time that the message names', async () => {
    const silent = command('node', '-e', 'setTimeout(() => {}, 60_000)');
    expect(await problemOf(silent, 500)).toMatch(
      /did not answer within 0\.5 s\. Run the command by itself.* longer --timeout\./,
    );
  });
});

describe('a command that writes without pause', () => {
  const TOO_LARGE = 'the server sent more than 16 MiB. Run the command by itself';
  const flood = (text: string, stream = 'stdout'): ServerLocation =>
    command('node', '-e', FLOOD, stream, text);

  const padding = 'x'.repeat(1_000);
  it.each([
    ['lines', `${padding}\\n`],
    ['one line', padding],
    ['messages', `{"jsonrpc":"2.0","method":"${padding}"}\\n`],
    ['requests', `{"jsonrpc":"2.0","id":1,"method":"${padding}"}\\n`],
  ])('%s on standard output', async (_, text) => {
    expect(await problemOf(flood(text), 60_000)).toContain(TOO_LARGE);
  });

  it('is given up after the time that the message names', async () => {
    expect(await problemOf(flood('{\\n'), 300)).toContain('did not answer within 0.3 s');
    expect(await problemOf(flood('y', 'stderr'), 300)).toContain('did not answer within 0.3 s');
  });
});

it('ends all processes of a command, also those that ignore the end of their input and SIGTERM', async () => {
  const stubborn = await stubbornCommand();
  const failed = problemOf(command(...stubborn.words), 1_000);
  await stubborn.started;
  expect(await failed).toContain('did not answer within 1 s');
  await stubborn.ended;
});

it('starts a command again that ends when it is asked for its revisions', async () => {
  const { tools } = await listTools(command('node', '-e', OLD_SERVER), {
    timeout: 20_000,
    version: '1.0.0',
  });
  expect(tools).toEqual([{ name: 'old' }]);
});

describe('an address without a server of MCP', () => {
  it('where nothing listens', async () => {
    expect(await problemOf(at(`http://127.0.0.1:${SILENT_PORT}/mcp`))).toContain(
      'nothing listens there (ECONNREFUSED). Is the server running, and is the port right?',
    );
  });

  it('at a port that fetch refuses', async () => {
    expect(await problemOf(at('http://127.0.0.1:6000/mcp'))).toContain(
      'fetch refuses port 6000, as browsers do. Let the server listen at another port.',
    );
  });

  it.each<[number, string, string]>([
    [401, '/mcp', 'the server answered with HTTP 401. Add a token: --header'],
    [
      404,
      '/',
      'the server answered with HTTP 404. Servers often listen at /mcp: try http://127.0.0.1:',
    ],
    [405, '/', '/mcp'],
    [404, '/api', 'Is the path right?'],
    [302, '/mcp', 'It redirects to another address.'],
    [403, '/mcp', 'Try another token.'],
    [500, '/mcp', "the server answered with HTTP 500. The server's log may say why."],
  ])('that answers %i at %s', async (status, path, text) => {
    const url = await serving((_, response) => response.writeHead(status).end(), path);
    expect(await problemOf(at(url))).toContain(text);
  });

  it('that refuses the token', async () => {
    const url = await serving((_, response) => response.writeHead(401).end());
    expect(await problemOf(at(url, { authorization: 'Bearer old' }))).toContain(
      'The server refused the token of --header',
    );
  });

  it.each([
    ['text/html', '<html></html>'],
    ['application/json', '{oops'],
    ['application/json', '{"hello":"world"}'],
  ])('that answers with %s %s', async (type, body) => {
    const url = await serving((_, response) => {
      response.setHeader('content-type', type).end(body);
    });
    expect(await problemOf(at(url))).toMatch(
      /what answers there does not speak MCP\. The server .+ Is the path right\?/,
    );
  });

  it('that cuts the connection', async () => {
    const url = await serving((request) => request.socket.destroy());
    expect(await problemOf(at(url))).toContain('the connection was cut');
  });
});
