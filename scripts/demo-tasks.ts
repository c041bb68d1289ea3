import { execFile, spawn } from 'node:child_process';
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import { freePort } from '../runtime/testing/free-port.js';

/** The running part of the demo: servers and a client of `mcp-codegen new`. */
export interface TasksDemo {
  /** The built command line. */
  readonly cli: string;
  /** A folder below the checkout, so that the projects find its packages. */
  readonly out: string;
  readonly heading: (text: string) => void;
}

/** @throws when a step of the demo fails. */
export async function demoTasks({ cli, out, heading }: TasksDemo): Promise<void> {
  const projects = {
    local: join(out, 'local'),
    shop: join(out, 'shop'),
    client: join(out, 'client'),
  };
  const client = (...words: string[]): Client => startClient(projects.client, words);

  heading('5. Make two servers and a client');
  await Promise.all([
    make(cli, out, 'server', 'local', '--transport', 'stdio', '--dialects', 'core'),
    make(cli, out, 'server', 'shop', '--transport', 'http', '--store', 'sqlite'),
    make(cli, out, 'client', 'client'),
  ]);

  heading('6. A long tool over standard streams, and how far it is');
  const local = ['--', process.execPath, join(projects.local, 'dist/main.js')];
  expect(await client('count-primes', '{"limit":2000000}', ...local).output, /148933/);

  heading('7. A question answered');
  const booking = client('book-room', '{"date":"2026-12-24"}', ...local);
  booking.child.stdin.end('Tower\n');
  expect(await booking.output, /Tower is booked/);

  heading('8. A task over HTTP, left running with Ctrl-C, and resumed by the next start');
  const port = await freePort();
  const shop = await startServer(projects.shop, port);
  let running = shop;
  try {
    const left = client('count-primes', '{"limit":5000000}', '--', shop.url);
    await whenKept(projects.client);
    console.log('$ Ctrl-C');
    left.child.kill('SIGINT');
    await left.output;
    expect(await client('--', shop.url).output, /348513/);

    heading('9. kill -9 of the server in mid-task, a restart, and the result all the same');
    const kept = client('count-primes', '{"limit":5000000}', '--', shop.url);
    await whenKept(projects.client);
    console.log('$ kill -9 the server');
    shop.child.kill('SIGKILL');
    await once(shop.child, 'exit');
    running = await startServer(projects.shop, port);
    expect(await kept.output, /348513/);
  } finally {
    running.child.kill();
  }
}

async function make(cli: string, out: string, ...words: string[]): Promise<void> {
  const args = ['new', ...words, '--yes'];
  const { stdout } = await run([cli, ...args], out);
  const [files = ''] = /^\d+ files created/m.exec(stdout) ?? [];
  const [, name = ''] = words;
  await compile(join(out, name));
  console.log(`$ mcp-codegen ${args.join(' ')}\n  ${files}`);
}

/** As `npm run build` does, without checking types. */
async function compile(project: string): Promise<void> {
  const src = join(project, 'src');
  const entryPoints = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(src, path));
  const options = { outbase: src, outdir: join(project, 'dist'), target: 'node20' } as const;
  await build({ ...options, entryPoints, format: 'esm', platform: 'node', logLevel: 'error' });
}

interface Client {
  readonly child: ChildProcessWithoutNullStreams;
  /** Both streams, once the program has ended. */
  readonly output: Promise<string>;
}

/** Starts the client in its folder, and shows its output at once. */
function startClient(project: string, words: readonly string[]): Client {
  console.log(`$ client ${words.map(short(project)).join(' ')}`);
  const child = spawn(process.execPath, ['dist/main.js', ...words], { cwd: project });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      said += `${line}\n`;
      console.log(`  ${line.split(join(project, '..')).join('<out>')}`);
    });
  }
  return { child, output: once(child, 'close').then(() => said) };
}

/** Waits until the client has kept its task. */
async function whenKept(project: string): Promise<void> {
  const folder = join(project, '.tasks');
  const isKept = (): boolean =>
    existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.json'));
  for (let tries = 0; !isKept(); tries += 1) {
    if (tries === 600) throw new Error('No task was kept');
    await setTimeout(50);
  }
}

/** Removes the folder from the output, because it changes each time. */
function short(project: string): (word: string) => string {
  const folder = `${join(project, '..')}/`;
  return (word) => {
    const plain = word === process.execPath ? 'node' : word.replace(folder, '');
    return /["{ ]/.test(plain) ? `'${plain}'` : plain;
  };
}

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
}

async function startServer(project: string, port: number): Promise<Server> {
  console.log(`$ PORT=${String(port)} node shop/dist/main.js`);
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: project,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    said.push(line);
    const [, url] = /Serving at ([^\s"]+)/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stderr.resume();
    return { url, child };
  }
  throw new Error(`The server ended at its start:\n${said.join('\n')}`);
}

function run(args: readonly string[], cwd: string): Promise<{ stdout: string }> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr || error.message));
      else resolve({ stdout });
    });
  });
}

function expect(text: string, wanted: RegExp): void {
  if (!wanted.test(text)) throw new Error(`Expected ${String(wanted)} in:\n${text}`);
}
