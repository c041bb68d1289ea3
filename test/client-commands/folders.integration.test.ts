import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { taskState } from './task-server.js';
import { kept, openTerminal, temporary } from './terminal.js';

/** A server whose tool is a task that has ended at the next question. Its result is the server's folder. */
const SERVER = `
  const state = (status) => ({ ...${JSON.stringify(taskState('working'))}, status });
  const results = {
    initialize: { protocolVersion: '2025-11-25', serverInfo: { name: 'x', version: '1' },
      capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } } },
    'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' },
      execution: { taskSupport: 'required' } }] },
    'tools/call': { task: state('working') },
    'tasks/get': state('completed'),
    'tasks/result': { content: [{ type: 'text', text: process.cwd() }] },
  };
  require('node:readline').createInterface(process.stdin).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const answer = method in results ? { result: results[method] } : { error: { code: -32601, message: 'no' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });`;

/** A folder with the server in it, another folder, and a client in either. */
function openFolders() {
  const home = temporary();
  const [inner, other] = [join(home, 'inner'), join(home, 'other')];
  for (const folder of [inner, other]) mkdirSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(inner, 'server.cjs'), SERVER);
  const ran = async (cwd: string, ...words: readonly string[]) => {
    const { run, output, messages } = openTerminal({ person: false, home, cwd });
    const code = await run(...words);
    return { code, output: output(), messages: messages() };
  };
  return { home, inner, other, ran };
}

const COMMAND = [process.execPath, 'server.cjs'] as const;

it('starts a saved server in the folder in which it was saved', async () => {
  const { inner, other, ran } = openFolders();
  expect((await ran(inner, 'servers', 'add', 'local', '--', ...COMMAND)).code).toBe(0);
  const called = await ran(other, 'call', 'work', '--server', 'local');
  expect(called).toMatchObject({ code: 0, output: `${inner}\n` });
  rmSync(inner, { recursive: true });
  const gone = await ran(other, 'describe', '--server', 'local');
  expect(gone.messages).toContain(
    `The folder ${inner}, in which the server starts, does not exist.`,
  );
  expect(gone.code).toBe(2);
});

it.each([
  ['a command', ['--', ...COMMAND]],
  ['a saved server', ['--server', 'local']],
  ['a server of a project', ['--server', 'ours']],
])('takes up a task of %s from another folder', async (_, server) => {
  const { home, inner, other, ran } = openFolders();
  await ran(inner, 'servers', 'add', 'local', '--', ...COMMAND);
  const entry = (command: string): string =>
    JSON.stringify({ mcpServers: { ours: { command, args: ['server.cjs'] } } });
  writeFileSync(join(inner, '.mcp.json'), entry(process.execPath));
  // The project of the other folder has a server of the same name.
  writeFileSync(join(other, '.mcp.json'), entry(process.execPath));
  expect((await ran(inner, 'call', 'work', '--detach', ...server)).code).toBe(0);
  const id = kept(home)[0]?.slice(0, 12) ?? '';
  const resumed = await ran(other, 'tasks', 'resume', id);
  expect(resumed).toMatchObject({ code: 0, output: `${inner}\n` });
});
