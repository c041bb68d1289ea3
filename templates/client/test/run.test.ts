import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../src/run.js';
import { openTerminal } from './terminal.js';

const SERVER = [
  '--',
  process.execPath,
  '--import',
  'tsx',
  fileURLToPath(new URL('server.ts', import.meta.url)),
];

async function ran(...args: string[]): Promise<{ code: number; output: string; messages: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'my-mcp-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { io, output, messages } = openTerminal({ person: false });
  const code = await run(['--state', folder, ...args], io);
  return { code, output: output(), messages: messages() };
}

it('lists what a server offers, without its escapes', async () => {
  const { code, output } = await ran('tools', ...SERVER);
  expect(code).toBe(0);
  expect(output).toBe(
    'greet  name [times]  Greets \\u{1b}[31mloudly\nfail                 Fails\n',
  );
});

it('calls a tool with texts and JSON', async () => {
  const { code, output } = await ran('call', 'greet', 'name=Ann', 'times:=2', ...SERVER);
  expect({ code, output }).toEqual({ code: 0, output: 'Hello, Ann! Hello, Ann!\n' });
  const whole = await ran('call', 'greet', '--args', '{"name":"Bob"}', '--json', ...SERVER);
  expect(JSON.parse(whole.output)).toMatchObject({
    schemaVersion: 1,
    command: 'call',
    result: { content: [{ type: 'text', text: 'Hello, Bob!' }] },
  });
});

it('converts texts by the schema of the tool', async () => {
  const { code, output } = await ran('call', 'greet', 'name=7', 'times=2', ...SERVER);
  expect({ code, output }).toEqual({ code: 0, output: 'Hello, 7! Hello, 7!\n' });
});

it('describes one tool', async () => {
  const { code, output } = await ran('tools', 'greet', ...SERVER);
  expect(code).toBe(0);
  expect(output).toMatch(/^greet\n\nGreets .*\n\nname +string +required\ntimes +integer\n$/);
});

async function listening(listener: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

it('suggests the usual path when there is none', async () => {
  const { port } = await listening((_, response) => void response.writeHead(404).end());
  const { code, messages } = await ran('tools', '--server', `http://127.0.0.1:${port}/`);
  expect(code).toBe(1);
  expect(messages).toContain('HTTP 404');
  expect(messages).toContain(`try http://127.0.0.1:${port}/mcp.`);
});

it('says where nothing listens', async () => {
  const { server, port } = await listening(() => undefined);
  server.close();
  await once(server, 'close');
  const { messages } = await ran('tools', '--server', `http://127.0.0.1:${port}/mcp`);
  expect(messages).toBe(
    `Cannot connect to http://127.0.0.1:${port}/mcp: nothing listens there (ECONNREFUSED). ` +
      'Is the server running, and is the port right?\n',
  );
});

it('sends further headers', async () => {
  const tenants = new Set<unknown>();
  const { port } = await listening(({ headers }, response) => {
    tenants.add(headers['x-tenant']);
    response.writeHead(500).end();
  });
  await ran('tools', '--server', `http://127.0.0.1:${port}/mcp`, '--header', 'X-Tenant: acme');
  expect([...tenants]).toEqual(['acme']);
});

it('ends with 3 when the tool fails', async () => {
  expect(await ran('call', 'fail', ...SERVER)).toMatchObject({
    code: 3,
    output: '',
    messages: 'as it \\u{1b}[2Jshould\n',
  });
  const { output } = await ran('call', 'fail', '--json', ...SERVER);
  expect(JSON.parse(output)).toMatchObject({ error: { reason: 'tool_error' } });
});

it('ends with 1 when there is no server', async () => {
  const { code, output, messages } = await ran('tools', '--', 'there-is-no-such-command');
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(messages).toContain('there-is-no-such-command');
});

it.each([true, false])(
  'tells what a server says that does not start (terminal: %s)',
  async (person) => {
    const { io, messages } = openTerminal({ person });
    const script = "console.error('no \\u001b[31mdatabase'); process.exit(1)";
    expect(await run(['tools', '--', process.execPath, '-e', script], io)).toBe(1);
    expect(messages()).toContain('Cannot connect to ');
    expect(messages()).toContain('no \\u{1b}[31mdatabase');
  },
);

it.each([
  [['dance'], 'There is no command "dance".'],
  [['call'], 'Which tool?'],
  [['call', 'greet'], 'Which server?'],
  [['call', 'greet', 'name'], 'An argument is name=value or name:=json'],
  [['call', 'greet', 'name:={'], 'is not JSON'],
  [['call', 'greet', '--args', '[]'], '--args takes a JSON object.'],
  [['tools', '--server', 'ftp://x'], 'is not an http or https URL'],
  [['tools', '--server', 'http://x', '--', 'y'], 'either at a URL or started by a command'],
  [['tools', '--tokn', 'x'], "Unknown option '--tokn'"],
  [['tools', '--header', 'x'], '--header takes name:value'],
  [['tools', '--header', 'Authorization: x'], 'belongs to the protocol. Use --token.'],
  [['tools', 'dance', ...SERVER], 'The server has no tool "dance".'],
  [['tasks', 'get'], 'Which task?'],
  [['tasks', 'get', 'abc'], 'No task "abc" is kept.'],
  [['tasks', 'list', 'all'], '"all" is one word too many.'],
  [['call', 'x', '--timeout', 'soon'], '--timeout takes a number of seconds.'],
])('refuses %j', async (args, message) => {
  const { code, messages } = await ran(...args);
  expect(code).toBe(2);
  expect(messages).toContain(message);
});
