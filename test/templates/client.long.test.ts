import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../runtime/testing/free-port.js';
import { compiled } from '../support/program.js';
import { hasPty, openPty } from '../support/pty.js';

const FULL = compiled(new URL('../../templates/client/src/main.ts', import.meta.url));
const MINIMAL = compiled(new URL('../../templates/client/src/main.minimal.ts', import.meta.url));
const SERVER = compiled(new URL('kept-server.ts', import.meta.url));

/** The folder of a test: its database, and the client's tasks. */
let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-client-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) {
      await once(child, 'exit');
    }
  }
  rmSync(folder, { recursive: true });
});

function start(...words: string[]) {
  const child = spawn(process.execPath, words, { cwd: folder });
  children.push(child);
  return child;
}

const database = (): string => join(folder, 'tasks.db');

async function startHttp(dialect: string, port: number, file = database()) {
  const child = start(SERVER, dialect, file, String(port));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: line.toString().trim() };
}

/** How a client reaches the server, in a folder of its own. */
async function reach(transport: string, dialect: string): Promise<string[]> {
  if (transport === 'stdio') return ['--', process.execPath, SERVER, dialect, database()];
  return ['--', (await startHttp(dialect, 0)).url];
}

/** The whole output, in the order of the streams. */
async function outputOf(client: ReturnType<typeof start>) {
  const [stdout, stderr] = await Promise.all([text(client.stdout), text(client.stderr)]);
  await (client.exitCode === null && client.signalCode === null ? once(client, 'exit') : undefined);
  return { stdout, stderr, code: client.exitCode };
}

const kept = (): string[] => {
  const tasks = join(folder, '.tasks');
  return existsSync(tasks) ? readdirSync(tasks).filter((name) => name.endsWith('.json')) : [];
};
const whenKept = () => vi.waitFor(() => expect(kept()).toHaveLength(1), { timeout: 30_000 });

describe.each([
  ['stdio', 'core'],
  ['stdio', 'ext'],
  ['http', 'core'],
  ['http', 'ext'],
])('over %s, in %s', (transport, dialect) => {
  it('shows progress, prints the result, and keeps no file of it', async () => {
    const at = await reach(transport, dialect);
    const { code, stdout, stderr } = await outputOf(start(FULL, 'count', '{"ms":300}', ...at));
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: '{"counted":300}\n' });
    expect(stderr).toContain('50 % \\u{1b}[31mcounting');
    expect(kept()).toEqual([]);
  });

  it('answers a form, field by field', async () => {
    const client = start(FULL, 'greet', '{}', ...(await reach(transport, dialect)));
    client.stdin.end('Ann\n36\nyes\ntea,cake\n\n');
    const { stdout, stderr } = await outputOf(client);
    const content = '{"name":"Ann","age":36,"vip":true,"likes":["tea","cake"]}';
    expect(stdout, stderr).toBe(`accept ${content}\\u{1b}[0m\n`);
    expect(stderr).toContain('\\u{1b}[31mWho are you?\nname {"type":"string"}: ');
    expect(stderr).not.toContain('\u001b');
  });

  it('asks again for a number when the text is none', async () => {
    const client = start(FULL, 'greet', '{}', ...(await reach(transport, dialect)));
    client.stdin.end('Ann\nold\nInfinity\n36\n\n\n\n');
    const { stdout, stderr } = await outputOf(client);
    expect(stdout, stderr).toContain('accept {"name":"Ann","age":36}');
  });

  it('cancels a form at the end of the input', async () => {
    const client = start(FULL, 'greet', '{}', ...(await reach(transport, dialect)));
    client.stdin.end('Ann\n');
    expect((await outputOf(client)).stdout).toMatch(/^cancel /);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)('resumes a task after %s', async (signal) => {
    const at = await reach(transport, dialect);
    const first = start(FULL, 'count', '{"ms":1500}', ...at);
    await whenKept();
    expect(statSync(join(folder, '.tasks', kept()[0] ?? '')).mode & 0o077).toBe(0);
    first.kill(signal);
    const { code, stdout } = await outputOf(first);
    expect({ code, stdout }).toEqual({ code: signal === 'SIGINT' ? 1 : null, stdout: '' });
    // A start with a tool resumes the task, and then calls the tool.
    const { stdout: both, stderr } = await outputOf(start(FULL, 'count', '{"ms":1}', ...at));
    expect(both, stderr).toBe('{"counted":1500}\n{"counted":1}\n');
    expect(kept()).toEqual([]);
  });
});

it('follows a task over kill -9 of its server', async () => {
  const port = await freePort();
  const first = await startHttp('ext', port);
  const client = start(FULL, 'count', '{"ms":1500}', '--', first.url);
  await whenKept();
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  await startHttp('ext', port);
  const { stdout, stderr } = await outputOf(client);
  expect(stdout, stderr).toBe('{"counted":1500}\n');
});

it('leaves tasks of other servers alone', async () => {
  const at = await reach('http', 'ext');
  const first = start(FULL, 'count', '{"ms":60000}', ...at);
  await whenKept();
  first.kill('SIGKILL');
  const other = ['--', process.execPath, SERVER, 'ext', join(folder, 'other.db')];
  expect((await outputOf(start(FULL, 'count', '{"ms":1}', ...other))).stdout).toBe(
    '{"counted":1}\n',
  );
  expect(kept()).toHaveLength(1);
});

it.each([FULL, MINIMAL])(
  'a task that cannot be resumed now stays, and is named: %s',
  async (program) => {
    const port = await freePort();
    const { child: server, url } = await startHttp('ext', port);
    const first = start(program, 'count', '{"ms":60000}', '--', url);
    const file = () => (program === MINIMAL ? 'task.json' : `.tasks/${kept()[0] ?? ''}`);
    await vi.waitFor(() => expect(statSync(join(folder, file())).isFile()).toBe(true), 30_000);
    await vi.waitFor(() => expect(file()).toMatch(/json$/), 30_000);
    first.kill('SIGKILL');
    server.kill('SIGKILL');
    await once(server, 'exit');
    await startHttp('core', port, join(folder, 'new.db'));
    const { code, stdout, stderr } = await outputOf(start(program, 'count', '{"ms":1}', '--', url));
    expect(code).toBe(1);
    expect(stderr).toMatch(/a task of the ext dialect[^]*delete \S*json/);
    expect(stderr).toContain(file());
    // The full client goes on to the call.
    expect(stdout).toBe(program === FULL ? '{"counted":1}\n' : '');
    expect(existsSync(join(folder, file()))).toBe(true);
  },
);

it('a file that another program deletes meanwhile is skipped', async () => {
  const at = await reach('http', 'ext');
  mkdirSync(join(folder, '.tasks'));
  symlinkSync(join(folder, 'deleted'), join(folder, '.tasks', 'other.json'));
  const { code, stdout, stderr } = await outputOf(start(FULL, 'count', '{"ms":1}', ...at));
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: '{"counted":1}\n' });
});

it.each([
  ['without a server', ['count'], /^Usage: node dist\/main\.js/],
  ['with arguments that are not JSON', ['count', 'ms=1', '--', 'node'], /not valid JSON\nUsage: /],
  [
    'without a server that answers',
    ['--', 'http://127.0.0.1:9/mcp'],
    /Cannot connect to http:.*: connection refused\. Is the server running\?/,
  ],
])('ends with a message %s', async (_, words, message) => {
  const { code, stdout, stderr } = await outputOf(start(FULL, ...words));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(message);
});

it.each([FULL, MINIMAL])('forgets a task that the server lost: %s', async (program) => {
  const port = await freePort();
  const { child: server, url } = await startHttp('ext', port);
  const first = start(program, 'count', '{"ms":60000}', '--', url);
  const file = join(folder, 'task.json');
  if (program === FULL) await whenKept();
  else await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 30_000 });
  first.kill('SIGKILL');
  server.kill('SIGKILL');
  await once(server, 'exit');
  await startHttp('ext', port, join(folder, 'new.db'));
  const { code, stderr } = await outputOf(start(program, '--', url));
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/task/i) as string });
  expect(kept()).toEqual([]);
  expect(existsSync(file)).toBe(false);
});

describe.skipIf(!hasPty)('on a terminal', () => {
  it('leaves a task at its question with Ctrl-C, and asks again at the next start', async () => {
    const at = await reach('http', 'ext');
    const first = openPty([process.execPath, FULL, 'greet', '{}', ...at], folder);
    await first.typed('name {', '\u0003');
    expect(await first.code).toBe(1);
    expect(kept()).toHaveLength(1);
    const second = openPty([process.execPath, FULL, ...at], folder);
    await second.typed('name {', 'Ann\r');
    for (const field of ['age', 'vip', 'likes', 'note']) await second.typed(`${field} {`, '\r');
    expect(await second.code).toBe(0);
    expect(second.shown()).toContain('accept {"name":"Ann"}');
    expect(kept()).toEqual([]);
  });
});

it('a minimal client resumes its task after kill -9', async () => {
  const at = await reach('http', 'ext');
  const first = start(MINIMAL, 'count', '{"ms":4000}', ...at);
  await vi.waitFor(() => expect(existsSync(join(folder, 'task.json'))).toBe(true), 30_000);
  first.kill('SIGKILL');
  const { stdout, stderr } = await outputOf(start(MINIMAL, ...at));
  expect(stdout, stderr).toBe('{"counted":4000}\n');
  expect(stderr).toContain('1 of 2');
  expect(existsSync(join(folder, 'task.json'))).toBe(false);
});

describe('a minimal client', () => {
  it.each([
    ['without a server', ['count']],
    ['with neither a tool nor a task', ['--', process.execPath, SERVER]],
    ['with nothing', []],
  ])('prints its usage %s', async (_, words) => {
    const { code, stderr } = await outputOf(start(MINIMAL, ...words));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^Usage: node dist\/main\.js .*\n$/) as string,
    });
  });

  it('sends no reference to another server', async () => {
    const file = join(folder, 'task.json');
    const text = JSON.stringify({ server: ['https://other.example'], reference: 'secret' });
    writeFileSync(file, text, { mode: 0o600 });
    const at = await reach('stdio', 'ext');
    expect((await outputOf(start(MINIMAL, ...at))).stderr).toMatch(/^Usage/);
    const failed = await outputOf(start(MINIMAL, 'unknown', '{}', ...at));
    expect({ code: failed.code, stderr: failed.stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/unknown/) as string,
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
