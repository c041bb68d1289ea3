import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { build } from 'esbuild';
import { freePort } from '../test/support/free-port.js';

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
  const state = join(out, 'state');
  const client = (...words: string[]): Promise<string> => callClient(projects.client, state, words);

  heading('5. Make two servers and a client');
  await Promise.all([
    make(cli, out, 'server', 'local', '--transport', 'stdio', '--dialects', 'core'),
    make(cli, out, 'server', 'shop', '--transport', 'http', '--store', 'sqlite'),
    make(cli, out, 'client', 'client'),
  ]);

  heading('6. A long tool over standard streams, and how far it is');
  const local = ['--', process.execPath, join(projects.local, 'dist/main.js')];
  expect(await client('call', 'count-primes', 'limit:=2000000', ...local), /148933/);

  heading('7. A question answered');
  const book = ['call', 'book-room', 'date=2026-12-24', '--answer', '{"room":"Tower"}'];
  expect(await client(...book, ...local), /Tower is booked/);

  heading('8. A task left running over HTTP, and cancelled');
  const port = await freePort();
  const shop = await startServer(projects.shop, port);
  let running = shop;
  try {
    const at = ['--server', shop.url];
    const long = ['call', 'count-primes', 'limit:=50000000', '--detach'];
    const left = idIn(await client(...long, ...at));
    expect(await client('tasks', 'list'), new RegExp(left));
    expect(await client('tasks', 'cancel', left), /cancelled/);

    heading('9. kill -9 of the server in mid-task, a restart, and the result all the same');
    const count = ['call', 'count-primes', 'limit:=5000000', '--detach'];
    const kept = idIn(await client(...count, ...at));
    console.log('$ kill -9 the server');
    shop.child.kill('SIGKILL');
    await once(shop.child, 'exit');
    running = await startServer(projects.shop, port);
    expect(await client('tasks', 'resume', kept), /348513/);
    expect(await client('tasks', 'list'), /No tasks are kept/);
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

/** Runs the client and shows its output at once. */
async function callClient(
  project: string,
  state: string,
  words: readonly string[],
): Promise<string> {
  console.log(`$ client ${words.map(short(project)).join(' ')}`);
  const args = [join(project, 'dist/main.js'), '--state', state, ...words];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      said += `${line}\n`;
      console.log(`  ${stripVTControlCharacters(line).split(join(project, '..')).join('<out>')}`);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The client ended with ${String(code)}`);
  return said;
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

function idIn(text: string): string {
  const [, id] = /tasks resume ([0-9a-f]+)/.exec(text) ?? [];
  if (id === undefined) throw new Error('No task was left running');
  return id;
}

function expect(text: string, wanted: RegExp): void {
  if (!wanted.test(text)) throw new Error(`Expected ${String(wanted)} in:\n${text}`);
}
