import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { percentile, timed, type Bench, type Row } from '../bench.js';
import { measured, OURS } from '../measured.js';

const ROUNDS = 3_000;
const WARM_UP = 300;
/** Milliseconds that the proxy may add to the slowest of a hundred messages. */
const MOST_ADDED = 1;
const BIN = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));
const SERVER = fileURLToPath(new URL('./echo-server.js', import.meta.url));
const TEXT = 'A sentence of some words. '.repeat(20);

/** A way to a server, which answers one message at a time. */
interface Way {
  send(id: number): Promise<void>;
  close(): Promise<void> | void;
}

type Open = (words: readonly string[] | undefined) => Promise<Way>;

function messageOf(id: number): string {
  const params = { name: 'echo', arguments: { text: TEXT } };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

async function ended(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.stdin?.end();
  child.kill('SIGTERM');
  await closed;
}

/** Lines over pipes, as a host has them. */
const stdio: Open = async (words) => {
  const server = [process.execPath, SERVER];
  const args = words === undefined ? server.slice(1) : [BIN, ...words, '--', ...server];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await once(child, 'spawn');
  return {
    async send(id) {
      child.stdin.write(`${messageOf(id)}\n`);
      const { value } = (await lines.next()) as { value: unknown };
      if (!String(value).includes(`"id":${String(id)},`))
        throw new Error(`Answered: ${String(value)}`);
    },
    close: () => ended(child),
  };
};

/** Requests on one connection. */
const http: Open = async (words) => {
  const server = spawn(process.execPath, [SERVER, 'http'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [own] = (await once(createInterface(server.stdout), 'line')) as [string];
  const proxy =
    words && spawn(process.execPath, [BIN, ...words, own], { stdio: ['ignore', 'ignore', 'pipe'] });
  const url = proxy?.stderr ? await addressIn(proxy.stderr) : own;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'content-type': 'application/json' };
  return {
    async send(id) {
      const sent = request(url, { method: 'POST', agent, headers }).end(messageOf(id));
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      let text = '';
      for await (const chunk of answer) text += String(chunk);
      if (!text.includes(`"id":${String(id)},`)) throw new Error(`Answered: ${text}`);
    },
    async close() {
      agent.destroy();
      if (proxy) await ended(proxy);
      await ended(server);
    },
  };
};

async function addressIn(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stream)) {
    const [, url] = /connect to (\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The proxy did not start');
}

/** The ways take turns, message by message. */
async function rows(kind: string, open: Open): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-bench-'));
  const ways: Readonly<Record<string, readonly string[] | undefined>> = {
    [OURS]: ['record', '--out', join(folder, 'a.jsonl')],
    'guard --enforce': ['guard', '--enforce'],
    direct: undefined,
  };
  const opened: [string, Way, number[]][] = [];
  for (const [name, words] of Object.entries(ways)) opened.push([name, await open(words), []]);
  for (let id = 1; id <= WARM_UP + ROUNDS; id += 1) {
    for (const [, way, samples] of opened) {
      const took = await timed(() => way.send(id));
      if (id > WARM_UP) samples.push(took);
    }
  }
  for (const [, way] of opened) await way.close();
  rmSync(folder, { recursive: true });
  const bars = Object.fromEntries(opened.map(([name, , samples]) => [name, samples]));
  const most = percentile(bars['direct'] ?? [], 0.99) + MOST_ADDED;
  return measured({
    row: `a call through record over ${kind}, p99`,
    unit: 'ms',
    better: 'less',
    shown: 'p99',
    bars,
    most: Number(most.toFixed(2)),
  });
}

export const proxy: Bench = {
  name: 'proxy',
  run: async () => [await rows('stdio', stdio), await rows('HTTP', http)],
};
