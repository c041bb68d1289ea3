import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { transportTo } from '../support/stdio.js';
import { compiled } from '../support/program.js';
import { exampleServer } from './example-server.js';
import { recordTo, temporaryFolder } from './support.js';
import { type Talk, TALKS, withoutChance } from './talks.js';

const MAIN = compiled(new URL('../../cli/bin.ts', import.meta.url));

interface Ended {
  readonly code: unknown;
  readonly out: string;
  readonly err: string;
}

/** Runs the command until it ends, with this text on its standard input. */
async function run(args: readonly string[], input = ''): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, 'mock', ...args]);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** Serves over HTTP, and resolves with its URL. */
async function served(...args: string[]): Promise<{ url: URL; stop: () => Promise<unknown> }> {
  const child = spawn(process.execPath, [MAIN, 'mock', ...args, '--http', '--log', 'json']);
  const closed = once(child, 'close') as Promise<[number | null]>;
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface(child.stderr)) {
    const { event, url } = JSON.parse(line) as { event: string; url?: string };
    if (event !== 'serving') continue;
    return {
      url: new URL(String(url)),
      async stop() {
        child.kill('SIGINT');
        const [code] = await closed;
        return code;
      },
    };
  }
  throw new Error('The mock did not serve');
}

/** A recording of one conversation with the example server. */
async function recorded(talk: Talk): Promise<{ file: string; original: unknown }> {
  const file = join(temporaryFolder(), 'session.jsonl');
  const server = await exampleServer();
  onTestFinished(() => server.close());
  const original = withoutChance(await talk(recordTo(file, transportTo(server)) as never));
  return { file, original };
}

describe.each(Object.entries(TALKS))('a mock in a process of its own, for %s', (_, talk) => {
  it('gives the same answers over stdio', async () => {
    const { file, original } = await recorded(talk);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mock', file, '--speed', 'instant'],
      stderr: 'ignore',
    });
    expect(withoutChance(await talk(transport as never))).toEqual(original);
    await transport.close();
  });

  it('gives the same answers over HTTP', async () => {
    const { file, original } = await recorded(talk);
    const { url, stop } = await served(file, '--speed', 'instant');
    expect(withoutChance(await talk(new StreamableHTTPClientTransport(url) as never))).toEqual(
      original,
    );
    expect(await stop()).toBe(0);
  });
});

describe('mcp-codegen mock', () => {
  let file: string;
  let content: string;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-mock-'));
    file = join(folder, 'session.jsonl');
    const server = await exampleServer();
    await TALKS['SDK v1']?.(recordTo(file, transportTo(server)) as never);
    await server.close();
    content = readFileSync(file, 'utf8');
  });
  afterAll(() => rmSync(dirname(file), { recursive: true }));

  it('ends with 0 when its client leaves, and says what it served', async () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const { code, out, err } = await run([file], ping);
    expect(JSON.parse(out)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(err).toContain('server "example 1.2.3", revision 2025-11-25');
    expect(err).toContain('Serving over stdio.');
    expect(code).toBe(0);
  });

  it('names requests without a match on standard error', async () => {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: '\u001b[2J' } },
    };
    const { err } = await run([file], `${JSON.stringify(call)}\n`);
    expect(err).toContain('No match: No recorded answer to this request "tools/call echo".');
    expect(err).not.toContain('\u001b');
    const { err: json } = await run([file, '--log', 'json'], `${JSON.stringify(call)}\n`);
    const events = json
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string });
    expect(events.map(({ event }) => event)).toEqual(['loaded', 'serving', 'request']);
    expect(events.at(-1)).toMatchObject({ answeredBy: 'nothing', method: 'tools/call' });
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it.each([
    [[], 2, 'There is nothing to serve.'],
    [['missing.jsonl'], 2, 'Cannot read the recording'],
    [['--lock', 'missing.json'], 2, 'Cannot read the lock'],
    [['x.jsonl', '--speed', '-1'], 2, '--speed is "-1"'],
    [['x.jsonl', '--seed', 'x'], 2, '--seed is "x"'],
    [['x.jsonl', '--port', '1'], 2, '--port is given without --http'],
    [['x.jsonl', '--http', '--port', '70000'], 2, '--port is "70000"'],
  ])('%j ends with %s', async (args, expected, message) => {
    const { code, out, err } = await run(args);
    expect(err).toContain(message);
    expect(err.trim().split('\n').length).toBeLessThanOrEqual(3);
    expect(out).toBe('');
    expect(code).toBe(expected);
  });

  it.each(['{"lockVersion":99}', '{"lockVersion":1}', 'no'])(
    'refuses the lock %s',
    async (text) => {
      const lock = join(temporaryFolder(), 'mcp.lock.json');
      writeFileSync(lock, text);
      const { code, err } = await run(['--lock', lock]);
      expect(err).toContain(lock);
      expect(code).toBe(3);
    },
  );

  it('refuses a recording that cannot be played', async () => {
    const bad = join(temporaryFolder(), 'bad.jsonl');
    writeFileSync(bad, 'hello\n');
    const { code, err } = await run([bad]);
    expect(err).toContain('The recording has no request of a client.');
    expect(code).toBe(3);
  });

  it('says that the port is in use', async () => {
    const { url } = await served(file);
    const { code, err } = await run([file, '--http', '--port', url.port]);
    expect(err).toContain('the port is in use');
    expect(code).toBe(2);
  });

  it('refuses web pages of other machines', async () => {
    const { url } = await served(file);
    const response = await fetch(url, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: '{}',
    });
    expect(response.status).toBe(403);
  });
});
