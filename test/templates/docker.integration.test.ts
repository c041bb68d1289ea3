import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { choose, SERVER } from '../../generator/scaffold/index.js';
import { openWorkshop, type Workshop } from './workshop.js';

/** What the Dockerfile of a new server starts. Docker itself is not needed. */

let workshop: Workshop;
beforeAll(() => {
  workshop = openWorkshop();
});
afterAll(() => workshop.close());

async function commandOf(store: string): Promise<{ root: string; words: string[] }> {
  const root = await workshop.make({ name: store, choices: choose(SERVER, { store }) });
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const commands = [...text.matchAll(/^CMD (.*)$/gm)].map(([, words = '']) => words);
  expect(commands).toHaveLength(1);
  expect(text).not.toContain('VOLUME');
  return { root, words: JSON.parse(commands[0] ?? '') as string[] };
}

it.each(['memory', 'postgres'])('a server with the store %s starts as it is', async (store) => {
  expect((await commandOf(store)).words).toEqual(['node', 'dist/main.js']);
});

it('a server whose tasks survive starts only where a volume keeps them', async () => {
  const { root, words } = await commandOf('sqlite');
  const mounts = join(root, 'mounts');
  const run = (mounted: string) => {
    writeFileSync(mounts, `overlay / overlay rw 0 0\n${mounted}`);
    const [shell = '', flag = '', script = ''] = words;
    const here = script
      .replace('/proc/mounts', mounts)
      .replace('exec node dist/main.js', 'exec echo started');
    return spawnSync(shell, [flag, here], { encoding: 'utf8' });
  };
  expect(run('/dev/sda1 /data ext4 rw 0 0\n')).toMatchObject({ status: 0, stdout: 'started\n' });
  const refused = run('/dev/sda1 /database ext4 rw 0 0\n');
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('docker run -v sqlite-data:/data');
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('-v sqlite-data:/data');
});

it.each([
  [200, 0],
  [503, 1],
])('the health check asks at PORT: %i is the exit code %i', async (status, code) => {
  const choices = choose(SERVER, { transport: 'http', store: 'memory' });
  const root = await workshop.make({ name: `health-${status}`, choices });
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const [, words = ''] = /^HEALTHCHECK CMD (.*)$/m.exec(text) ?? [];
  const [program = '', ...args] = JSON.parse(words) as string[];
  const server = createServer(({ url }, response) =>
    response.writeHead(url === '/health' ? status : 404).end(),
  ).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const child = spawn(program, args, { env: { ...process.env, PORT: String(port) } });
  expect(await once(child, 'exit')).toEqual([code, null]);
});
