import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { compiled } from '../support/program.js';
import { SILENT_PORT } from '../support/silent-port.js';
import { openTaskServer } from './task-server.js';
import { openTerminal, temporary } from './terminal.js';

const SERVER = ['--', process.execPath, compiled(new URL('server.ts', import.meta.url))];

async function ran(...args: string[]): Promise<{ code: number; output: string; messages: string }> {
  const folder = temporary();
  return await ranIn(folder, ...args);
}

/** With this folder as the user's own. */
async function ranIn(
  folder: string,
  ...args: string[]
): Promise<{ code: number; output: string; messages: string }> {
  const env = { TENANT: 'acme', TOKEN: 'open sesame' };
  const { run, output, messages } = openTerminal({ person: false, env, home: folder });
  const code = await run(...args);
  return { code, output: output(), messages: messages() };
}

it('lists what a server offers, without its escapes', async () => {
  const { code, output } = await ran('describe', ...SERVER);
  expect(code).toBe(0);
  expect(output).toBe(
    'test 1.0.0, revision 2026-07-28\n\n' +
      'greet  name [times]  Greets \\u{1b}[31mloudly\n' +
      'fail                 Fails\n' +
      'draw                 Draws\n\n' +
      'Prompts:\nreview  code [tone]  Reviews\n\n' +
      'Resources:\nnote://today  notes  Notes\n',
  );
  const { output: json } = await ran('describe', '--json', ...SERVER);
  expect(JSON.parse(json)).toMatchObject({
    server: { name: 'test', revision: '2026-07-28' },
    tools: [{ name: 'greet' }, { name: 'fail' }, { name: 'draw' }],
    prompts: [{ name: 'review' }],
    resources: [{ uri: 'note://today' }],
  });
});

it('calls a tool with texts and JSON', async () => {
  const { code, output } = await ran('call', 'greet', 'name=Ann', 'times:=2', ...SERVER);
  expect({ code, output }).toEqual({ code: 0, output: 'Hello, Ann! Hello, Ann!\n' });
  const whole = await ran('call', 'greet', '--args', '{"name":"Bob"}', '--json', ...SERVER);
  expect(JSON.parse(whole.output)).toMatchObject({
    schemaVersion: 1,
    command: 'call',
    exitCode: 0,
    result: { content: [{ type: 'text', text: 'Hello, Bob!' }] },
  });
});

/** A server of 2024-11-05, whose only HTTP transport refuses a POST to its address. */
async function startOld(): Promise<string> {
  let say: ((message: object) => void) | undefined;
  const answers: Record<string, object> = {
    initialize: {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'old', version: '1' },
    },
    'tools/list': { tools: [{ name: 'old-tool', inputSchema: { type: 'object' } }] },
  };
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages\n\n');
      say = (message) => response.write(`data: ${JSON.stringify(message)}\n\n`);
      return;
    }
    if (request.url !== '/messages') {
      response.writeHead(405).end();
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.writeHead(202).end();
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      if (id !== undefined) say?.({ jsonrpc: '2.0', id, result: answers[method] });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
}

it('calls a server of 2024-11-05 over HTTP', async () => {
  const { code, output } = await ran('describe', '--server', await startOld());
  expect({ code, output }).toEqual({
    code: 0,
    output: 'old 1, revision 2024-11-05\n\nold-tool\n',
  });
});

it('describes a server that has prompts and no tools', async () => {
  const server = compiled(new URL('prompts-server.ts', import.meta.url));
  const { code, output, messages } = await ran('describe', '--', process.execPath, server);
  expect({ code, messages }).toEqual({ code: 0, messages: '' });
  expect(output).toMatch(/^prompts 1\.0\.0, revision .*\n[^]*review/);
});

it('describes a server that declares lists which it does not have', async () => {
  const { url, answers } = await openTaskServer();
  const capabilities = { tools: {}, prompts: {}, resources: {} };
  const serverInfo = { name: 'old', version: '1' };
  answers['initialize'] = {
    result: { protocolVersion: '2025-11-25', capabilities, serverInfo },
  };
  answers['resources/list'] = { result: { resources: [{ uri: 'note://today', name: 'notes' }] } };
  const described = await ran('describe', '--server', url);
  expect(described.code).toBe(0);
  expect(described.output).toContain('work\n\nResources:\nnote://today  notes\n');
  const resources = await ran('resources', '--server', url);
  expect(resources).toMatchObject({ code: 0, output: 'note://today  notes\n' });
  const prompts = await ran('prompts', '--server', url);
  expect(prompts).toMatchObject({ code: 0, output: 'The server offers no prompts.\n' });
});

it('converts texts by the schema of the tool', async () => {
  const { code, output } = await ran('call', 'greet', 'name=7', 'times=2', ...SERVER);
  expect({ code, output }).toEqual({ code: 0, output: 'Hello, 7! Hello, 7!\n' });
});

it('names the command that helps for an unknown tool', async () => {
  const tool = await ran('call', 'greets', ...SERVER);
  expect(tool.messages).toMatch(/greets.*\n {2}help: Did you mean greet\?\n$/);
  expect(tool.code).toBe(2);
});

it('describes one tool', async () => {
  const { code, output } = await ran('describe', 'greet', ...SERVER);
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
  const { code, messages } = await ran('describe', '--server', `http://127.0.0.1:${port}/`);
  expect(code).toBe(3);
  expect(messages).toContain('HTTP 404');
  expect(messages).toContain(`try http://127.0.0.1:${port}/mcp.`);
});

it('says where nothing listens', async () => {
  const url = `http://127.0.0.1:${SILENT_PORT}/mcp`;
  const { messages } = await ran('describe', '--server', url);
  expect(messages).toBe(
    `error: Cannot connect to ${url}: nothing listens there (ECONNREFUSED).\n` +
      '  help: Is the server running, and is the port right?\n',
  );
});

it('sends further headers', async () => {
  const tenants = new Set<unknown>();
  const { port } = await listening(({ headers }, response) => {
    tenants.add(headers['x-tenant']);
    response.writeHead(500).end();
  });
  await ran('describe', '--server', `http://127.0.0.1:${port}/mcp`, '--header', 'X-Tenant: acme');
  expect([...tenants]).toEqual(['acme']);
});

it('saves images and files when asked, and replaces no file', async () => {
  const shown = await ran('call', 'draw', ...SERVER);
  expect(shown.output).toBe(
    'Here it is.\n[image: image/png, 9 bytes, to save it: --save <folder>]\n' +
      '[file: file:///../../etc/passwd, 9 bytes, to save it: --save <folder>]\n',
  );
  const folder = temporary();
  const save = join(folder, 'saved');
  await ran('call', 'draw', '--save', save, ...SERVER);
  const { output } = await ran('call', 'draw', '--save', save, '--json', ...SERVER);
  const names = ['draw-2.png', 'draw.png', 'passwd-2.bin', 'passwd.bin'];
  expect(readdirSync(save).sort()).toEqual(names);
  expect(readFileSync(join(save, 'draw.png'), 'utf8')).toBe('a picture');
  expect(JSON.parse(output)).toMatchObject({
    saved: [join(save, 'draw-2.png'), join(save, 'passwd-2.bin')],
  });
  const file = join(save, 'draw.png');
  const lost = await ran('call', 'draw', '--save', file, ...SERVER);
  expect(lost.output).toMatch(/^Here it is.\n/);
  expect(lost.messages).toContain(
    `Cannot save draw in ${file}: The folder ${file} cannot be created (EEXIST).`,
  );
  expect(lost.code).toBe(2);
});

it('lists and reads resources', async () => {
  const listed = await ran('resources', ...SERVER);
  expect(listed.output).toBe('note://today  notes  Notes\n');
  const { output } = await ran('resources', 'read', 'note://today', ...SERVER);
  expect(output).toBe('Buy \\u{1b}[2Jmilk\n');
  const missing = await ran('resources', 'read', 'note://never', ...SERVER);
  expect(missing).toMatchObject({ code: 6, output: '' });
  expect(missing.messages).toContain('note://never');
});

it('lists prompts and gets one', async () => {
  const listed = await ran('prompts', ...SERVER);
  expect(listed.output).toBe('review  code [tone]  Reviews\n');
  const { output } = await ran('prompts', 'get', 'review', 'code=x=1', ...SERVER);
  expect(output).toBe('user: Review x=1\n');
  const json = await ran('prompts', 'get', 'review', 'code=y', '--json', ...SERVER);
  expect(JSON.parse(json.output)).toMatchObject({ messages: [{ role: 'user' }] });
});

it('keeps servers, with the names of variables instead of secrets', async () => {
  const folder = temporary();
  const file = join(folder, 'mcp-codegen', 'servers.json');
  const seen: unknown[] = [];
  const { port } = await listening(({ headers }, response) => {
    seen.push([headers['x-tenant'], headers.authorization]);
    response.writeHead(500).end();
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  const secrets = ['--header-env', 'X-Tenant=TENANT', '--token-env', 'TOKEN'];
  const added = await ranIn(folder, 'servers', 'add', 'prod', '--server', url, ...secrets);
  expect(added).toMatchObject({ code: 0, messages: '' });
  expect(await ranIn(folder, 'servers', 'add', 'local', ...SERVER)).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).not.toMatch(/acme|sesame/);
  const listed = await ranIn(folder, 'servers');
  expect(listed.output).toContain(`prod   saved  ${url}`);
  expect(listed.output).toContain('x-tenant=$TENANT token=$TOKEN');
  await ranIn(folder, 'describe', '--server', 'prod');
  expect(new Set(seen.map(String))).toEqual(new Set(['acme,Bearer open sesame']));
  const called = await ranIn(folder, 'call', 'greet', 'name=Ann', '--server', 'local');
  expect(called.output).toBe('Hello, Ann!\n');
  expect(await ranIn(folder, 'servers', 'add', 'prod', '--server', url)).toMatchObject({ code: 2 });
  expect(await ranIn(folder, 'servers', 'remove', 'prod')).toMatchObject({ code: 0 });
  const gone = await ranIn(folder, 'describe', '--server', 'prod');
  expect(gone).toMatchObject({ code: 2 });
  expect(gone.messages).toContain('There is no server "prod".\n  help: Known: local.');
});

it.each([
  ['{', 0o600, 'is not JSON'],
  ['[]', 0o600, 'is not valid'],
  ['{"servers":{"prod":{"location":{"url":"file:///x"},"headers":{}}}}', 0o600, 'a server "prod"'],
  ['{"servers":{"../x":{}}}', 0o600, 'a server "../x"'],
  ['{"servers":{}}', 0o644, 'Run: chmod 600 '],
])('says what is wrong with its file of servers: %s (%o)', async (text, mode, message) => {
  const folder = temporary();
  mkdirSync(join(folder, 'mcp-codegen'));
  const file = join(folder, 'mcp-codegen', 'servers.json');
  writeFileSync(file, text, { mode });
  chmodSync(file, mode);
  const { code, messages } = await ranIn(folder, 'servers');
  expect(messages).toContain(file);
  expect(messages).toContain(message);
  expect(code).toBe(2);
});

it('ends with 6 when the tool fails', async () => {
  expect(await ran('call', 'fail', ...SERVER)).toMatchObject({
    code: 6,
    output: '',
    messages: 'error: as it \\u{1b}[2Jshould\n',
  });
  const { output } = await ran('call', 'fail', '--json', ...SERVER);
  expect(JSON.parse(output)).toMatchObject({ error: { reason: 'tool_error' } });
});

it('ends with 3 when there is no server', async () => {
  const { code, output, messages } = await ran('describe', '--', 'there-is-no-such-command');
  expect({ code, output }).toEqual({ code: 3, output: '' });
  expect(messages).toContain('there-is-no-such-command');
});

it.each([true, false])(
  'shows what a server prints that does not start (terminal: %s)',
  async (person) => {
    const { run, messages } = openTerminal({ person });
    const script = "console.error('no \\u001b[31mdatabase'); process.exit(1)";
    expect(await run('describe', '--', process.execPath, '-e', script)).toBe(3);
    expect(messages()).toContain('Cannot connect to ');
    expect(messages()).toContain('no \\u{1b}[31mdatabase');
  },
);

it.each([
  [['call'], 'An argument is missing.'],
  [['call', 'greet'], 'No server is given.'],
  [['call', 'greet', 'name', ...SERVER], 'An argument of a tool is name=value, or name:=json.'],
  [['call', 'greet', 'name:={', ...SERVER], 'is not JSON'],
  [['call', 'greet', '--args', '[]', ...SERVER], '--args takes a JSON object.'],
  [['describe', '--server', 'ftp://x'], 'Give an http or https URL.'],
  [['describe', '--server', 'http://x', '--', 'y'], 'Two servers are given.'],
  [['describe', '--tokn', 'x'], 'Unknown option "--tokn". '],
  [['describe', '--header', 'x'], '--header is not "Name: value".'],
  [['describe', '--header', 'a: b', ...SERVER], '--header needs a server URL.'],
  [['describe', '--token', 'x', ...SERVER], '--token needs a server URL.'],
  [['servers', 'add', 'x', '--token-env', 'X', ...SERVER], '--token-env needs a server URL.'],
  [['call', 'greet', '--root', '/none/such', ...SERVER], '--root names no folder: "/none/such".'],
  [['login'], 'No server is given. Give --server <url or name>.\n'],
  [['describe', '--header', 'Authorization: x'], 'belongs to the protocol. Use --token.'],
  [['describe', 'gret', ...SERVER], 'The server has no tool "gret". Did you mean greet?'],
  [['resources', 'write'], 'Unknown command "write".'],
  [['resources', 'read'], 'An argument is missing.'],
  [['prompts', 'get'], 'An argument is missing.'],
  [['prompts', 'get', 'x', 'a:=1', ...SERVER], 'The arguments of prompts are texts.'],
  [['servers', 'add'], 'An argument is missing.'],
  [['servers', 'add', '../x', '--server', 'http://x'], 'is no name of a server'],
  [['servers', 'add', 'x', '--server', 'http://x', '--token', 'y'], 'Unknown option "--token".'],
  [['servers', 'add', 'x', '--server', 'http://x', '--header', 'y: z'], '"--header".'],
  [['servers', 'remove', 'x'], 'There is no saved server "x". Saved: none.'],
  [['describe', '--server', 'prod'], 'There is no server "prod". Known: none.'],
  [['describe', '--server', 'http://x', '--header-env', 'x=UNSET'], 'variable UNSET is not set'],
  [['describe', '--server', 'http://x', '--token', 'x\n'], '--token contains characters that no'],
  [['describe', '--header-env', 'x'], '--header-env is not name=VARIABLE.'],
  [['login', '--server', 'http://x', '--device', '--client-credentials'], 'cannot be combined'],
  [['login', '--server', 'http://x', '--client-credentials'], '--issuer <url>'],
  [['tasks', 'get'], 'An argument is missing.'],
  [['tasks', 'get', 'abc'], 'No task "abc" is kept.'],
  [['tasks', 'list', 'all'], 'Unexpected argument "all".'],
  [['tasks', 'lst'], 'Unknown command "lst". Did you mean list?'],
  [['call', 'x', '--timeout', 'soon'], '--timeout takes a number of seconds.'],
])('refuses %j', async (args, message) => {
  const { code, messages } = await ran(...args);
  expect(messages.replace(/\n {2}help: /, ' ')).toContain(message);
  expect(code).toBe(2);
});

it('logs in at servers at URLs only', async () => {
  const folder = temporary();
  await ranIn(folder, 'servers', 'add', 'local', ...SERVER);
  const { code, messages } = await ranIn(folder, 'login', '--server', 'local');
  expect(messages).toContain('Only servers at URLs have logins.');
  expect(code).toBe(2);
});

it.each(['tasks', 'servers'])('lists %s when no command is named', async (group) => {
  const alone = await ran(group, '--json');
  expect(alone).toEqual(await ran(group, 'list', '--json'));
  expect(JSON.parse(alone.output)).toMatchObject({ command: `${group} list`, [group]: [] });
});
