import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { start } from '../cli/process.js';
import { sized } from '../support/size.js';
import { temporaryFolder } from './support.js';

const MB = 1_000_000;
const LIMIT_KB = 150 * 1024;
const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'large', version: '1' },
};

/** Writes a recording of at least this many bytes. `textOf` is the text of each answer. Returns the number of calls. */
function write(file: string, bytes: number, textOf: (id: number) => string, progress = 0): number {
  const target = openSync(file, 'w');
  let written = 0;
  let lines: string[] = [];
  const line = (direction: string, message: object): void => {
    const time = new Date(1_767_225_600_000 + written / 100).toISOString();
    const record = { time, direction, session: 1, message: { jsonrpc: '2.0', ...message } };
    lines.push(JSON.stringify(record));
  };
  const flush = (): void => {
    written += writeSync(target, `${lines.join('\n')}\n`);
    lines = [];
  };
  line('client->server', {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25' },
  });
  line('server->client', { id: 0, result: HANDSHAKE });
  let id = 0;
  while (written < bytes) {
    for (let count = 0; count < 500; count += 1) {
      id += 1;
      const _meta = { progressToken: id };
      const params = { name: 'search', arguments: { query: `thing ${id}` }, _meta };
      line('client->server', { id, method: 'tools/call', params });
      for (let each = 1; each <= progress; each += 1) {
        const shown = { progressToken: id, progress: each };
        line('server->client', { method: 'notifications/progress', params: shown });
      }
      line('server->client', { id, result: { content: [{ type: 'text', text: textOf(id) }] } });
    }
    flush();
  }
  closeSync(target);
  return id;
}

interface Answered {
  readonly id: number;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

/** Asks a mock of a recording for some of its calls, and measures the memory. */
async function play(
  file: string,
  ids: readonly number[],
): Promise<{ texts: string[]; peak: number }> {
  const child = start(['mock', file, '--speed', 'instant', '--log', 'none'], { cwd: tmpdir() });
  const closed = once(child, 'close');
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
  for (const id of ids) {
    send({
      id,
      method: 'tools/call',
      params: { name: 'search', arguments: { query: `thing ${id}` } },
    });
  }
  const texts = new Map<number, string>();
  for await (const line of createInterface(child.stdout)) {
    const { id, result } = JSON.parse(line) as Answered;
    texts.set(id, result?.content?.[0]?.text ?? line);
    if (texts.size > ids.length) break;
  }
  const peak = peakOf(child.pid);
  child.stdin.end();
  await closed;
  return { texts: ids.map((id) => texts.get(id) ?? ''), peak };
}

function peakOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0);
}

describe.skipIf(!existsSync('/proc/self/status'))('a recording is played within 150 MB', () => {
  it.each([
    ['1 GB with answers of 2 KB', 1_000, (id: number) => `${'x'.repeat(2_000)} ${id}`, 0],
    // The index grows with the number of requests, not with their size.
    ['100 MB with short answers', 100, (id: number) => `${id}`, 0],
    ['100 MB with short answers and progress', 100, (id: number) => `${id}`, 3],
  ])('of %s', async (_, megabytes, textOf, progress) => {
    const file = join(temporaryFolder(), 'large.jsonl');
    const count = write(file, sized(megabytes) * MB, textOf, progress);
    const ids = [1, 2, Math.floor(count / 2), count - 1, count];
    const { texts, peak } = await play(file, ids);
    expect(texts).toEqual(ids.map(textOf));
    expect(peak).toBeLessThan(LIMIT_KB);
    console.log(`${count} calls: ${Math.round(peak / 1024)} MB`);
  });
});
