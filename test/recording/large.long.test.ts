import { once } from 'node:events';
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { start } from '../cli/process.js';
import { temporary } from '../client-commands/terminal.js';
import { sized } from '../support/size.js';
import { mountSmallDisk } from '../tasks/small-disk.js';
import { ECHO } from './servers.js';

/** Megabytes of messages; continuous integration takes 1,000. */
const MEGABYTES = sized(1_000);
const MOST_MEMORY = 150;

/** Sends a result of 8 MB, then results of 4 KB until there are enough bytes. */
const FLOOD = `
  const megabytes = Number(process.argv[1]);
  const result = { content: [{ type: 'text', text: 'token=abc ' + 'x'.repeat(4000) }] };
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, result }) + '\\n';
  const long = line.replace('xxxx', 'x'.repeat(8e6));
  let left = megabytes * 1e6;
  process.stdout.write(long);
  (function send() {
    while (left > 0) {
      left -= line.length;
      if (!process.stdout.write(line)) return process.stdout.once('drain', send);
    }
    process.stdout.end(() => process.exit(0));
  })();`;

/** The most memory of a process so far, in megabytes. */
function memoryOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_000;
}

it.skipIf(process.platform !== 'linux')(
  'a recording of any size is written in bounded memory',
  async () => {
    const file = join(temporary(), 'session.jsonl');
    const words = ['record', '--out', file, '--', process.execPath, '-e', FLOOD, String(MEGABYTES)];
    const child = start(words, { cwd: temporary() });
    let bytes = 0;
    let memory = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      if (bytes >> 20 !== (bytes + chunk.length) >> 20) memory = memoryOf(child.pid);
      bytes += chunk.length;
    });
    child.stderr.resume();
    expect(((await once(child, 'close')) as [number])[0]).toBe(0);
    expect(bytes).toBeGreaterThan(MEGABYTES * 1e6 + 8e6);
    expect(statSync(file).size).toBeGreaterThan(bytes);
    let lines = 0;
    for await (const _ of createInterface(createReadStream(file))) lines += 1;
    expect(lines).toBeGreaterThan(MEGABYTES * 200);
    console.log(
      `${String(Math.round(bytes / 1e6))} MB recorded, ${memory.toFixed(0)} MB of memory`,
    );
    expect(memory).toBeLessThan(MOST_MEMORY);
  },
);

const ping = (id: number): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;

it('a full disk ends the recording, keeps its whole lines, and the messages pass on', async (context) => {
  const disk = mountSmallDisk(1);
  if (!disk) return context.skip('cannot mount a tmpfs without the rights of root');
  onTestFinished(() => disk.remove());
  const file = join(disk.path, 'session.jsonl');
  writeFileSync(file, '');
  disk.fill(8_192);
  const words = ['record', '--append', '--out', file, '--', process.execPath, ...ECHO];
  const child = start(words, { cwd: temporary() });
  let messages = '';
  child.stderr.on('data', (chunk: Buffer) => (messages += chunk.toString()));
  const echoes = createInterface(child.stdout)[Symbol.asyncIterator]();
  for (let id = 1; id <= 200; id += 1) {
    child.stdin.write(ping(id));
    expect((await echoes.next()).value).toBe(ping(id).trim());
  }
  const closed = once(child, 'close');
  child.stdin.end();
  expect(((await closed) as [number])[0]).toBe(1);
  expect(messages.match(/The recording ended: no space is left on the disk/g)).toHaveLength(1);
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.length).toBeLessThan(400);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('message');
});
