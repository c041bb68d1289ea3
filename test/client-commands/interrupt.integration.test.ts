import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { APP, startHttp } from '../server/process.js';
import { tokenOf } from '../server/tokens.js';
import { until } from '../server/support.js';
import { compiled } from '../support/program.js';
import { homeEnv, kept, openTerminal, temporary } from './terminal.js';

const MAIN = compiled(new URL('../../cli/bin.ts', import.meta.url));

/** A process of the command line. */
function start(words: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(APP.command, [MAIN, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const code = once(child, 'close').then(([exit]) => exit as number | null);
  return { child, code, said: () => said };
}

it('withdraws a call that is no task yet', async () => {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method } = JSON.parse(text) as { id?: number; method: string };
      methods.push(method);
      response.on('close', () => response.writableFinished || methods.push(`${method} ended`));
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'slow', version: '1' },
        },
        'tools/list': { tools: [{ name: 'slow', inputSchema: { type: 'object' } }] },
      };
      const result = results[method];
      const unknown = { code: -32601, message: 'Unknown method' };
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'tools/call') return;
      response.writeHead(200, { 'content-type': 'application/json' });
      const answer = result ? { result } : { error: unknown };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  const home = temporary();
  const { child, code, said } = start(['call', 'slow', '--server', url], homeEnv(home));
  await until(
    () => Promise.resolve(methods),
    (seen) => seen.includes('tools/call'),
  );
  child.kill('SIGINT');
  expect(await code).toBe(130);
  expect(methods).toContain('notifications/cancelled');
  expect(said()).toMatch(/^error: /m);
  expect(kept(home)).toEqual([]);
});

it('leaves a task that is kept, and names the command that resumes it', async () => {
  const server = await startHttp('--store', join(temporary(), 'tasks.db'));
  onTestFinished(() => server.stop());
  const home = temporary();
  const token = { MCP_TOKEN: tokenOf('ann') };
  const words = ['call', 'wait', 'ms:=2500', '--server', server.url];
  const { child, code, said } = start(words, { ...homeEnv(home), ...token });
  await until(
    () => Promise.resolve(kept(home)),
    (files) => files.length > 0,
  );
  child.kill('SIGINT');
  expect(await code).toBe(130);
  const [, id = ''] =
    /The task is kept: mcp-codegen tasks resume ([0-9a-f]{12})/.exec(said()) ?? [];
  const again = openTerminal({ person: false, home, env: token });
  expect(await again.run('tasks', 'resume', id)).toBe(0);
  expect(again.output()).toBe('waited 2500 ms\n');
});

it('ends at once while it connects', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const connected = once(server, 'request');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  const { child, code } = start(['describe', '--server', url], homeEnv(temporary()));
  await connected;
  child.kill('SIGINT');
  expect(await code).toBe(130);
});
