import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTaskServer, serveHttp } from '../../runtime/server/index.js';
import type { TaskServerOptions } from '../../runtime/server/index.js';
import { APP, startHttp } from '../server/process.js';
import { CORE_ONLY, testTools } from '../server/tools.js';
import { tokenOf } from '../server/tokens.js';
import { until } from '../server/support.js';
import { compiled } from '../support/program.js';
import { homeEnv, kept, openTerminal, temporary } from './terminal.js';

const MAIN = compiled(new URL('../../cli/bin.ts', import.meta.url));

async function openServer(options: Partial<TaskServerOptions> = {}): Promise<string> {
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: testTools,
    pollInterval: 100,
    ...options,
  });
  const http = await serveHttp(server, { allowUnidentified: true, allowUnidentifiedInput: true });
  onTestFinished(async () => {
    await http.close();
    await server.close(0);
  });
  return http.url;
}

/** The findings of `validate` in a recording, and how many messages it has. */
async function validated(file: string): Promise<{ messages: number; findings: unknown[] }> {
  const { run, output } = openTerminal({ person: false });
  await run('validate', file, '--json');
  const { diagnostics, files } = JSON.parse(output()) as {
    diagnostics: unknown[];
    files: { messages: number }[];
  };
  return { messages: files[0]?.messages ?? 0, findings: diagnostics };
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');

describe('a recording', () => {
  const core = { ...CORE_ONLY, core: { tasks: { cancel: {}, requests: { tools: { call: {} } } } } };

  it.each<[string, Partial<TaskServerOptions>]>([
    ['a task of the extension', {}],
    ['a task of the core protocol', { capabilities: core, revisions: ['2025-11-25'] }],
  ])('of %s has both directions, and nothing that validate finds', async (_, options) => {
    const url = await openServer(options);
    const file = join(temporary(), 'call.jsonl');
    const { run, output, messages } = openTerminal({ person: false });
    const answer = ['--answer', '{"name":"Ann"}'];
    const code = await run('call', 'asks-once', ...answer, '--record', file, '--server', url);
    expect(code, messages()).toBe(0);
    expect(output()).toBe('accept Ann\n');
    const { messages: count, findings } = await validated(file);
    expect(findings).toEqual([]);
    expect(count).toBe(linesOf(file).length);
    const records = linesOf(file).map((line) => JSON.parse(line) as { direction: string });
    expect(new Set(records.map(({ direction }) => direction))).toEqual(
      new Set(['client->server', 'server->client']),
    );
    for (const record of records) {
      expect(record).toMatchObject({ time: expect.stringMatching(/^\d{4}-.*Z$/) as string });
    }
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('of a started server has no finding, and feeds a report', async () => {
    const folder = temporary();
    const file = join(folder, 'call.jsonl');
    const words = ['call', 'add', 'a=1', 'b=2', '--record', file];
    const { run } = openTerminal({ person: false });
    expect(await run(...words, '--', APP.command, ...APP.args, 'stdio')).toBe(0);
    expect((await validated(file)).findings).toEqual([]);
    const page = join(folder, 'call.html');
    const reporting = openTerminal({ person: false, cwd: folder });
    expect(await reporting.run('validate', file, '--report', page)).toBe(0);
    expect(readFileSync(page, 'utf8')).toContain('tools/call');
  });

  it('contains no token of the connection', async () => {
    const server = await startHttp();
    onTestFinished(() => server.stop());
    const file = join(temporary(), 'call.jsonl');
    const env = { MCP_TOKEN: tokenOf('ann') };
    const { run } = openTerminal({ person: false, env });
    const words = ['call', 'add', 'a=1', 'b=2', '--record', file, '--server', server.url];
    expect(await run(...words)).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain(env.MCP_TOKEN);
  });

  it('of nothing leaves no file', async () => {
    const file = join(temporary(), 'call.jsonl');
    const { run } = openTerminal({ person: false });
    expect(await run('describe', '--record', file, '--', 'there-is-no-such-command')).toBe(3);
    expect(existsSync(file)).toBe(false);
  });

  it('replaces no file', async () => {
    const file = join(temporary(), 'call.jsonl');
    writeFileSync(file, 'mine\n');
    const { run, messages } = openTerminal({ person: false });
    const words = ['describe', '--record', file, '--server', await openServer()];
    expect(await run(...words)).toBe(2);
    expect(messages()).toContain('exists already');
    expect(readFileSync(file, 'utf8')).toBe('mine\n');
  });

  it('has every message until kill -9, and the task is taken up in another one', async () => {
    const server = await startHttp('--store', join(temporary(), 'tasks.db'));
    onTestFinished(() => server.stop());
    const home = temporary();
    const env = { ...homeEnv(home), MCP_TOKEN: tokenOf('ann') };
    const file = join(home, 'first.jsonl');
    const words = ['call', 'wait', 'ms:=2500', '--record', file, '--server', server.url];
    const child = spawn(APP.command, [MAIN, ...words], { env, stdio: 'ignore' });
    const [task = ''] = await until(
      () => Promise.resolve(kept(home)),
      (files) => files.length > 0,
    );
    child.kill('SIGKILL');
    const { findings, messages } = await validated(file);
    expect(findings).toEqual([]);
    expect(messages).toBeGreaterThan(3);
    const again = openTerminal({ person: false, home, env: { MCP_TOKEN: env.MCP_TOKEN } });
    const second = join(home, 'second.jsonl');
    expect(await again.run('tasks', 'resume', task.slice(0, 12), '--record', second)).toBe(0);
    expect(again.output()).toBe('waited 2500 ms\n');
    expect((await validated(second)).findings).toEqual([]);
  });
});
