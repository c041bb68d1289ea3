import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BIN, run, start } from '../cli/process.js';
import { temporary } from '../client-commands/terminal.js';
import { APP } from '../server/process.js';
import { ECHO, script } from './servers.js';

const NODE = process.execPath;
const INFO = { name: 'test', version: '1' };

interface Line {
  readonly time: string;
  readonly direction: string;
  readonly session: number;
  readonly message: unknown;
}

function linesOf(file: string): Line[] {
  const text = readFileSync(file, 'utf8').trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Line);
}

async function findingsIn(file: string): Promise<unknown> {
  const { stdout } = await run(['validate', file, '--json'], { cwd: temporary() });
  return (JSON.parse(stdout) as { findings: unknown }).findings;
}

/** A proxy in front of a server, and the bytes that come out of it. */
function proxied(file: string, server: readonly string[], more: readonly string[] = []) {
  const child = start(['record', '--out', file, ...more, '--', NODE, ...server], {
    cwd: temporary(),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  let messages = '';
  child.stderr.on('data', (chunk: Buffer) => (messages += chunk.toString()));
  return {
    child,
    output: () => Buffer.concat(chunks),
    messages: () => messages,
    ended: once(child, 'close') as Promise<[number | null, string | null]>,
  };
}

async function write({ stdin }: ChildProcessWithoutNullStreams, bytes: Uint8Array): Promise<void> {
  if (!stdin.write(bytes)) await once(stdin, 'drain');
}

const request = (id: number, method = 'ping', params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

describe('record over stdio', () => {
  it('passes every byte, and records what is JSON and what is not', async () => {
    const bytes = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)),
        fc.jsonValue({ maxDepth: 2 }).map((each) => Buffer.from(`${JSON.stringify(each)}\r\n`)),
        fc.constant(Buffer.from(`{"text":"${'x'.repeat(200_000)}"}\n`)),
        fc.constant(Buffer.from('\n\r\n\n')),
      ),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (chunks) => {
        const file = join(temporary(), 'session.jsonl');
        const { child, output, ended } = proxied(file, ECHO);
        for (const chunk of chunks) await write(child, chunk);
        child.stdin.end();
        expect((await ended)[0]).toBe(0);
        expect(output().equals(Buffer.concat(chunks))).toBe(true);
        const whole = Buffer.concat(chunks).toString().split('\n').slice(0, -1);
        const recorded = existsSync(file) ? linesOf(file) : [];
        const sent = recorded.filter(({ direction }) => direction === 'client->server');
        expect(sent.length).toBeGreaterThanOrEqual(whole.filter((each) => each.trim()).length);
      }),
      { numRuns: 8 },
    );
  });

  it.each([
    [
      'SDK v2',
      () => new Client(INFO),
      (transport: object) => new StdioClientTransport(transport as never),
    ],
    [
      'SDK v2 in the newest revision',
      () => new Client(INFO, { versionNegotiation: { mode: 'auto' } }),
      (transport: object) => new StdioClientTransport(transport as never),
    ],
    ['SDK v1', () => new ClientV1(INFO), (transport: object) => new StdioV1(transport as never)],
  ])('is not told from the server by the client of %s', async (_, clientOf, transportOf) => {
    const file = join(temporary(), 'session.jsonl');
    const direct = { command: APP.command, args: [...APP.args, 'stdio'], stderr: 'ignore' };
    const through = {
      ...direct,
      args: [BIN, 'record', '--append', '--out', file, '--', APP.command, ...direct.args],
    };
    const answers = [];
    for (const location of [direct, through]) {
      const client = clientOf();
      await client.connect(transportOf(location));
      answers.push([
        client.getServerVersion(),
        client.getServerCapabilities(),
        await client.listTools(),
        await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }),
        await client.callTool({ name: 'add', arguments: { a: 'x' } }).catch(String),
      ]);
      await client.close();
    }
    expect(answers[1]).toEqual(answers[0]);
    // Those of the last call, which are wrong on purpose.
    expect(await findingsIn(file)).toMatchObject([{ code: 'wrong-arguments', from: 'client' }]);
    expect(linesOf(file).length).toBeGreaterThanOrEqual(8);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('masks secrets, unless told not to', async () => {
    const line = request(1, 'tools/call', { name: 'x', arguments: { token: 'Zq1234567' } });
    for (const [more, isShown] of [
      [[], false],
      [['--no-mask'], true],
    ] as const) {
      const file = join(temporary(), 'session.jsonl');
      const { child, output, ended } = proxied(file, ECHO, more);
      child.stdin.end(line);
      await ended;
      expect(output().toString()).toBe(line);
      expect(readFileSync(file, 'utf8').includes('Zq1234567')).toBe(isShown);
    }
  });

  it('records numbers as they were written', async () => {
    const file = join(temporary(), 'session.jsonl');
    const message =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"n":[1.0,1e3,9007199254740993]}}}';
    const { child, ended } = proxied(file, ECHO);
    child.stdin.end(`${message}\n`);
    await ended;
    expect(readFileSync(file, 'utf8').split(`"message":${message}}\n`)).toHaveLength(3);
  });

  it('records the numbers of a server that "call" starts as they were written', async () => {
    const file = join(temporary(), 'session.jsonl');
    const numbers = '"structuredContent":{"n":[1.0,1e3,9007199254740993]}';
    const server = `
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (id === undefined) return;
        const result = method === 'initialize'
          ? '"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"1"}'
          : method === 'tools/list'
            ? '"tools":[{"name":"n","inputSchema":{"type":"object"}}]'
            : '"content":[],' + ${JSON.stringify(numbers)};
        const answer = method === 'server/discover'
          ? '"error":{"code":-32601,"message":"no"}'
          : '"result":{' + result + '}';
        console.log('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',' + answer + '}');
      });`;
    const words = ['call', 'n', '--record', file, '--', NODE, '-e', server];
    expect(await run(words, { cwd: temporary() })).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain(numbers);
  });

  it.each([
    [{ code: 7 }, 7],
    [{ code: 0 }, 0],
    [{ signal: 'SIGKILL' }, 137],
    [{ signal: 'SIGTERM' }, 143],
  ])('ends as the server does: %j', async (end, expected) => {
    const file = join(temporary(), 'session.jsonl');
    const { child, output, messages, ended } = proxied(file, script([{}, {}], end));
    child.stdin.write(request(1) + request(2));
    expect((await ended)[0]).toBe(expected);
    expect(output().toString().trim().split('\n')).toHaveLength(2);
    expect(linesOf(file)).toHaveLength(4);
    expect(messages()).toContain('Recorded 4 messages');
  });

  it('passes signals and the standard error of the server', async () => {
    const source = `
      process.on('SIGTERM', () => { process.stderr.write('cleaned up'); process.exit(3); });
      process.stdin.resume();
      process.stdout.write('${request(1).trim()}\\n');`;
    const { child, messages, ended } = proxied(join(temporary(), 's.jsonl'), ['-e', source]);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(3);
    expect(messages()).toContain('cleaned up');
  });

  it('keeps what was recorded until kill -9, and the server ends with its input', async () => {
    const file = join(temporary(), 'session.jsonl');
    const source = `
      process.stdin.on('end', () => require('node:fs').writeFileSync(process.argv[1], 'ended'));
      process.stdin.pipe(process.stdout);`;
    const mark = join(temporary(), 'mark');
    const { child } = proxied(file, ['-e', source, mark]);
    for (const id of [1, 2]) {
      child.stdin.write(request(id));
      await once(child.stdout, 'data');
    }
    child.kill('SIGKILL');
    await expect.poll(() => existsSync(mark), { timeout: 20_000 }).toBe(true);
    // The last message may have been passed on and not yet recorded.
    expect(linesOf(file).length).toBeGreaterThanOrEqual(3);
  });

  it('ends the server when the client is killed', async () => {
    const folder = temporary();
    const file = join(folder, 'session.jsonl');
    const proxy = [BIN, 'record', '--out', file, '--', NODE, ...ECHO];
    const source = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ${JSON.stringify(proxy)}, { stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin.write(${JSON.stringify(request(1))});
      child.stdout.once('data', () => process.stdout.write('ready'));`;
    const client = spawn(NODE, ['-e', source], { stdio: ['ignore', 'pipe', 'pipe'] });
    let messages = '';
    client.stderr.on('data', (chunk: Buffer) => (messages += chunk.toString()));
    const closed = once(client.stderr, 'end');
    await once(client.stdout, 'data');
    client.kill('SIGKILL');
    // Standard error ends when the last process that has it has ended.
    await closed;
    expect(messages).toContain('Recorded 2 messages');
    expect(linesOf(file)).toHaveLength(2);
  });

  it('does not start a server that cannot be recorded', async () => {
    const folder = temporary();
    writeFileSync(join(folder, 'mine.jsonl'), '{"a"');
    const mark = join(folder, 'mark');
    const server = [
      '--',
      NODE,
      '-e',
      `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`,
    ];
    const taken = await run(['record', '--out', 'mine.jsonl', ...server], { cwd: folder });
    expect(taken).toMatchObject({ code: 2, stdout: '' });
    expect(taken.stderr).toContain('exists already');
    const nowhere = await run(['record', '--out', 'no/such.jsonl', ...server], { cwd: folder });
    expect(nowhere).toMatchObject({ code: 2, stdout: '' });
    expect(existsSync(mark)).toBe(false);
    const missing = await run(['record', '--out', 'new.jsonl', '--', 'no-such-command'], {
      cwd: folder,
    });
    expect(missing).toMatchObject({ code: 3, stdout: '' });
    expect(missing.stderr).toContain('there is no such command');
    expect(existsSync(join(folder, 'new.jsonl'))).toBe(false);
    expect(readFileSync(join(folder, 'mine.jsonl'), 'utf8')).toBe('{"a"');
  });

  it('adds to a recording with --append, also to one that a crash has cut', async () => {
    const file = join(temporary(), 'session.jsonl');
    writeFileSync(file, '{"cut"');
    for (const id of [1, 2]) {
      const { child, ended } = proxied(file, ECHO, ['--append']);
      child.stdin.end(request(id));
      await ended;
    }
    const [cut, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(cut).toBe('{"cut"');
    const sessions = lines.map((line) => (JSON.parse(line) as Line).session);
    expect(sessions).toEqual([1, 1, 2, 2]);
  });
});
