import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTaskServer, serveHttp } from '../../runtime/server/index.js';
import type { TaskServerOptions } from '../../runtime/server/index.js';
import { APP, startHttp } from '../server/process.js';
import { tokenOf } from '../server/tokens.js';
import { CORE_ONLY, release, testTools } from '../server/tools.js';
import { until } from '../server/support.js';
import { compiled } from '../support/program.js';
import { hasPty, openPty } from '../support/pty.js';
import { freePort } from '../../runtime/testing/free-port.js';
import { homeEnv, kept, KEYS, openTerminal, tasksFolder, temporary } from './terminal.js';
import type { Terminal, TerminalOptions } from './terminal.js';

const MAIN = compiled(new URL('../../cli/bin.ts', import.meta.url));

/** A server in this process, so that its tools can be held and let go. */
async function openServer(options: Partial<TaskServerOptions> = {}): Promise<string> {
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: testTools,
    pollInterval: 100,
    ...options,
  });
  const http = await serveHttp(server, {
    allowUnidentified: true,
    allowUnidentifiedInput: true,
  });
  onTestFinished(async () => {
    await http.close();
    await server.close(0);
  });
  return http.url;
}

const openClient = (home = temporary(), options: TerminalOptions = {}): Terminal =>
  openTerminal({ home, ...options });

/** Presses Ctrl-C until the client asks what to do, and types the answer. */
async function stopAt(client: Terminal, ...keys: string[]): Promise<void> {
  await client.when('working');
  await until(
    () => Promise.resolve(client.interrupt()),
    () => client.messages().includes('The task is running.'),
  );
  await client.when('The task is running.', ...keys);
}

describe('a person at a terminal', () => {
  it('sees how far a call is, and gets its result', async () => {
    const tasks = { cancel: {}, requests: { tools: { call: {} } } };
    const url = await openServer({ capabilities: { ...CORE_ONLY, core: { tasks } } });
    const client = openClient();
    const code = client.run('call', 'held', 'label=seen', '--server', url);
    await client.when('[############------------]  50 %');
    release('seen');
    expect(await code).toBe(0);
    expect(client.output()).toBe('done seen\n');
  });

  it('sees what a task says, and gets its result', async () => {
    const url = await openServer();
    const client = openClient();
    const code = client.run('call', 'held', 'label=told', '--server', url);
    await client.when('working');
    // The tasks extension has no progress notifications: this is from the status message.
    await client.when('[############------------]  50 %');
    await until(
      () => Promise.resolve(kept(client.home)),
      (files) => files.length === 1,
    );
    release('told');
    expect(await code).toBe(0);
    expect(client.output()).toBe('done told\n');
    expect(kept(client.home)).toEqual([]);
  });

  it('answers what a server asks, over HTTP and over standard streams', async () => {
    const url = await openServer();
    for (const server of [
      ['--server', url],
      ['--', APP.command, ...APP.args, 'stdio'],
    ]) {
      const client = openClient();
      const code = client.run('call', 'asks-once', ...server);
      await client.when('What is your name?');
      await client.when('Answer?', KEYS.enter);
      await client.when('name', ...'Ann', KEYS.enter);
      expect(await code).toBe(0);
      expect(client.output()).toBe('accept Ann\n');
    }
  });

  it('leaves a task running, and takes it up again elsewhere', async () => {
    const url = await openServer();
    const first = openClient();
    const left = first.run('call', 'held', 'label=left', '--server', url);
    await stopAt(first, KEYS.enter);
    expect(await left).toBe(0);
    const [, id = ''] = /tasks resume ([0-9a-f]{12})/.exec(first.output()) ?? [];
    const second = openClient(first.home);
    expect(await second.run('tasks', 'list')).toBe(0);
    expect(second.output()).toMatch(new RegExp(`^${id}  held  .*  ${url}\n$`));
    const resumed = second.run('tasks', 'resume', id.slice(0, 6));
    release('left');
    expect(await resumed).toBe(0);
    expect(second.output()).toContain('done left\n');
    expect(kept(first.home)).toEqual([]);
  });

  it('is asked by a task that was left before it asked', async () => {
    const url = await openServer();
    const first = openClient(temporary(), { person: false });
    expect(await first.run('call', 'asks-once', '--detach', '--server', url)).toBe(0);
    const [file = ''] = kept(first.home);
    const second = openClient(first.home);
    const code = second.run('tasks', 'resume', file.slice(0, 12));
    await second.when('Answer?', KEYS.enter);
    await second.when('name', ...'Eve', KEYS.enter);
    expect(await code).toBe(0);
    expect(second.output()).toBe('accept Eve\n');
  });

  it('cancels a task', async () => {
    const url = await openServer();
    const client = openClient();
    const code = client.run('call', 'held', 'label=cancelled', '--server', url);
    await stopAt(client, KEYS.down, KEYS.enter);
    expect(await code).toBe(7);
    expect(kept(client.home)).toEqual([]);
  });

  it('goes on waiting', async () => {
    const url = await openServer();
    const client = openClient();
    const code = client.run('call', 'held', 'label=on', '--server', url);
    await stopAt(client, KEYS.down, KEYS.down, KEYS.enter);
    release('on');
    expect(await code).toBe(0);
  });
});

describe('a script', () => {
  const script = (home?: string): Terminal => openClient(home, { person: false });

  it('answers in advance, and is refused an answer that does not fit', async () => {
    const url = await openServer();
    const good = script();
    const args = ['call', 'asks-once', '--server', url];
    expect(await good.run(...args, '--answer', '{"name":"Bob"}')).toBe(0);
    expect(good.output()).toBe('accept Bob\n');
    const bad = script();
    expect(await bad.run(...args, '--answer', '{"name":7}')).toBe(6);
    expect(bad.messages()).toContain('"name"');
    expect(bad.messages()).toContain(
      'A question of the server was not answered: --answer does not fit the form: "name"',
    );
    // Its task is cancelled, so there is nothing to resume.
    expect(bad.messages()).not.toContain('tasks resume');
    expect(kept(bad.home)).toEqual([]);
    const none = script();
    expect(await none.run(...args)).toBe(0);
    expect(none.output()).toBe('cancel undefined\n');
    expect(none.messages()).toContain('there is no terminal to ask you:\nWhat is your name?');
  });

  it('detaches, looks, watches and cancels', async () => {
    const url = await openServer();
    const first = script();
    expect(
      await first.run('call', 'held', 'label=look', '--detach', '--json', '--server', url),
    ).toBe(0);
    const { task } = JSON.parse(first.output()) as { task: { id: string } };
    const looking = script(first.home);
    expect(await looking.run('tasks', 'get', task.id, '--json')).toBe(0);
    expect(JSON.parse(looking.output())).toMatchObject({ task, state: { status: 'working' } });
    const watching = script(first.home);
    const watched = watching.run('tasks', 'watch', task.id);
    await watching.when('working');
    const cancelling = script(first.home);
    expect(await cancelling.run('tasks', 'cancel', task.id)).toBe(0);
    expect(cancelling.output()).toContain('cancelled');
    expect(await watched).toBe(0);
    expect(watching.output()).toContain('cancelled');
    expect(kept(first.home)).toEqual([]);
  });

  it('is told by exit code and reason what became of a call', async () => {
    const url = await openServer();
    for (const [tool, code, reason] of [
      ['failing', 6, 'tool_error'],
      ['broken', 6, 'rpc_error'],
      ['no-such-tool', 2, 'usage'],
    ] as const) {
      const client = script();
      expect(await client.run('call', tool, '--json', '--server', url)).toBe(code);
      expect(JSON.parse(client.output())).toMatchObject({ error: { reason } });
      expect(kept(client.home)).toEqual([]);
    }
    const late = script();
    const args = ['call', 'held', 'label=late', '--timeout', '0.3', '--server', url];
    expect(await late.run(...args)).toBe(7);
  });

  it('resumes a task of a named server, whose values are kept nowhere', async () => {
    const server = await startHttp('--store', join(temporary(), 'tasks.db'));
    onTestFinished(() => server.stop());
    const home = temporary();
    const token = tokenOf('ann');
    const headers = { Authorization: 'Bearer ${env:KEY}' };
    const mcpServers = { ours: { url: server.url, headers } };
    mkdirSync(join(home, '.cursor'));
    writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers }));
    const env = { KEY: token };
    const first = openClient(home, { person: false, env });
    expect(await first.run('call', 'wait', 'ms:=200', '--detach', '--server', 'ours')).toBe(0);
    const [file = ''] = kept(home);
    const text = readFileSync(join(tasksFolder(home), file), 'utf8');
    expect(text).toContain('cursor:ours');
    expect(text).not.toContain(token);
    const second = openClient(home, { person: false, env });
    expect(await second.run('tasks', 'resume', file.slice(0, 12))).toBe(0);
    expect(second.output()).toBe('waited 200 ms\n');
    const third = openClient(home, { person: false, env });
    expect(await third.run('call', 'wait', 'ms:=200', '--detach', '--server', 'ours')).toBe(0);
    const [left = ''] = kept(home);
    writeFileSync(join(home, '.cursor', 'mcp.json'), '{}');
    const gone = openClient(home, { person: false, env });
    expect(await gone.run('tasks', 'get', left.slice(0, 12))).toBe(2);
    expect(gone.messages()).toContain('The server cursor:ours of this task is not in its file');
  });

  it('needs a token where the server does', async () => {
    const server = await startHttp();
    onTestFinished(() => server.stop());
    const args = ['call', 'add', 'a:=1', 'b:=2', '--server', server.url];
    expect(await script().run(...args)).toBe(3);
    const env = { MCP_TOKEN: tokenOf('ann') };
    const client = openClient(temporary(), { person: false, env });
    expect(await client.run(...args)).toBe(0);
    expect(client.output()).toBe('{"sum":3}\n');
  });
});

describe('kill -9', () => {
  const env = { MCP_TOKEN: tokenOf('ann') };

  it('of the client costs nothing: its task is taken up again', async () => {
    const server = await startHttp('--store', join(temporary(), 'tasks.db'));
    onTestFinished(() => server.stop());
    const home = temporary();
    const words = ['call', 'wait', 'ms:=2500', '--server', server.url];
    const child = spawn(APP.command, [MAIN, ...words], {
      env: { ...homeEnv(home), ...env },
      stdio: 'ignore',
    });
    const [file = ''] = await until(
      () => Promise.resolve(kept(home)),
      (files) => files.length > 0,
    );
    child.kill('SIGKILL');
    const client = openClient(home, { person: false, env });
    expect(await client.run('tasks', 'resume', file.slice(0, 12))).toBe(0);
    expect(client.output()).toBe('waited 2500 ms\n');
    expect(kept(home)).toEqual([]);
  });

  it('of the server is survived by the task, and by the client that waits for it', async () => {
    const store = join(temporary(), 'tasks.db');
    const port = String(await freePort());
    const first = await startHttp('--store', store, '--port', port);
    const client = openClient(temporary(), { person: false, env });
    const code = client.run('call', 'wait', 'ms:=1500', '--server', first.url);
    await until(
      () => Promise.resolve(kept(client.home)),
      (files) => files.length > 0,
    );
    first.child.kill('SIGKILL');
    const second = await startHttp('--store', store, '--port', port);
    onTestFinished(() => second.stop());
    expect(await code).toBe(0);
    expect(client.output()).toBe('waited 1500 ms\n');
  });
});

describe.skipIf(!hasPty)('a real terminal', () => {
  it.each([
    ['marked', '\u001b[200~Ann\nBob\n\u001b[201~'],
    ['in one chunk', 'Ann\rBob\r'],
  ])('keeps the lines of a paste, and sends none of them: %s', async (_, paste) => {
    const server = ['--', APP.command, ...APP.args, 'stdio'];
    const state = ['--state', tasksFolder(temporary())];
    const words = [APP.command, MAIN, 'call', 'asks-once', ...state, ...server];
    const { typed, code, shown } = openPty(words);
    await typed('Answer?', KEYS.enter);
    await typed('name', paste);
    await typed('Bob', KEYS.enter);
    expect(await code).toBe(0);
    expect(shown()).toContain('accept Ann\r\nBob');
    // The terminal no longer marks pastes.
    expect(shown().lastIndexOf('\u001b[?2004l')).toBeGreaterThan(
      shown().lastIndexOf('\u001b[?2004h'),
    );
  });

  it('is asked, and left as it was', async () => {
    const words = [APP.command, MAIN, 'call', 'asks-once'];
    const server = ['--', APP.command, ...APP.args, 'stdio'];
    const { typed, code, shown } = openPty([
      ...words,
      '--state',
      tasksFolder(temporary()),
      ...server,
    ]);
    await typed('Answer?', KEYS.enter);
    await typed('name', 'Ann');
    await typed('Ann', KEYS.enter);
    expect(await code).toBe(0);
    expect(shown()).toContain('accept Ann');
  });
});
