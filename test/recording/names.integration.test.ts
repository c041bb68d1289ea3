import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { temporary } from '../client-commands/terminal.js';
import { run, start } from '../cli/process.js';

const SAYS = `process.stdin.on('end', () => process.exit()).resume();
  console.log(JSON.stringify({ folder: process.cwd(), variable: process.env.GREETING, token: process.env.MCP_TOKEN }));`;

/** A home with a project, whose folder has a server and an `mcp.json`. */
function openProject(servers: Readonly<Record<string, object>> = {}) {
  const home = temporary();
  const folder = join(home, 'project');
  mkdirSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, 'server.cjs'), SAYS);
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
  const env = { HOME: home, MCP_TOKEN: 'for-urls' };
  return { home, folder, env };
}

it.each([
  ['record', ['--out', 'session.jsonl']],
  ['guard', []],
])('%s starts a saved server in its folder', async (command, options) => {
  const { home, folder, env } = openProject();
  const saved = ['servers', 'add', 'local', '--', process.execPath, 'server.cjs'];
  expect(await run(saved, { cwd: folder, env })).toMatchObject({ code: 0 });
  const child = start([command, ...options, 'local'], { cwd: home, env });
  child.stdin.end();
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  // The token is for servers at URLs.
  expect(JSON.parse(line)).toEqual({ folder });
  await once(child, 'close');
  rmSync(folder, { recursive: true });
  const gone = await run([command, ...options, 'local'], { cwd: home, env });
  expect(gone).toMatchObject({ code: 2, stdout: '' });
  expect(gone.stderr).toContain('in which the server starts, does not exist');
});

it('starts a server of a project with the environment of its file', async () => {
  const local = { command: process.execPath, args: ['server.cjs'], env: { GREETING: 'hello' } };
  const { folder, env } = openProject({ local });
  const child = start(['record', '--out', 'session.jsonl', 'local'], { cwd: folder, env });
  child.stdin.end();
  await once(child, 'close');
  const recorded = readFileSync(join(folder, 'session.jsonl'), 'utf8');
  expect(JSON.parse(recorded)).toMatchObject({ message: { folder, variable: 'hello' } });
});

it('sends a server at a URL the headers of its file and those of the command line', async () => {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push(
      request.headers['x-tenant'],
      request.headers['x-more'],
      request.headers.authorization,
    );
    response.end('{}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  const { folder, env } = openProject({
    remote: { type: 'http', url, headers: { 'x-tenant': 'a' } },
  });
  const words = ['record', '--out', 'session.jsonl', '--header', 'x-more: b', 'remote'];
  const child = start(words, { cwd: folder, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let address = '';
  for await (const line of createInterface(child.stderr)) {
    address = /connect to (\S+)/.exec(line)?.[1] ?? '';
    if (address !== '') break;
  }
  await fetch(address, { method: 'POST', body: '{}' });
  expect(seen).toEqual(['a', 'b', undefined]);
});

it('refuses a name that it cannot use, before it makes a file', async () => {
  const asks = { type: 'http', url: 'https://x.invalid/mcp', headers: { key: '${input:key}' } };
  const { folder, env } = openProject();
  mkdirSync(join(folder, '.vscode'));
  const inputs = [{ id: 'key', type: 'promptString', description: 'The key' }];
  writeFileSync(join(folder, '.vscode', 'mcp.json'), JSON.stringify({ inputs, servers: { asks } }));
  for (const [name, said] of [
    ['ask', 'Did you mean asks?'],
    ['asks', 'needs a value that its user types: The key'],
  ] as const) {
    const ended = await run(['record', '--out', 's.jsonl', name], { cwd: folder, env });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(said);
    expect(() => readFileSync(join(folder, 's.jsonl'))).toThrow('ENOENT');
  }
  const two = await run(['guard', 'asks', '--', 'node'], { cwd: folder, env });
  expect(two).toMatchObject({ code: 2 });
  expect(two.stderr).toContain('Two servers are given');
});
