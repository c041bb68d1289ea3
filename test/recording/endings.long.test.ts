import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proxyStdio } from '../../contracts/recording/proxy/index.js';
import { start } from '../cli/process.js';
import { temporary } from '../client-commands/terminal.js';
import { ECHO } from './servers.js';

/** Ends that are not those of a good conversation: what was recorded is kept. */

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

/** Answers the end of its input, and ends. */
const LATE = [
  '-e',
  `process.stdin.resume().on('end', () => console.log('{"jsonrpc":"2.0","id":1,"result":{}}'));`,
];

/** Says that it got a signal, each time; it ends at the second, or not at all. */
const stubborn = (most: number): readonly string[] => [
  '-e',
  `let count = 0;
  const say = (params) => console.log(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params }));
  process.on('SIGINT', () => { say({ count: ++count }); if (count === ${String(most)}) process.exitCode = 5, process.stdin.destroy(); });
  process.stdin.resume();
  say({ count });`,
];

interface Line {
  readonly direction: string;
  readonly message: { readonly params?: { readonly count: number } };
}

const linesOf = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

function proxied(command: 'record' | 'guard', server: readonly string[]) {
  const file = join(temporary(), 'session.jsonl');
  const words = [command, '--out', file, '--', process.execPath, ...server];
  const child = start(words, { cwd: temporary() });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  return { child, file, ended };
}

describe.each(['record', 'guard'] as const)('%s', (command) => {
  it('goes on when nothing reads its standard error', async () => {
    const { child, file, ended } = proxied(command, ECHO);
    child.stderr.destroy();
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    for (const line of ['not JSON\n', PING, 'not JSON\n', PING]) {
      child.stdin.write(line);
      expect((await lines.next()).value).toBe(line.trim());
    }
    child.stdin.end();
    expect((await ended)[0]).toBe(command === 'guard' ? 3 : 0);
    expect(linesOf(file)).toHaveLength(8);
  });

  it('passes and records the answers that follow the end of the input', async () => {
    const { child, file, ended } = proxied(command, LATE);
    child.stderr.resume();
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stdin.end(PING);
    expect((await ended)[0]).toBe(0);
    await expect
      .poll(() => output, { timeout: 20_000 })
      .toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
    expect(linesOf(file).map(({ direction }) => direction)).toEqual([
      'client->server',
      'server->client',
    ]);
  });

  it('ends, and keeps what was recorded, when nothing reads its output', async () => {
    const { child, file, ended } = proxied(command, ECHO);
    child.stderr.resume();
    child.stdin.write(PING);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.stdin.on('error', () => undefined);
    child.stdin.write(PING);
    await ended;
    expect(linesOf(file).length).toBeGreaterThanOrEqual(3);
  });

  it('passes Ctrl-C twice, and records until the server ends', async () => {
    const { child, file, ended } = proxied(command, stubborn(2));
    child.stderr.resume();
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    await lines.next();
    child.kill('SIGINT');
    await lines.next();
    child.kill('SIGINT');
    await lines.next();
    expect((await ended)[0]).toBe(5);
    expect(linesOf(file).map(({ message }) => message.params?.count)).toEqual([0, 1, 2]);
  });

  it('kills a server that ignores Ctrl-C, and keeps what was recorded', async () => {
    const { child, file, ended } = proxied(command, stubborn(99));
    child.stderr.resume();
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect((await ended)[0]).toBe(137);
    expect(linesOf(file).map(({ message }) => message.params?.count)).toEqual([0, 1]);
  });

  it('ends over HTTP at the second Ctrl-C at the latest, with a request open', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    await once(server, 'listening');
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
    const file = join(temporary(), 'session.jsonl');
    const child = start([command, '--out', file, url], { cwd: temporary() });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
    let address = '';
    for await (const line of createInterface(child.stderr)) {
      address = /connect to (\S+)/.exec(line)?.[1] ?? '';
      if (address !== '') break;
    }
    const headers = { 'content-type': 'application/json' };
    const arrived = once(server, 'request');
    const answer = fetch(address, { method: 'POST', headers, body: PING }).catch(() => 'cut');
    await arrived;
    await expect.poll(() => linesOf(file).length, { timeout: 20_000 }).toBe(1);
    child.kill('SIGINT');
    child.kill('SIGINT');
    const [code, signal] = await ended;
    // The second may come when the process has ended its work and listens to no signal any more.
    expect([0, 130, 'SIGINT']).toContain(code ?? signal);
    expect(await answer).toBe('cut');
    expect(linesOf(file)).toHaveLength(1);
  });
});

it.each([true, false])(
  'ends the server when the watcher fails, and says so (the watcher holds messages: %s)',
  async (holds) => {
    const input = new PassThrough();
    const see = (): never => {
      throw new Error('The watcher failed.');
    };
    const ended = proxyStdio({
      location: { command: process.execPath, args: ECHO, cwd: temporary(), env: process.env },
      watcher: { holds, see },
      input,
      output: new PassThrough(),
      onInterrupt: () => () => undefined,
    });
    input.write(PING);
    await expect(ended).rejects.toThrow('The watcher failed.');
    expect(input.destroyed).toBe(true);
  },
);
