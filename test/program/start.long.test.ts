import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { openSqliteStore } from '../../runtime/stores/sqlite/index.js';
import { freePort } from '../../runtime/testing/free-port.js';
import { hasPty, openPty } from '../support/pty.js';
import { CLIENT_SECRET, startIssuer } from './issuer.js';
import {
  commandOf,
  connect,
  type Environment,
  httpTransport,
  newFolder,
  run,
  start,
  stdioTransport,
  urlOf,
} from './process.js';

async function portInUse(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

/** The text of the answer of `greet`. */
async function greeting(options: Parameters<typeof start>[0]): Promise<string> {
  const client = await connect(stdioTransport(options));
  const { content } = await client.call('greet', { name: 'Ann' });
  await client.close();
  return (content[0] as { readonly text: string }).text;
}

describe('.env', () => {
  it('is that of the project, and not that of the working folder', async () => {
    const [project, cwd] = [newFolder(), newFolder()];
    writeFileSync(join(cwd, '.env'), 'GREETING=Stranger\n');
    const options = { parts: 'stdio', project, cwd };
    expect(await greeting(options)).toBe('Hello, Ann!');
    writeFileSync(join(project, '.env'), '# Of the project\nGREETING="Good morning"\n');
    expect(await greeting(options)).toBe('Good morning, Ann!');
  });

  it('comes after the environment, whose empty settings count', async () => {
    const project = newFolder();
    writeFileSync(join(project, '.env'), 'GREETING=File\n');
    const options = { parts: 'stdio', project };
    expect(await greeting({ ...options, environment: { GREETING: 'Hi' } })).toBe('Hi, Ann!');
    expect(await run({ ...options, environment: { GREETING: '' } })).toEqual({
      code: 2,
      output: 'GREETING is empty: set it, or remove it\n',
    });
  });

  it('sets what the parts read, and what no part does', async () => {
    const project = newFolder();
    const password = 'hush-in-a-file';
    writeFileSync(
      join(project, '.env'),
      `PGHOST=127.0.0.1\nPGPORT=1\nPGPASSWORD=${password}\nDRAIN_MS=1\n`,
    );
    const { code, output } = await run({ parts: 'stdio postgres', project });
    expect(output).toMatch(/^Cannot connect to PostgreSQL: connect ECONNREFUSED 127\.0\.0\.1:1\. /);
    expect(output).not.toContain(password);
    expect(code).toBe(4);
  });

  it('has to be readable', async () => {
    const project = newFolder();
    mkdirSync(join(project, '.env'));
    const { code, output } = await run({ parts: 'stdio', project });
    expect(output).toMatch(/^Cannot read \S+\.env: [A-Z_]+\n$/);
    expect(code).toBe(2);
  });
});

/** Options of Node.js with which it does not find a package. */
function without(name: string): string[] {
  const moduleOf = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
  const hooks = `export const resolve = (specifier, context, next) =>
    next(specifier, specifier === '${name}' ? { ...context, parentURL: 'file:///' } : context);`;
  const script = `import { register } from 'node:module'; register(${JSON.stringify(moduleOf(hooks))});`;
  return ['--import', moduleOf(script)];
}

const AUTH = {
  AUTH_RESOURCE: 'https://mcp.example/mcp',
  AUTH_ISSUER: 'https://login.example',
  AUTH_JWKS: 'https://login.example/jwks',
  AUTH_INTROSPECTION: 'https://login.example/introspect',
  AUTH_CLIENT_ID: 'mcp',
  AUTH_CLIENT_SECRET: CLIENT_SECRET,
};

interface Failure {
  readonly title: string;
  readonly parts: string;
  readonly environment?: Environment | (() => Environment | Promise<Environment>);
  readonly args?: readonly string[];
  readonly node?: readonly string[];
  readonly code: number;
  /** All that is printed. */
  readonly says: RegExp;
}

const FAILURES: readonly Failure[] = [
  {
    title: 'a port in use',
    parts: 'http',
    environment: async () => ({ PORT: await portInUse() }),
    code: 3,
    says: /^Cannot listen at 127\.0\.0\.1:\d+: the port is in use\. .* PORT and HOST set the address\.\n$/,
  },
  {
    title: 'a database in use, which was named',
    parts: 'stdio sqlite',
    environment() {
      const file = join(newFolder(), 'tasks.db');
      const store = openSqliteStore({ file });
      onTestFinished(() => store.close());
      return { DATABASE: file };
    },
    code: 4,
    says: /^\S+tasks\.db is in use by another process\. .* DATABASE sets the file\.\n$/,
  },
  {
    title: 'a folder that is missing',
    parts: 'stdio sqlite',
    environment: { DATABASE: 'missing/tasks.db' },
    code: 2,
    says: /^Cannot open \S+missing\/tasks\.db: ENOENT: .* DATABASE sets the file\.\n$/,
  },
  {
    title: 'a PostgreSQL that is down',
    parts: 'http postgres',
    environment: { DATABASE_URL: 'postgres://me:hush-hush@127.0.0.1:1/tasks' },
    code: 4,
    says: /^Cannot connect to PostgreSQL: connect ECONNREFUSED 127\.0\.0\.1:1\. .* DATABASE_URL sets the address; without it PGHOST, PGPORT and so on do\.\n$/,
  },
  {
    title: 'settings that are wrong and missing, all at once',
    parts: 'http introspection sqlite',
    environment: { PORT: 'abc', LOG_LEVEL: 'loud', AUTH_CLIENT_ID: '', STEPS: '0' },
    code: 2,
    says: new RegExp(
      [
        'LOG_LEVEL is "loud": Invalid option: .*',
        'PORT is "abc": Invalid input: .*',
        'Set AUTH_RESOURCE in the environment or in \\S+/\\.env: The URL .*',
        'Set AUTH_ISSUER in .*',
        'Set AUTH_INTROSPECTION in .*',
        'AUTH_CLIENT_ID is empty: set it, or remove it',
        'Set AUTH_CLIENT_SECRET in .*',
        'STEPS is "0": Too small: .*',
        '$',
      ]
        .join('\\n')
        .replace(/^/, '^'),
    ),
  },
  {
    title: 'an allowed host that is none',
    parts: 'http',
    environment: { ALLOWED_HOSTS: 'https://api.example', PORT: '0' },
    code: 2,
    says: /^allowedHosts: ".*" is not a host name without scheme and port, such as api\.example\n$/,
  },
  ...[
    ['pg', 'http postgres', 'The PostgreSQL store'],
    ['jose', 'http jwt', 'verifyJwt'],
    ['pino', 'stdio', 'The log'],
  ].map(([name = '', parts = '', user = '']) => ({
    title: `the package ${name} that is not installed`,
    parts,
    environment: { ...AUTH, PORT: '0' },
    node: without(name),
    code: 2,
    says: new RegExp(
      `^${user} needs the package ${name}, which is not installed\\. Run: npm install ${name}\\n$`,
    ),
  })),
  {
    title: 'an option that there is none',
    parts: 'http',
    args: ['--port', '80'],
    code: 2,
    says: /^Unknown option '--port'.* --help lists options and settings\.\n$/,
  },
  {
    title: 'a role without nodes',
    parts: 'http sqlite',
    args: ['--role', 'web'],
    code: 2,
    says: /^Unknown option '--role'.* --help lists options and settings\.\n$/,
  },
  {
    title: 'a command that there is none',
    parts: 'stdio sqlite',
    args: ['serve'],
    code: 2,
    says: /^Unknown command "serve"\. Known: tasks, board\.\n$/,
  },
  ...['board', 'tasks'].map((command) => ({
    title: `${command} of tasks in memory`,
    parts: 'stdio',
    args: [command],
    code: 2,
    says: /^\S+ .* needs a store that a second process can open: sqlite\(\) or postgres\(\)\. .*\n$/,
  })),
  {
    title: 'tasks without a database',
    parts: 'stdio sqlite',
    args: ['tasks', 'list'],
    code: 1,
    says: /^There is no database at \S+\/tasks\.db\n$/,
  },
  {
    title: 'tasks with an empty setting',
    parts: 'stdio sqlite',
    environment: { DATABASE: ' ' },
    args: ['tasks', 'list'],
    code: 1,
    says: /^DATABASE is empty: set it, or remove it\n$/,
  },
  {
    title: 'a board for other machines without authorization',
    parts: 'stdio sqlite',
    environment() {
      const file = join(newFolder(), 'tasks.db');
      void openSqliteStore({ file }).close();
      return { DATABASE: file };
    },
    args: ['board', '--host', '0.0.0.0'],
    code: 1,
    says: /^The board at 0\.0\.0\.0 could be used by other machines: .* ssh -L .*\n$/,
  },
  {
    title: 'a name of a part',
    parts: 'http clash',
    code: 1,
    says: /^TypeError: The setting PORT of the settings of runServer is one of the transport: choose another name\n/,
  },
];

describe('a program that cannot start says so, with an exit code', () => {
  it.each(FAILURES)('$title', async ({ parts, environment, args = [], node = [], code, says }) => {
    const given = typeof environment === 'function' ? await environment() : environment;
    const options = { parts, project: newFolder(), environment: given ?? {}, args, node };
    const ran = await run(options);
    expect(ran.output).toMatch(says);
    expect(ran.code).toBe(code);
  });

  it.each([
    ['http postgres', { DATABASE_URL: 'postgres://me:SECRET@127.0.0.1:1/tasks' }],
    ['http postgres', { DATABASE_URL: 'postgres:/SECRET' }],
    ['http postgres', { DATABASE_SCHEMA: 'SECRET' }],
    ['http introspection', { ...AUTH, PORT: 'x', AUTH_CLIENT_SECRET: 'SECRET' }],
    ['http introspection', { ...AUTH, AUTH_RESOURCE: 'SECRET', AUTH_CLIENT_ID: 'SECRET' }],
    ['http introspection', { ...AUTH, AUTH_ISSUER: 'http://u:SECRET@login.example' }],
    ['http introspection', { ...AUTH, AUTH_INTROSPECTION: 'SECRET' }],
    ['http jwt', { ...AUTH, AUTH_JWKS: 'http://127.0.0.1:SECRET@login.example' }],
    ['http jwt', { ...AUTH, AUTH_SCOPES: 'SECRET,,' }],
    ['stdio', { GREETING: 'SECRET', STEPS: '0' }],
  ])('and prints no secret, also with --debug: %s %j', async (parts, environment) => {
    const secret = `Hush${Math.random().toString(36).slice(2)}`;
    const given = Object.fromEntries(
      Object.entries(environment).map(([name, text]) => [name, text.replace('SECRET', secret)]),
    );
    const options = { parts, project: newFolder(), environment: given, args: ['--debug'] };
    const { code, output } = await run(options);
    expect(output).not.toBe('');
    expect(output.toLowerCase()).not.toContain(secret.toLowerCase());
    expect(code).toBeGreaterThan(1);
  });

  it.each([
    ['--debug', ['--debug'], {}],
    ['LOG_LEVEL', [], { LOG_LEVEL: 'debug' }],
  ] as const)('and prints the stack with %s', async (_, args, environment) => {
    const options = { parts: 'stdio sqlite', project: newFolder(), args };
    const ran = await run({ ...options, environment: { ...environment, DATABASE: 'no/x.db' } });
    expect(ran.output).toMatch(/^Cannot open \S+: ENOENT: .* DATABASE sets the file\.\n/);
    expect(ran.output).toMatch(/\n +at openSqliteStore /);
    expect(ran.code).toBe(2);
  });
});

describe('the command line of a program', () => {
  it.each([
    ['--help', /^[\w.-]+: an MCP server\. .*\n\nUsage:\n {2}node app\.mjs \[command\]/],
    ['-v', /^3\.2\.1\n$/],
  ])('%s needs no valid setting', async (option, says) => {
    const project = newFolder();
    writeFileSync(join(project, 'package.json'), '{ "name": "walker", "version": "3.2.1" }');
    const environment = { PORT: 'abc', GREETING: '' };
    const ran = await run({ parts: 'http sqlite', project, environment, args: [option] });
    expect(ran.output).toMatch(says);
    expect(ran.code).toBe(0);
  });
});

describe('the tasks of a program', () => {
  it('are in a file each for two hosts, and in those of the project', async () => {
    const project = newFolder();
    const options = { parts: 'stdio sqlite', project };
    const said: string[] = [];
    const first = await connect(stdioTransport(options));
    const second = await connect(stdioTransport(options, (line) => said.push(line)));
    for (const client of [first, second]) {
      const { content } = await client.call('walk', { ms: 1 });
      expect(content).toEqual([{ type: 'text', text: 'Walked 3 steps' }]);
    }
    expect(said.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        event: 'database',
        file: join(project, 'tasks-2.db'),
        msg: expect.stringMatching(
          /tasks\.db is in use by another process, so .*tasks-2\.db/,
        ) as string,
      }),
    );
    const databases = readdirSync(project).filter((name) => name.endsWith('.db'));
    expect(databases.sort()).toEqual(['tasks-2.db', 'tasks.db']);
    await first.close();
    await second.close();
  });

  it('go on after kill -9, without a step twice', async () => {
    const environment = { PORT: String(await freePort()), STEPS: '8' };
    const options = { parts: 'http sqlite', project: newFolder(), environment };
    const first = start(options);
    const client = await connect(httpTransport(await urlOf(first)));
    const walking = client.call('walk', { ms: 60 });
    await first.said(/Walked 3/);
    first.child.kill('SIGKILL');
    await first.ended();
    const second = start(options);
    expect((await walking).content).toEqual([{ type: 'text', text: 'Walked 8 steps' }]);
    const steps = ({ lines }: typeof first): string[] =>
      lines.flatMap((line) => /Walked (\d)/.exec(line)?.[1] ?? []);
    const [before, after] = [steps(first).length, steps(second)];
    // The last step may have ended without its record.
    expect([String(before), String(before + 1)]).toContain(after[0]);
    expect(after.at(-1)).toBe('8');
    expect(after).toEqual([...new Set(after)]);
  });

  it('live for minutes when anybody may read them, and are listed and copied beside the server', async () => {
    const options = { parts: 'http sqlite', project: newFolder(), environment: { PORT: '0' } };
    const server = start(options);
    const client = await connect(httpTransport(await urlOf(server)));
    await client.call('walk', { ms: 1 });
    const { output } = await run({ ...options, args: ['tasks', 'list', '--json'] });
    const { tasks } = JSON.parse(output) as { tasks: Record<string, string>[] };
    const [task] = tasks;
    expect(task).toMatchObject({ tool: 'walk', status: 'completed' });
    const lives = Date.parse(task?.['expiresAt'] ?? '') - Date.parse(task?.['createdAt'] ?? '');
    expect(lives / 60_000).toBe(10);
    const copy = join(newFolder(), 'copy.db');
    const copied = await run({ ...options, args: ['tasks', 'backup', copy] });
    expect(copied).toEqual({ code: 0, output: `The database was copied to ${copy}\n` });
    expect(existsSync(copy)).toBe(true);
  });

  /** The URL of a board, with its secret if it has one. */
  async function boardOf(options: Parameters<typeof start>[0], ...args: string[]): Promise<string> {
    const board = start({ ...options, args: ['board', ...args] });
    const [, url = ''] = await board.said(/The task board is at (\S+)/);
    return url;
  }

  it('are on a board, for this machine', async () => {
    const options = { parts: 'http sqlite', project: newFolder(), environment: { PORT: '0' } };
    const server = start(options);
    await urlOf(server);
    const url = new URL(await boardOf(options));
    expect(await (await fetch(url)).text()).toContain('mcp-codegen-program-');
    const token = new URLSearchParams(url.hash.slice(1)).get('token') ?? '';
    const tasks = (authorization: string): Promise<Response> =>
      fetch(new URL('/api/tasks', url), { headers: { authorization } });
    expect((await tasks(`Bearer ${token}`)).status).toBe(200);
    expect((await tasks('Bearer stranger')).status).toBe(401);
  });

  it('are on a board for operators, where there is an authorization', async () => {
    const issuer = await startIssuer();
    const environment = { ...issuer.settings, PORT: '0' };
    const options = { parts: 'http jwt sqlite', project: newFolder(), environment };
    await urlOf(start(options));
    const url = (await boardOf(options, '--host', '0.0.0.0')).replace('0.0.0.0', '127.0.0.1');
    const tasks = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(new URL('/api/tasks', url), { headers })).status;
    };
    expect(await tasks(await issuer.token('ann', 'tasks:board'))).toBe(200);
    expect(await tasks(await issuer.token('bob', 'other'))).toBe(403);
    expect(await tasks('stranger')).toBe(401);
  });
});

/** A server with a task whose handler ignores its signal. */
async function deaf(drainMs: number) {
  const environment = { PORT: '0', DRAIN_MS: String(drainMs) };
  const server = start({ parts: 'http sqlite', project: newFolder(), environment });
  const client = await connect(httpTransport(await urlOf(server)));
  await client.start('deaf', {});
  await server.said(/The deaf tool runs/);
  return server;
}

describe('a program stops', () => {
  it('after its drain, although a handler ignores its signal', async () => {
    const server = await deaf(100);
    server.child.kill('SIGTERM');
    const { code, output } = await server.ended();
    expect(code).toBe(0);
    expect(output).toMatch(/"event":"stopping","drainMs":100/);
  });

  it('when tasks have finished that fit in its drain', async () => {
    const environment = { PORT: '0', DRAIN_MS: '60000', STEPS: '6' };
    const server = start({ parts: 'http sqlite', project: newFolder(), environment });
    const client = await connect(httpTransport(await urlOf(server)));
    const walking = await client.start('walk', { ms: 50 });
    await server.said(/Walked 1/);
    server.child.kill('SIGTERM');
    const { code, output } = await server.ended();
    expect(code).toBe(0);
    expect(output).toMatch(/Walked 6.*\n(?:.*\n)*.*"event":"stopped"/);
    expect(walking).toBeDefined();
  });

  it.each([
    ['SIGINT', 'SIGTERM', 143],
    ['SIGTERM', 'SIGINT', 130],
  ] as const)('at once at %s and then %s', async (first, second, code) => {
    // A process that waits for this drain outlives the test.
    const server = await deaf(300_000);
    server.child.kill(first);
    await server.said(/Stopping/);
    server.child.kill(second);
    expect((await server.ended()).code).toBe(code);
  });

  it('when the only client disconnects', async () => {
    const { code, output } = await run({ parts: 'stdio', project: newFolder() });
    expect(code).toBe(0);
    const lines = output.trim().split('\n');
    const logged = lines.map((line) => JSON.parse(line) as { event: string; address?: string });
    expect(logged.map(({ event }) => event)).toEqual(['started', 'stopping', 'stopped']);
    expect(logged[0]?.address).toBe('standard input and output');
  });
});

describe('a program at a terminal', () => {
  it.skipIf(!hasPty)('prints the configuration for clients, and the address', async () => {
    const { command, args, environment } = commandOf({ parts: 'stdio', project: newFolder() });
    const words = ['env', ...Object.entries(environment).map((each) => each.join('=')), command];
    const terminal = openPty([...words, ...args], '/');
    await terminal.typed('Configuration for clients:', '');
    await terminal.typed('\n}', '\u0003');
    const [, printed = ''] = terminal.shown().split('Configuration for clients:');
    const config: unknown = JSON.parse(printed.slice(0, printed.indexOf('\n}') + 2));
    expect(config).toEqual({ mcpServers: { walker: { command, args } } });
    await terminal.code;
  });
});
