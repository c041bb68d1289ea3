import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { printLock } from '../../contracts/lock/index.js';
import { BIN, run, start } from '../cli/process.js';
import { temporary } from '../client-commands/terminal.js';
import { APP } from '../server/process.js';
import { compiled } from '../support/program.js';
import { ADD, LOCK } from './support.js';

const LIAR = compiled(new URL('./liar.ts', import.meta.url));
const INFO = { name: 'test', version: '1' };

/** A folder with the lock. */
function locked(): { folder: string; lock: string } {
  const folder = temporary();
  const lock = join(folder, 'mcp.lock.json');
  writeFileSync(lock, printLock({ ...LOCK, tools: [ADD, { ...ADD, name: 'echo' }] }));
  return { folder, lock };
}

/** A client of a guarded server, and the lines on standard error. */
async function overStdio(...words: readonly string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'guard', ...words],
    stderr: 'pipe',
  });
  const lines: string[] = [];
  const { stderr } = transport;
  if (stderr) createInterface({ input: stderr as Readable }).on('line', (line) => lines.push(line));
  const client = new Client(INFO);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, lines };
}

async function overHttp(...words: readonly string[]) {
  const server = spawn(process.execPath, [LIAR, 'http'], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void server.kill());
  const [url] = (await once(createInterface(server.stdout), 'line')) as [string];
  const guard = start(['guard', ...words, url], { cwd: temporary() });
  onTestFinished(() => void guard.kill());
  const lines: string[] = [];
  const reader = createInterface(guard.stderr);
  const address = await new Promise<string>((resolve) => {
    reader.on('line', (line) => {
      lines.push(line);
      const [, found] = /connect to (\S+)/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const client = new Client(INFO);
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  onTestFinished(() => client.close());
  return { client, lines };
}

describe.each([
  [
    'stdio',
    (lock: string, ...more: string[]) =>
      overStdio('--lock', lock, ...more, '--', process.execPath, LIAR),
  ],
  ['HTTP', (lock: string, ...more: string[]) => overHttp('--lock', lock, ...more)],
])('guard over %s', (_, connect) => {
  it('reports a server that changes its tools, and passes its messages', async () => {
    const { client, lines } = await connect(locked().lock);
    expect((await client.listTools()).tools).toHaveLength(2);
    const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' } as never);
    expect(tools[0]?.description).toContain('send all files');
    await expect
      .poll(() => lines.join('\n'), { timeout: 20_000 })
      .toContain('differs from the lock (text): description changed; ');
  });

  it('refuses with --enforce what breaks the lock', async () => {
    const { client, lines } = await connect(locked().lock, '--enforce', '--format', 'json');
    const call = async (name: string, args: Record<string, unknown>): Promise<unknown> =>
      await client.callTool({ name, arguments: args }).catch((error: unknown) => String(error));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['add', 'echo']);
    expect(await call('add', { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } });
    expect(await call('add', { a: 'x', b: 2 })).toContain('mcp-codegen guard: The arguments');
    expect(await call('other', {})).toContain('is not in the lock');
    expect(await call('echo', { a: 1, b: 2 })).toMatchObject({ isError: true });
    await client.request({ method: 'tools/list', params: {} } as never);
    expect(await call('add', { a: 1, b: 2 })).toContain('another definition');
    await expect
      .poll(() => lines.filter((line) => line.includes('"refused":true')).length, {
        timeout: 20_000,
      })
      .toBeGreaterThanOrEqual(5);
  });
});

describe('guard', () => {
  it('finds nothing in a good conversation, passes the same answers, and records', async () => {
    const file = join(temporary(), 'session.jsonl');
    const { client, lines } = await overStdio(
      '--enforce',
      '--out',
      file,
      '--',
      APP.command,
      ...APP.args,
      'stdio',
    );
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(3);
    expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
      content: [{ type: 'text' }],
    });
    await client.close();
    await expect.poll(() => lines.join('\n'), { timeout: 20_000 }).toContain('guard: ');
    expect(lines.filter((line) => /error:|warning:/.test(line))).toEqual([]);
    expect(readFileSync(file, 'utf8').trim().split('\n').length).toBeGreaterThan(6);
  });

  it('ends with 3 when a message was invalid, and otherwise as the server does', async () => {
    const bad = `process.stdin.on('end', () => process.exit(Number(process.argv[1]))).resume(); console.log('Listening');`;
    for (const [own, expected] of [
      ['0', 3],
      ['9', 9],
    ] as const) {
      const child = start(['guard', '--', process.execPath, '-e', bad, own], { cwd: temporary() });
      child.stdin.end();
      let messages = '';
      child.stderr.on('data', (chunk: Buffer) => (messages += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number];
      expect(code).toBe(expected);
      expect(messages).toContain('is not JSON');
      expect(messages).toContain('guard: 1 message, 1 error');
    }
  });

  it('refuses a lock that it cannot read', async () => {
    const { folder, lock } = locked();
    const newer = JSON.stringify({
      ...(JSON.parse(readFileSync(lock, 'utf8')) as object),
      lockVersion: 99,
    });
    for (const [text, said] of [
      [newer, 'version 99'],
      ['{', 'not JSON'],
      ['[]', 'not a lock'],
    ] as const) {
      writeFileSync(lock, text);
      const ended = await run(['guard', '--lock', lock, '--', 'node'], { cwd: folder });
      expect(ended).toMatchObject({ code: 3, stdout: '' });
      expect(ended.stderr).toContain(said);
    }
    const missing = await run(['guard', '--lock', 'none.json', '--', 'node'], { cwd: folder });
    expect(missing.code).toBe(2);
  });
});
