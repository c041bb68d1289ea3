import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choose, SERVER } from '../../generator/scaffold/index.js';
import { libsqlDriver, nodeDriver } from '../../runtime/stores/sqlite/driver.js';
import { openSqliteStore } from '../../runtime/stores/sqlite/index.js';
import { hasPty, openPty } from '../support/pty.js';
import { openWorkshop, PROGRAM, type Workshop } from './workshop.js';

/**
 * Root may write everywhere until it gives that up. It stays root, because another user may be kept out of the folder
 * of this repository.
 */
const isRoot = process.getuid?.() === 0;
const GIVING_UP = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--'];
const canGiveUp = isRoot && runs([...GIVING_UP, process.execPath, '-e', '0']);
const STARTER = canGiveUp ? GIVING_UP : [];
const mayBeRefused = !isRoot || canGiveUp;
if (!mayBeRefused) console.warn('Skipped: root needs setpriv to start a server with fewer rights.');

function runs([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}

const PROJECTS = {
  sqlite: { transport: 'http', store: 'sqlite' },
  minimal: { transport: 'http', store: 'sqlite', minimal: 'minimal' },
  local: { transport: 'stdio', store: 'sqlite' },
  postgres: { transport: 'http', store: 'postgres' },
  small: { transport: 'http', store: 'postgres', minimal: 'minimal' },
  memory: { transport: 'stdio', store: 'memory' },
  signed: { transport: 'http', auth: 'jwt', store: 'memory' },
  guarded: { transport: 'http', auth: 'bearer', store: 'memory', minimal: 'minimal' },
};
type Project = keyof typeof PROJECTS;

let workshop: Workshop;
beforeAll(async () => {
  workshop = openWorkshop();
  chmodSync(workshop.folder, 0o755);
  for (const [name, flags] of Object.entries(PROJECTS)) {
    await workshop.makeBuilt({ name, choices: choose(SERVER, flags) });
  }
});
/** The tests run at the same time, so what they leave is removed at the end. */
const leftovers: (() => void)[] = [() => workshop.close()];
afterAll(() => leftovers.reverse().forEach((remove) => remove()));

interface Started {
  readonly code: number | null;
  readonly output: string;
}

/** Starts a project as its user does, and waits for its end. */
async function start(
  project: Project,
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Started> {
  const { PATH = '' } = process.env;
  const server = [process.execPath, PROGRAM, ...args];
  const [program = '', ...words] = [...STARTER, ...server];
  const child = spawn(program, words, {
    cwd: workshop.rootOf(project),
    env: { PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  leftovers.push(() => void child.kill('SIGKILL'));
  // A server over stdio ends with its client.
  child.stdin.end();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

let folders = 0;
/** A folder that only this test writes. */
function folder(mode = 0o777): string {
  const path = join(workshop.folder, `data-${(folders += 1)}`);
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

function file(content: string | undefined): string {
  const path = join(folder(), 'tasks.db');
  if (content !== undefined) {
    writeFileSync(path, content);
    chmodSync(path, 0o666);
  }
  return path;
}

async function newerDatabase(): Promise<string> {
  const path = file(undefined);
  await openSqliteStore({ file: path }).close?.();
  for (const suffix of ['', '-lock']) chmodSync(`${path}${suffix}`, 0o666);
  const db = (nodeDriver() ?? libsqlDriver())?.(path);
  db?.exec('PRAGMA user_version = 99');
  db?.close();
  return path;
}

function databaseInUse(): string {
  const path = file(undefined);
  const store = openSqliteStore({ file: path });
  leftovers.push(() => void store.close?.());
  for (const suffix of ['', '-lock', '-wal', '-shm']) chmodSync(`${path}${suffix}`, 0o666);
  return path;
}

async function portInUse(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  leftovers.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

interface Case {
  readonly title: string;
  readonly projects: readonly Project[];
  readonly env: () => Record<string, string> | Promise<Record<string, string>>;
  readonly code: number;
  /** All that is printed. */
  readonly says: RegExp;
}

const database = (path: string): Record<string, string> => ({ DATABASE: path, PORT: '0' });

/** Options of Node.js with which it does not find a package. */
function without(name: string): Record<string, string> {
  const hooks = `export const resolve = (specifier, context, next) =>
    next(specifier, specifier === '${name}' ? { ...context, parentURL: 'file:///' } : context);`;
  const script = `import { register } from 'node:module'; register(${JSON.stringify(moduleOf(hooks))});`;
  return { NODE_OPTIONS: `--import=${moduleOf(script)}` };
}

const moduleOf = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;

const SIGNED = {
  AUTH_RESOURCE: 'https://mcp.example/mcp',
  AUTH_ISSUER: 'https://login.example',
  AUTH_JWKS: 'https://login.example/jwks',
};
const INTROSPECTED = {
  AUTH_RESOURCE: 'https://mcp.example/mcp',
  AUTH_ISSUER: 'https://login.example',
  AUTH_INTROSPECTION: 'https://login.example/introspect',
  AUTH_CLIENT_ID: 'mcp',
  AUTH_CLIENT_SECRET: 'secret',
};

const CASES: readonly Case[] = [
  {
    title: 'a port in use',
    projects: ['sqlite', 'minimal'],
    env: async () => ({ DATABASE: file(undefined), PORT: String(await portInUse()) }),
    code: 3,
    says: /^Cannot listen at 127\.0\.0\.1:\d+: the port is in use\. Stop the program that uses it, or choose another port\. PORT and HOST set the address\.\n$/,
  },
  {
    title: 'a database in use',
    projects: ['minimal', 'local'],
    env: () => database(databaseInUse()),
    code: 4,
    says: /^\S+tasks\.db is in use by another process\. Stop that process, or choose another file\. DATABASE sets the file\.\n$/,
  },
  {
    title: 'a folder that is missing',
    projects: ['sqlite', 'minimal', 'local'],
    env: () => database(join(folder(), 'missing', 'tasks.db')),
    code: 2,
    says: /^Cannot open \S+missing\/tasks\.db: ENOENT: .*\. Create its folder, or choose another file\. DATABASE sets the file\.\n$/,
  },
  {
    title: 'a folder that is read-only',
    projects: mayBeRefused ? ['minimal'] : [],
    env: () => database(join(folder(0o555), 'tasks.db')),
    code: 4,
    says: /^Cannot open \S+tasks\.db: EACCES: .*\. Check that the folder exists and that this process may write .*\. DATABASE sets the file\.\n$/,
  },
  {
    title: 'a file that is no database',
    projects: ['local'],
    env: () => database(file('My shopping list, which is no database.\n'.repeat(100))),
    code: 4,
    says: /^Cannot open \S+tasks\.db: file is not a database\. Stop the server and restore a backup, or choose another file\. DATABASE sets the file\.\n$/,
  },
  {
    title: 'a database of a newer version',
    projects: ['sqlite'],
    env: async () => database(await newerDatabase()),
    code: 4,
    says: /^\S+tasks\.db was written by a newer version \(99, known: \d+\)\. Update the server, .*\. DATABASE sets the file\.\n$/,
  },
  {
    title: 'a PostgreSQL that is down',
    projects: ['postgres'],
    env: () => ({ DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/tasks', PORT: '0' }),
    code: 4,
    says: /^Cannot connect to PostgreSQL: connect ECONNREFUSED 127\.0\.0\.1:1\. Check host and port, and that the server is running\. DATABASE_URL sets the address; without it PGHOST, PGPORT and so on do\.\n$/,
  },
  {
    title: 'an address that is none',
    projects: ['postgres', 'small'],
    env: () => ({ DATABASE_URL: 'tasks:hush', PORT: '0' }),
    code: 4,
    says: /^Cannot connect to PostgreSQL: the connection string is not postgres:\/\/.* DATABASE_URL sets the address.*\n$/,
  },
  {
    title: 'a name that no schema can have',
    projects: ['postgres'],
    env: () => ({ DATABASE_SCHEMA: 'my tasks' }),
    code: 2,
    says: /^DATABASE_SCHEMA: use 1 to 58 of a-z, .*\n$/,
  },
  {
    title: 'yes instead of true',
    projects: ['postgres'],
    env: () => ({ MIGRATE_AT_START: 'yes' }),
    code: 2,
    says: /^MIGRATE_AT_START is "yes": use true or false\n$/,
  },
  {
    title: 'a package for PostgreSQL that is not installed',
    projects: ['postgres'],
    env: () => ({ PORT: '0', ...without('pg') }),
    code: 2,
    says: /^The PostgreSQL store needs the package pg, which is not installed\. Run: npm install pg\n$/,
  },
  {
    title: 'a package for signed tokens that is not installed',
    projects: ['signed'],
    env: () => ({ PORT: '0', ...SIGNED, ...without('jose') }),
    code: 2,
    says: /^verifyJwt needs the package jose, which is not installed\. Run: npm install jose\n$/,
  },
  {
    title: 'settings that are wrong',
    projects: ['local'],
    env: () => ({ LOG_LEVEL: 'loud' }),
    code: 2,
    says: /^LOG_LEVEL is "loud": Invalid option: .*\n$/,
  },
  ...['DATABASE', 'HOST', 'PORT', 'ALLOWED_HOSTS', 'LOG_LEVEL'].map((name) => ({
    title: `an empty ${name}`,
    projects: ['sqlite'] as const,
    env: () => ({ [name]: '' }),
    code: 2,
    says: new RegExp(`^${name} is empty: set it, or remove it\\n$`),
  })),
  ...['AUTH_ISSUER', 'AUTH_JWKS'].map((name) => ({
    title: `an empty ${name}`,
    projects: ['signed'] as const,
    env: () => ({ ...SIGNED, [name]: '' }),
    code: 2,
    says: new RegExp(`^${name} is empty: set it, or remove it\\n$`),
  })),
  ...['AUTH_ISSUER', 'AUTH_JWKS'].flatMap((name) =>
    ['http://login.example', 'http://localhost.example', 'ftp://login.example'].map((value) => ({
      title: `the ${name} ${value}`,
      projects: ['signed'] as const,
      env: () => ({ ...SIGNED, [name]: value }),
      code: 2,
      says: new RegExp(`^${name}: must be an https: URL, or an http: URL of localhost .*\\n$`),
    })),
  ),
  {
    title: 'an issuer that is no URL',
    projects: ['signed'],
    env: () => ({ ...SIGNED, AUTH_ISSUER: 'login' }),
    code: 2,
    says: /^AUTH_ISSUER: Invalid URL\n$/,
  },
  ...(
    [
      ['AUTH_ISSUER', 'http://login.example', 'AUTH_ISSUER: must be an https: URL'],
      ['AUTH_ISSUER', 'https://login.example#a', 'AUTH_ISSUER: .*fragment'],
      ['AUTH_RESOURCE', 'mcp', 'AUTH_RESOURCE: Invalid URL'],
      ['AUTH_INTROSPECTION', 'x', 'AUTH_INTROSPECTION: Invalid URL'],
    ] as const
  ).map(([name, value, says]) => ({
    title: `the ${name} ${value} of a minimal server`,
    projects: ['guarded'] as const,
    env: () => ({ ...INTROSPECTED, [name]: value }),
    code: 2,
    says: new RegExp(`^${says}.*\\n$`),
  })),
  {
    title: 'an empty address of PostgreSQL',
    projects: ['postgres'],
    env: () => ({ DATABASE_URL: '' }),
    code: 2,
    says: /^DATABASE_URL is empty: set it, or remove it\n$/,
  },
  {
    title: 'a port that is too great',
    projects: ['sqlite'],
    env: () => ({ PORT: '70000' }),
    code: 2,
    says: /^PORT is "70000": .*\n$/,
  },
  {
    title: 'a number that is none',
    projects: ['sqlite'],
    env: () => ({ PORT: 'abc' }),
    code: 2,
    says: /^PORT is "abc": Invalid input: .*\n$/,
  },
  ...['https://api.example', 'api.example:8443', '*'].map((name) => ({
    title: `the allowed host ${name}`,
    projects: ['sqlite'] as const,
    env: () => ({ ...database(file(undefined)), ALLOWED_HOSTS: name }),
    code: 2,
    says: /^allowedHosts: ".*" is not a host name without scheme and port, such as api\.example\n$/,
  })),
  {
    title: 'an allowed origin that is none',
    projects: ['sqlite'],
    env: () => ({ ...database(file(undefined)), ALLOWED_ORIGINS: 'http://x:y:z' }),
    code: 2,
    says: /^allowedOrigins: "http:\/\/x:y:z" is neither a host name .*\n$/,
  },
  {
    title: 'settings that are missing',
    projects: ['guarded'],
    env: () => ({}),
    code: 2,
    says: /^(?:Set AUTH_\w+ in the environment or in \S+guarded\/\.env: .+\n){5}$/,
  },
];

describe.concurrent('a scaffolded server that cannot start says so in one message', () => {
  const runs = CASES.flatMap(({ projects, ...rest }) =>
    projects.map((project) => ({ project, ...rest })),
  );
  it.each(runs)('$title: $project', async ({ project, env, code, says }) => {
    const ran = await start(project, await env());
    expect(ran.output).toMatch(says);
    expect(ran.code).toBe(code);
  });

  it('also when an option is unknown, or the file of a command', async () => {
    const unknown = await start('sqlite', {}, '--port', '80');
    expect(unknown.output).toMatch(/'--port'.* --help lists options and settings\.\n$/);
    const empty = await start('sqlite', { DATABASE: '' }, 'tasks', 'list');
    expect(empty.output).toMatch(/^DATABASE is empty: set it, or remove it\n$/);
    expect([unknown.code, empty.code]).toEqual([2, 1]);
  });

  it.each([
    ['--debug', ['--debug'], {}],
    ['LOG_LEVEL', [], { LOG_LEVEL: 'debug' }],
  ] as const)('and prints the stack too with %s', async (_, args, env) => {
    const path = join(folder(), 'missing', 'tasks.db');
    const { code, output } = await start('sqlite', { ...database(path), ...env }, ...args);
    expect(output).toMatch(/^Cannot open \S+: ENOENT: .* DATABASE sets the file\.\n/);
    expect(output).toMatch(/\n +at openSqliteStore /);
    expect(code).toBe(2);
  });

  it('and names an option that it does not have', async () => {
    const { code, output } = await start('local', {}, '--rule');
    expect(output).toMatch(/^Unknown option '--rule'.*\n$/);
    expect(code).toBe(2);
  });

  it('and migrates nothing when the command has an argument', async () => {
    const { code, output } = await start('postgres', {}, 'migrate', '--help');
    expect(output).toBe('Unexpected argument "--help": migrate takes none.\n');
    expect(code).toBe(2);
  });

  it('and lists no tasks without their database', async () => {
    const { code, output } = await start('sqlite', database(file(undefined)), 'tasks', 'list');
    expect(output).toMatch(/^[^\n]*tasks\.db[^\n]*\n$/);
    expect(code).toBe(1);
  });

  it('and has no board of tasks that are in the memory of a server', async () => {
    const { code, output } = await start('memory', {}, 'board');
    expect(output).toMatch(/^A task board needs a store that a second process can open: .*\n$/);
    expect(code).toBe(2);
  });

  it('and has no board for other machines without an authorization', async () => {
    const args = ['board', '--host', '0.0.0.0'];
    const { code, output } = await start('sqlite', database(databaseInUse()), ...args);
    expect(output).toMatch(
      /^The board at 0\.0\.0\.0 could be used by other machines: .* ssh -L .*\n$/,
    );
    expect(code).toBe(1);
  });
});

describe('the command line of a scaffolded server', () => {
  it.each(['--help', '-h'])('%s prints commands, options and settings', async (option) => {
    // It needs no valid setting.
    const { code, output } = await start('postgres', { PORT: 'abc' }, option);
    expect(code).toBe(0);
    expect(output).toMatch(/^postgres: an MCP server\. .*\n\nUsage:\n {2}node dist\/main\.js /);
    expect(output).toContain('  migrate  Creates or updates the tables\n');
    expect(output).toMatch(/\n {2}--role <role> +What this process does: all, web or worker\n/);
    expect(output).toMatch(/\n {2}PORT +The port to listen at \(default: 3000\)\n/);
    expect(output).toMatch(/\n {2}DATABASE_SCHEMA +The schema .* \(default: mcp_tasks\)\n/);
  });

  it('has a meaning for each setting, and none of another server', async () => {
    for (const project of ['memory', 'sqlite', 'signed'] as const) {
      const { code, output } = await start(project, {}, '--help');
      expect(code).toBe(0);
      expect(output.includes('Commands:')).toBe(project === 'sqlite');
      expect(output).not.toContain('--role');
      const [, settings = ''] = output.split('Environment, or .env in the project:\n');
      expect(settings).toMatch(/^(?: {2}[A-Z_]+ +[A-Z].*\n)+$/);
    }
  });

  it('prints the same of a minimal server', async () => {
    const { code, output } = await start('minimal', { PORT: 'abc' }, '--help');
    expect(code).toBe(0);
    expect(output).toMatch(/^minimal: an MCP server\. .*\n\nUsage:\n {2}node dist\/main\.js /);
    expect(output).toMatch(/\n {2}DATABASE +The file that tasks are kept in; /);
  });

  it('refuses an unknown option of a minimal server', async () => {
    const { code, output } = await start('minimal', {}, '--port', '80');
    expect(output).toMatch(/^Unknown option '--port'.*\n$/);
    expect(code).toBe(2);
  });

  it('--version prints the version of a minimal server', async () => {
    expect(await start('minimal', {}, '-v')).toEqual({ code: 0, output: '0.1.0\n' });
  });

  it('--version prints the version of its package', async () => {
    expect(await start('memory', {}, '--version')).toEqual({ code: 0, output: '0.1.0\n' });
  });
});

describe('a scaffolded server that starts', () => {
  it('logs one line with its address where standard error is no terminal', async () => {
    const { code, output } = await start('local', database(file(undefined)));
    expect(code).toBe(0);
    const lines = output.trim().split('\n');
    const started = lines.map((line) => JSON.parse(line) as { event: string; address?: string });
    expect(started.map(({ event }) => event)).toEqual(['started', 'stopping', 'stopped']);
    expect(started[0]?.address).toBe('standard input and output');
  });

  it.skipIf(!hasPty)('prints the configuration for clients at a terminal', async () => {
    const root = workshop.rootOf('local');
    const terminal = openPty([process.execPath, PROGRAM], root);
    await terminal.typed('Configuration for clients:', '');
    await terminal.typed('\n}', '\u0003');
    const [, printed = ''] = terminal.shown().split('Configuration for clients:');
    const config: unknown = JSON.parse(printed.slice(0, printed.indexOf('\n}') + 2));
    expect(config).toEqual({
      mcpServers: {
        local: {
          command: process.execPath,
          args: [join(root, PROGRAM)],
        },
      },
    });
    // The shell of the terminal gets the signal too, so its exit code is not the server's.
    await terminal.code;
  });
});
