import { type ChildProcess, execSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const FRAMES = 12;
const WIDTH = 300;

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
let folder: string;
let environment: NodeJS.ProcessEnv;
const started: ChildProcess[] = [];

beforeAll(async () => {
  execSync('npm run build', { stdio: 'pipe' });
  folder = mkdtempSync(join(tmpdir(), 'long-job-'));
  const PORT = String(await freePort());
  const DATABASE = join(folder, 'tasks.db');
  environment = { ...process.env, PORT, DATABASE, SERVER: `http://127.0.0.1:${PORT}/mcp` };
});
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it('a film is rendered to its end after kill -9 and a restart, without a frame twice', async () => {
  const first = start('main.js');
  await until(first, (line) => line.includes('Serving at'));
  const client = start('render.js', String(FRAMES), String(WIDTH));
  await until(first, (line) => line === 'Rendered frame 4');
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');

  const second = start('main.js');
  const [code] = (await once(client.child, 'close')) as [number | null];
  expect(code, client.log.join('\n')).toBe(0);

  const film = JSON.parse(client.printed.join('')) as { folder: string; bytes: number };
  const pictures = readdirSync(join(folder, film.folder)).sort();
  expect(pictures).toEqual(numbers(1, FRAMES).map((n) => `${String(n).padStart(3, '0')}.pgm`));
  const sizes = pictures.map((name) => readFileSync(join(folder, film.folder, name)).length);
  expect(film.bytes).toBe(sizes.reduce((sum, size) => sum + size));

  const [before, after] = [framesOf(first), framesOf(second)];
  const next = after[0] ?? 0;
  expect(before).toEqual(numbers(1, before.length));
  expect(after).toEqual(numbers(next, FRAMES));
  // Only the frame that was not recorded when the process was killed can be rendered again.
  expect([before.length, before.length + 1]).toContain(next);
});

interface Started {
  readonly child: ChildProcess;
  /** Lines of standard error. */
  readonly log: string[];
  /** Lines of standard output. */
  readonly printed: string[];
}

function start(program: string, ...args: string[]): Started {
  const child = spawn(process.execPath, [fileOf(`../dist/${program}`), ...args], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const [log, printed]: [string[], string[]] = [[], []];
  createInterface(child.stderr).on('line', (line) => log.push(line));
  createInterface(child.stdout).on('line', (line) => printed.push(line));
  return { child, log, printed };
}

async function until({ child, log }: Started, matches: (line: string) => boolean): Promise<void> {
  while (!log.some(matches)) {
    if (child.exitCode !== null) throw new Error(`The process ended:\n${log.join('\n')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function framesOf({ log }: Started): number[] {
  return log.flatMap((line) => /^Rendered frame (\d+)$/.exec(line)?.[1] ?? []).map(Number);
}

function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Below the ports that systems give to outgoing connections, so that it stays free. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
