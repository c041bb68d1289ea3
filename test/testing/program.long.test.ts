import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CallError } from '../../runtime/client/index.js';
import {
  type ProgramOptions,
  startIssuer,
  startProgram,
  type TestProgram,
} from '../../runtime/testing/index.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shop = new URL('./shop.ts', import.meta.url).href;
const source = (path: string): string => new URL(`../../runtime/${path}`, import.meta.url).href;

/** What every program here begins with. */
const HEAD = `
import { createTaskServer, serveHttp, serveStdio, bearer, introspect } from '${source('server/index.ts')}';
import { running, runUntilStopped } from '${source('program/index.ts')}';
import { verifyJwt } from '${source('server/auth/jwt/index.ts')}';
import { openSqliteStore } from '${source('stores/sqlite/index.ts')}';
import { SHOP } from '${shop}';
const { env } = process;
const store = env.DATABASE === undefined ? {} : { store: openSqliteStore({ file: env.DATABASE }) };
const log = {
  info: (fields, message) => console.error(JSON.stringify({ level: 'info', ...fields, msg: message })),
  error: (fields, message) => console.error(JSON.stringify({ level: 'error', ...fields, msg: message })),
};
const server = await createTaskServer({ ...SHOP, ...store });
`;
const STDIO = `${HEAD}
await runUntilStopped(() => running(server, serveStdio(server)), 0, log);
`;
const HTTP = `${HEAD}
const verify = () => env.AUTH_METHOD === 'jwt'
  ? verifyJwt({ jwks: env.AUTH_JWKS })
  : introspect({ introspection: env.AUTH_INTROSPECTION, clientId: env.AUTH_CLIENT_ID, clientSecret: env.AUTH_CLIENT_SECRET });
const auth = env.AUTH_ISSUER === undefined
  ? { allowUnidentified: true }
  : { auth: bearer({ resource: env.AUTH_RESOURCE, issuer: env.AUTH_ISSUER, verify: verify() }) };
await runUntilStopped(() => running(server, serveHttp(server, { port: Number(env.PORT), ...auth })), 0, log);
`;

/** A folder inside of this repository, where programs find its packages. */
function newFolder(): string {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function programOf(text: string, name = 'main.ts', folder = newFolder()): URL {
  writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, name));
}

async function start(text: string, options?: ProgramOptions): Promise<TestProgram> {
  const program = await startProgram(programOf(text), options);
  onTestFinished(async () => void (await program.kill()));
  return program;
}

/** Whether a process runs. One that has ended may still be in the table, when its parent ended before. */
function alive(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  if (existsSync('/proc/self'))
    return existsSync(path) && !/\) Z /.test(readFileSync(path, 'utf8'));
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a program over stdio', () => {
  it('serves one client in the way that it wants, and ends', async () => {
    const program = await start(STDIO);
    expect(program.url).toBeUndefined();
    const client = await program.connect({ way: 'task 2025-11-25' });
    expect(client.revision).toBe('2025-11-25');
    const handle = await client.start('count', { text: 'one two' });
    expect(handle.reference).toBeDefined();
    expect((await handle.result()).structuredContent).toEqual({ words: 2 });
    await expect(program.connect()).rejects.toThrow('has one client');
    expect(await program.stop()).toEqual({ code: 0, signal: null });
    expect(program.stderr).toContain('"event":"stopped"');
    expect(await program.stop()).toEqual({ code: 0, signal: null });
    expect(alive(program.pid)).toBe(false);
  });

  it('asks the client', async () => {
    const program = await start(STDIO);
    const form = () => ({ action: 'accept' as const, content: { room: 'Tower' } });
    const client = await program.connect({ answer: { form } });
    expect(client.revision).toBe('2026-07-28');
    expect((await client.call('book')).content).toMatchObject([{ text: 'Booked Tower' }]);
  });

  it('ends when its client disconnects', async () => {
    const program = await start(STDIO);
    const client = await program.connect();
    await client.close();
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  it('reports what is not JSON on its standard output', async () => {
    const noise = "console.log('Hello');\n";
    const program = await start(noise + STDIO);
    const client = await program.connect();
    expect((await client.call('count', { text: 'one' })).structuredContent).toEqual({ words: 1 });
    expect(program.errors.map(({ message }) => message)).toEqual([
      'The server wrote a line that is not JSON: Hello',
    ]);
  });
});

describe('a program over HTTP', () => {
  it('serves many clients at a free port', async () => {
    const [a, b] = await Promise.all([start(HTTP), start(HTTP)]);
    expect(a.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(a.url).not.toBe(b.url);
    for (const way of ['plain 2025-11-25', 'task 2026-07-28'] as const) {
      const client = await a.connect({ way });
      expect((await client.call('count', { text: 'one' })).structuredContent).toEqual({ words: 1 });
    }
    expect(await a.stop()).toEqual({ code: 0, signal: null });
  });

  it.each(['jwt', 'introspection'])('knows the tokens of the issuer by %s', async (method) => {
    const issuer = await startIssuer();
    onTestFinished(() => issuer.close());
    const program = await start(HTTP, {
      environment: { ...issuer.environment, AUTH_METHOD: method },
    });
    const client = await program.connect({ token: issuer.token({ sub: 'bob' }) });
    expect((await client.call('greet')).content).toMatchObject([{ text: 'Hello bob' }]);
    for (const token of [undefined, 'forged', issuer.token({ exp: 1 })]) {
      const connecting = program.connect(token === undefined ? {} : { token });
      await expect(connecting).rejects.toThrow(/^Cannot connect to http\S+: HTTP 401: /);
    }
  });

  it('loses its connections with kill, and finds its tasks again', async () => {
    const DATABASE = join(newFolder(), 'tasks.db');
    const issuer = await startIssuer();
    onTestFinished(() => issuer.close());
    const environment = { ...issuer.environment, DATABASE };
    const program = await start(HTTP, { environment });
    const way = 'task 2026-07-28' as const;
    const client = await program.connect({ way, token: issuer.token() });
    const { reference = '' } = await client.start('count', { text: 'one two' });
    const hanging = client.call('hang').catch((error: unknown) => error as CallError);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await program.kill()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await hanging).toMatchObject({ reason: 'lost' });
    const again = await start(HTTP, { environment });
    const next = await again.connect({ way, token: issuer.token() });
    const handle = await next.resume(reference);
    expect((await handle.result()).structuredContent).toEqual({ words: 2 });
  });
});

describe('a program', () => {
  it('gets a clean environment, its arguments and its folder', async () => {
    process.env['LEAKED'] = 'yes';
    onTestFinished(() => void delete process.env['LEAKED']);
    const cwd = newFolder();
    const says = `
      console.error('env: ' + Object.keys(process.env).sort().join());
      console.error('args: ' + process.argv.slice(2).join(), process.cwd());
    `;
    const program = await start(says + STDIO, {
      environment: { GREETING: 'Hi' },
      args: ['--debug', 'x y'],
      cwd,
    });
    expect(program.stderr).toContain('env: GREETING,LOG_LEVEL,PATH,PORT\n');
    expect(program.stderr).toContain(`args: --debug,x y ${cwd}\n`);
  });

  it('says why it ended at its start', async () => {
    const program = startProgram(programOf("console.error('No DATABASE'); process.exit(2);"));
    await expect(program).rejects.toThrow(
      /main\.ts ended at its start with exit code 2\.\nNo DATABASE/,
    );
    const silent = startProgram(programOf('process.exit(0);'));
    await expect(silent).rejects.toThrow('exit code 0. Standard error is empty.');
    await expect(startProgram(join(tmpdir(), 'nowhere.js'))).rejects.toThrow('Cannot find module');
  });

  it('that does not serve in time is killed', async () => {
    const text = 'console.error(String(process.pid)); setInterval(() => undefined, 1000);';
    const failure = await startProgram(programOf(text), { timeout: 3_000 }).then(
      () => new Error('It started'),
      (error: unknown) => error as Error,
    );
    const [, pid = ''] = /did not serve within 3000 ms\.\n(\d+)$/.exec(failure.message) ?? [];
    expect(Number(pid)).toBeGreaterThan(0);
    expect(alive(Number(pid))).toBe(false);
  });

  it('in TypeScript needs tsx', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-bare-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const main = programOf(
      'const x: number = 1; console.error(`Serving at ${x}`);',
      'main.ts',
      folder,
    );
    const started = startProgram(main);
    if ('typescript' in process.features && process.features.typescript) {
      const program = await started;
      expect(program.url).toBeUndefined();
      await program.kill();
    } else {
      await expect(started).rejects.toThrow('needs the package tsx, which is not installed');
    }
  });

  it('is stopped after SIGTERM that it ignores', async () => {
    const text = `
      process.on('SIGTERM', () => undefined);
      setInterval(() => undefined, 1000);
      console.error('Serving at standard input and output');
    `;
    const program = await start(text, { timeout: 5_000 });
    expect(await program.stop()).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it.each(['stop', 'kill'] as const)('ends with %s when its child keeps its pipes', async (how) => {
    const program = await start(
      `${STDIO.replace(
        'await runUntilStopped',
        `import { spawn } from 'node:child_process';
      const child = spawn('node', ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true });
      child.unref();
      console.error('child ' + child.pid);
      await runUntilStopped`,
      )}`,
    );
    const child = Number(/child (\d+)/.exec(program.stderr)?.[1]);
    onTestFinished(() => void process.kill(child));
    const client = await program.connect();
    const end = await program[how]();
    expect(end).toEqual(
      how === 'kill' ? { code: null, signal: 'SIGKILL' } : { code: 0, signal: null },
    );
    await expect(client.tools()).rejects.toMatchObject({ reason: 'lost' });
    expect(alive(child)).toBe(true);
  });

  it('ends with the process of the test', async () => {
    const main = programOf(STDIO);
    const text = `
      import { startProgram } from '${source('testing/index.ts')}';
      const program = await startProgram(new URL('${main.href}'));
      console.error('child ' + program.pid);
      console.error('Serving at nothing');
      process.exit(3);
    `;
    const outer = await start(text);
    expect(await outer.ended).toEqual({ code: 3, signal: null });
    const [, pid = ''] = /child (\d+)/.exec(outer.stderr) ?? [];
    expect(Number(pid)).toBeGreaterThan(0);
    await expect.poll(() => alive(Number(pid)), { timeout: 30_000 }).toBe(false);
  });
});
