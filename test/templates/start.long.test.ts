import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { run } from '../cli/process.js';
import { freePort } from '../../runtime/testing/free-port.js';

const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-start-'));
  symlinkSync(nodeModules, join(folder, 'node_modules'), 'junction');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes a project and follows the steps that are printed, but for installing and testing. */
async function built(
  name: string,
  flags: readonly string[] = [],
  kind = 'server',
): Promise<{ root: string; start: string }> {
  const args = ['new', kind, name, '--yes', '--json', ...flags];
  const made = await run(args, { cwd: folder });
  expect(made.code, made.stderr).toBe(0);
  const { nextSteps } = JSON.parse(made.stdout) as { nextSteps: string[] };
  const [cd, install, test, build = '', ...rest] = nextSteps;
  expect([cd, install, test]).toEqual([`cd ${name}`, 'npm install', 'npm run test']);
  const root = join(folder, name);
  for (const step of [build, ...rest.slice(0, -1)]) {
    const child = spawn(step, { cwd: root, shell: true, stdio: 'ignore' });
    expect(await once(child, 'close'), step).toEqual([0, null]);
  }
  return { root, start: rest.at(-1) ?? '' };
}

/** Starts a server as it was printed; resolves with what it says first. */
async function started(
  root: string,
  start: string,
  env: Record<string, string>,
): Promise<{ child: ChildProcess; says: string }> {
  // In place of the shell, so that signals reach the server.
  const child = spawn(`exec env ${start}`, {
    cwd: root,
    shell: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const says of createInterface(child.stderr)) {
    const { msg } = JSON.parse(says) as { readonly msg: string };
    if (msg.startsWith('Serving at')) {
      child.stderr.resume();
      return { child, says: msg };
    }
  }
  throw new Error('The server ended at its start');
}

const Task = z.looseObject({ task: z.looseObject({ taskId: z.string() }) });
const Result = z.looseObject({ structuredContent: z.unknown() });

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Runs the long tool as a task. */
async function countPrimes(client: Client, limit: number): Promise<unknown> {
  const params = { name: 'count-primes', arguments: { limit }, task: {} };
  const { task } = await client.request({ method: 'tools/call', params }, Task);
  const { taskId } = task;
  const result = await client.request({ method: 'tasks/result', params: { taskId } }, Result);
  return result.structuredContent;
}

describe('what new server prints', () => {
  it('builds and starts a server over stdio', async () => {
    const { root, start } = await built('local', ['--revisions', '2025-11-25']);
    const [command = '', ...args] = start.split(' ');
    const transport = new StdioClientTransport({ command, args, cwd: root, stderr: 'ignore' });
    const client = await connect(transport);
    expect(await countPrimes(client, 100_000)).toEqual({ primes: 9592 });
    expect(client.getServerVersion()).toMatchObject({ name: 'local', version: '0.1.0' });
  });

  it('builds and starts a server over HTTP, which stops when it is told to, and goes on', async () => {
    const { root, start } = await built('open', ['--transport', 'http']);
    const env = { PORT: String(await freePort()) };
    const first = await started(root, start, env);
    expect(first.says).toBe(`Serving at http://127.0.0.1:${env.PORT}/mcp`);
    const url = new URL(first.says.replace('Serving at ', ''));
    const client = await connect(new StreamableHTTPClientTransport(url));
    expect(await countPrimes(client, 100_000)).toEqual({ primes: 9592 });

    // Long enough to be under way when the server is told to stop; it may finish.
    const params = { name: 'count-primes', arguments: { limit: 1_000_000 }, task: {} };
    const { task } = await client.request({ method: 'tools/call', params }, Task);
    first.child.kill('SIGTERM');
    expect(await once(first.child, 'exit')).toEqual([0, null]);

    const second = await started(root, start, env);
    const again = await connect(new StreamableHTTPClientTransport(url));
    const { taskId } = task;
    const { structuredContent } = await again.request(
      { method: 'tasks/result', params: { taskId } },
      Result,
    );
    expect(structuredContent).toEqual({ primes: 78_498 });
    second.child.kill('SIGINT');
    expect(await once(second.child, 'exit')).toEqual([0, null]);
  });

  it('builds and starts a server with authorization, which refuses strangers', async () => {
    const { root, start } = await built('guarded', ['--transport', 'http', '--auth', 'bearer']);
    expect(readFileSync(join(root, '.gitignore'), 'utf8').split('\n')).toContain('.env');
    const { says } = await started(root, start, { PORT: String(await freePort()) });
    const url = new URL(says.replace('Serving at ', ''));
    expect((await fetch(new URL('/health', url))).status).toBe(200);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  });
});

const whole = async (stream: Readable | null): Promise<string> => (stream ? text(stream) : '');

describe('the quick start', () => {
  it('prints its result after kill -9 in the middle of its call', async () => {
    await built('my-server');
    const { root } = await built('my-client', [], 'client');
    const call = ['count-primes', '{"limit":5000000}'];
    const at = ['--', process.execPath, '../my-server/dist/main.js'];
    const client = (words: readonly string[]): ChildProcess =>
      spawn(process.execPath, ['dist/main.js', ...words, ...at], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    const first = client(call);
    first.stderr?.resume();
    // While it is written it has another name.
    const isKept = (name: string): boolean => name.endsWith('.json');
    await vi.waitFor(() => {
      expect(readdirSync(join(root, '.tasks')).filter(isKept)).toHaveLength(1);
    }, 30_000);
    first.kill('SIGKILL');
    expect(await once(first, 'exit')).toEqual([null, 'SIGKILL']);
    // Its server is still ending, and the next one waits for the file.
    const second = client([]);
    onTestFinished(() => void second.kill('SIGKILL'));
    const [printed, said] = await Promise.all([second.stdout, second.stderr].map(whole));
    expect(printed, said).toBe('{"primes":348513}\n');
    expect(readdirSync(join(root, '.tasks'))).toEqual([]);
  });
});
