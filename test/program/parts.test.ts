import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { createTaskClient } from '../../runtime/client/index.js';
import { assemble, type ProgramOptions } from '../../runtime/program/assembly.js';
import { readCommandLine } from '../../runtime/program/command-line.js';
import { runCommand } from '../../runtime/program/commands.js';
import { helpText } from '../../runtime/program/run-server.js';
import { versionOf } from '../../runtime/program/identity.js';
import {
  http,
  introspection,
  jwt,
  memory,
  postgres,
  type runServer,
  type ServerContext,
  sqlite,
  stdio,
} from '../../runtime/program/index.js';
import { readSettings, type SettingsShape } from '../../runtime/program/settings.js';
import { startServer } from '../../runtime/program/start.js';
import { defineServer, defineTool, type ServerLog } from '../../runtime/server/index.js';
import { createMemoryStore } from '../../runtime/stores/memory/index.js';
import { openSqliteBeside } from '../../runtime/stores/sqlite/index.js';
import { expiresAt } from '../../runtime/tasks/index.js';
import { authorization, tokenOf } from '../server/tokens.js';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const SERVER = defineServer({ name: 'walker', version: '1.2.3', tools: [] });

const NAP = defineTool({
  name: 'nap',
  description: 'Takes a moment.',
  input: z.object({}),
  taskSupport: 'required',
  run: () => 'done',
});

function optionsOf(given: Partial<ProgramOptions<SettingsShape>> = {}) {
  const project = pathToFileURL(`${newFolder()}/`);
  const parts = { transport: stdio(), store: memory(), server: SERVER, project };
  return { ...parts, ...given } satisfies ProgramOptions<SettingsShape>;
}

/** Lines as they were logged. */
function newLog(): { readonly log: ServerLog; readonly lines: string[] } {
  const lines: string[] = [];
  const write = (_: object, message: string): void => void lines.push(message);
  return { log: { debug: write, info: write, warn: write, error: write }, lines };
}

const TRANSPORTS = { stdio: stdio(), http: http(), jwt: http({ auth: jwt() }) };
const INTROSPECTED = http({ auth: introspection() });
const STORES = { memory: memory(), sqlite: sqlite(), postgres: postgres() };
const PROGRAMS = Object.entries({ ...TRANSPORTS, introspection: INTROSPECTED }).flatMap(
  ([transport, part]) =>
    Object.entries(STORES).map(([store, storePart]) => ({
      title: `${transport} and ${store}`,
      ...{ transport, store, parts: { transport: part, store: storePart } },
    })),
);

describe('--help', () => {
  it.each(PROGRAMS)('of $title lists what there is', ({ transport, store, parts }) => {
    const settings = { GREETING: z.string().default('Hello').describe('How users are greeted') };
    const program = assemble(optionsOf({ ...parts, settings }), {});
    const text = helpText(program, join(program.project, 'dist/main.js'));
    const [head = '', usage = '', ...rest] = text.split('\n\n');
    expect(head).toBe('walker: an MCP server. Without a command it serves clients.');
    expect(usage).toBe('Usage:\n  node dist/main.js [command] [options]');
    const isDurable = store !== 'memory';
    const isCluster = store === 'postgres' && transport !== 'stdio';
    const commands = isDurable ? rest.shift() : undefined;
    const names = (section = ''): string[] =>
      [...section.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name);
    expect(names(commands)).toEqual([
      ...(isDurable ? ['tasks', 'board'] : []),
      ...(store === 'postgres' ? ['migrate'] : []),
    ]);
    const [options, environment, ...others] = rest;
    expect(others).toEqual([]);
    expect(names(options)).toEqual(['--debug', ...(isCluster ? ['--role'] : []), '-h,', '-v,']);
    expect(names(environment)).toEqual(Object.keys(program.settings));
    expect(names(environment)).toEqual([
      ...['DRAIN_MS', 'LOG_LEVEL'],
      ...(transport === 'stdio' ? [] : ['HOST', 'PORT', 'ALLOWED_HOSTS', 'ALLOWED_ORIGINS']),
      ...(transport === 'jwt' || transport === 'introspection'
        ? ['AUTH_RESOURCE', 'AUTH_ISSUER', 'AUTH_SCOPES']
        : []),
      ...(transport === 'jwt' ? ['AUTH_JWKS'] : []),
      ...(transport === 'introspection'
        ? ['AUTH_INTROSPECTION', 'AUTH_CLIENT_ID', 'AUTH_CLIENT_SECRET']
        : []),
      ...(store === 'sqlite' ? ['DATABASE'] : []),
      ...(store === 'postgres' ? ['DATABASE_URL', 'DATABASE_SCHEMA', 'MIGRATE_AT_START'] : []),
      ...(isCluster ? ['ROLE', 'CONCURRENCY'] : []),
      'GREETING',
    ]);
    // A meaning for each, and its default.
    expect(environment).toMatch(/^[^\n]+:\n(?: {2}[A-Z_]+ +\S.*(?:\n|$))+$/);
    expect(text).toMatch(/\n {2}GREETING +How users are greeted \(default: Hello\)$/);
    if (transport === 'jwt') expect(text).toMatch(/\n {2}AUTH_JWKS .* \(required\)\n/);
    if (transport === 'http') expect(text).toContain('The port to listen at (default: 3000)\n');
    if (transport === 'http') expect(text).toContain('(default: those of this machine)\n');
  });

  it('is what docs/servers.md shows', () => {
    const page = readFileSync(new URL('../../docs/servers.md', import.meta.url), 'utf8');
    const [, shown] = /\$ node dist\/main\.js --help\n([^`]+?)\n```/.exec(page) ?? [];
    const LONGEST_TEXT = z.coerce.number().default(10_000).describe('The characters of a text');
    const parts = { transport: http(), store: sqlite(), settings: { LONGEST_TEXT } };
    const server = defineServer({ name: 'reports', version: '1.0.0', tools: [] });
    const program = assemble(optionsOf({ ...parts, server }), {});
    expect(helpText(program, join(program.project, 'dist/main.js'))).toBe(shown);
  });

  it('has the name of package.json for a server that a function makes', () => {
    const options = optionsOf({ server: () => SERVER });
    const program = assemble(options, {});
    expect(() => versionOf(program)).toThrow(/^There is no version in \S+package\.json\.$/);
    expect(helpText(program, '/elsewhere/main.js')).toMatch(/^mcp-codegen-program-\w+: an MCP/);
    writeFileSync(join(program.project, 'package.json'), '{ "name": "made", "version": "3.2.1" }');
    expect(helpText(program, '/elsewhere/main.js')).toMatch(
      /^made: an MCP .*\n\nU.*\n {2}node main.js/,
    );
    expect(versionOf(program)).toBe('3.2.1');
    expect(versionOf(assemble(optionsOf(), {}))).toBe('1.2.3');
  });
});

describe('the command line', () => {
  it('takes its options', () => {
    const given = readCommandLine(['--debug', '--role', 'web'], true);
    expect({ ...given }).toEqual({ debug: true, role: 'web' });
    expect({ ...readCommandLine(['-h'], false) }).toEqual({ help: true });
    expect({ ...readCommandLine(['-v'], false) }).toEqual({ version: true });
  });

  it.each([['--port', '80'], ['--role', 'web'], ['server'], ['--debug=1']])(
    'refuses %s',
    (...args) => {
      expect(() => readCommandLine(args, false)).toThrow(/\. --help lists options and settings\.$/);
    },
  );

  it.each(['tasks', 'board'])('refuses %s of tasks in memory, with what to do', async (name) => {
    const running = runCommand(assemble(optionsOf(), {}), [name, 'list']);
    await expect(running).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(
        /^[^\n]+ needs a store that a second process can open: sqlite\(\) or postgres\(\)\. [^\n]+$/,
      ) as string,
    });
  });

  it.each(['', '--help'])('has no command in %j', async (name) => {
    const program = assemble(optionsOf({ store: sqlite() }), {});
    expect(await runCommand(program, [name])).toBeUndefined();
  });

  it.each(['migrate', 'toString', '__proto__'])('has no command %j', async (name) => {
    const program = assemble(optionsOf({ store: sqlite() }), {});
    await expect(runCommand(program, [name])).rejects.toThrow(
      `Unknown command "${name}". Known: tasks, board.`,
    );
  });

  it('migrates without arguments alone', async () => {
    const program = assemble(optionsOf({ store: postgres() }), {});
    await expect(runCommand(program, ['migrate', '--help'])).rejects.toThrow(
      'Unexpected argument "--help": migrate takes none.',
    );
  });
});

describe('the SQLite file', () => {
  const place = {
    name: 'walker',
    log: newLog().log,
    leaving: new AbortController().signal,
  };

  it('is tasks.db in the folder of the project', async () => {
    const project = newFolder();
    const store = await sqlite().open({}, { ...place, project, processPerClient: false });
    onTestFinished(() => store.close());
    expect(existsSync(join(project, 'tasks.db'))).toBe(true);
  });

  it('may be named from there', async () => {
    const project = newFolder();
    mkdirSync(join(project, 'data'));
    const settings = { DATABASE: 'data/own.db' };
    const store = await sqlite().open(settings, { ...place, project, processPerClient: true });
    onTestFinished(() => store.close());
    expect(existsSync(join(project, 'data/own.db'))).toBe(true);
    const tasks = await sqlite().administration?.open(settings, project);
    await tasks?.close();
    expect(tasks).toBeDefined();
  });

  it('is the first that is free where each client starts a process, up to eight', async () => {
    const project = newFolder();
    const { log, lines } = newLog();
    const open = async () =>
      await sqlite().open({}, { ...place, log, project, processPerClient: true });
    const file = (number: number): string => join(project, `tasks-${number}.db`);
    const first = await open();
    expect(lines).toEqual([]);
    // At the same time, because each waits for the first file.
    const others = await Promise.all(Array.from({ length: 7 }, open));
    const inUse = [2, 3, 4, 5, 6, 7, 8].map(
      (number) =>
        `${join(project, 'tasks.db')} is in use by another process, so tasks of this one are kept in ` +
        `${file(number)}. DATABASE sets the file.`,
    );
    expect([...lines].sort()).toEqual(inUse);
    await expect(open()).rejects.toThrow(
      `${file(8)} is in use by another process. Stop that process, or choose another file.`,
    );
    await others[2]?.close();
    const again = await open();
    expect(lines).toHaveLength(8);
    expect(inUse).toContain(lines.at(-1));
    for (const store of [first, ...others, again]) await store.close();
    expect(() => openSqliteBeside({ file: file(9) })).toThrow('There is no database at');
  });

  it('is that of a process whose client has gone, once that process has closed it', async () => {
    const project = newFolder();
    const { log, lines } = newLog();
    const leaving = new AbortController();
    const open = (signal: AbortSignal) =>
      sqlite().open({}, { ...place, log, project, processPerClient: true, leaving: signal });
    const first = await open(leaving.signal);
    expect(existsSync(join(project, 'tasks.db-serving'))).toBe(true);
    leaving.abort();
    expect(existsSync(join(project, 'tasks.db-serving'))).toBe(false);
    const opening = open(new AbortController().signal);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await first.close();
    await (await opening).close();
    expect(lines).toEqual([]);
    expect(existsSync(join(project, 'tasks-2.db'))).toBe(false);
  });

  it('is that of a process that is about to notice that its client has gone', async () => {
    const project = newFolder();
    const leaving = new AbortController();
    const open = (signal: AbortSignal) =>
      sqlite().open({}, { ...place, project, processPerClient: true, leaving: signal });
    const first = await open(leaving.signal);
    const opening = open(new AbortController().signal);
    await new Promise((resolve) => setTimeout(resolve, 300));
    leaving.abort();
    await first.close();
    await (await opening).close();
    expect(existsSync(join(project, 'tasks-2.db'))).toBe(false);
  });

  it.each(['', '0', '-1', 'x', '999999999', '1e3'])(
    'is waited for when no process has the number in its mark: %j',
    async (pid) => {
      const project = newFolder();
      const open = () => sqlite().open({}, { ...place, project, processPerClient: true });
      const first = await open();
      writeFileSync(join(project, 'tasks.db-serving'), pid);
      const opening = open();
      await new Promise((resolve) => setTimeout(resolve, 100));
      await first.close();
      await (await opening).close();
      expect(existsSync(join(project, 'tasks-2.db'))).toBe(false);
    },
  );

  it('is not another one for a file that was named, that is broken, or over HTTP', async () => {
    const project = newFolder();
    const open = (settings: { DATABASE?: string }, processPerClient: boolean) =>
      sqlite().open(settings, { ...place, project, processPerClient });
    const first = await open({}, true);
    onTestFinished(() => first.close());
    await expect(open({}, false)).rejects.toThrow(/tasks\.db is in use by another process/);
    await expect(open({ DATABASE: 'tasks.db' }, true)).rejects.toThrow(/is in use/);
    writeFileSync(
      join(project, 'tasks-2.db'),
      'My shopping list, which is no database.\n'.repeat(9),
    );
    await expect(open({}, true)).rejects.toThrow(/tasks-2\.db: file is not a database/);
  });
});

describe('starting', () => {
  async function start(given: Partial<ProgramOptions<SettingsShape>>, environment = {}) {
    const program = assemble(optionsOf(given), { PORT: '0', ...environment });
    const settings = await readSettings(program.settings, program.environment, '');
    const { log, lines } = newLog();
    const server = await startServer(program, settings, log);
    onTestFinished(() => server.close(0));
    return { address: server.address, lines };
  }

  it('gives the function its own settings and the log, and no secret of a part', async () => {
    const seen: unknown[] = [];
    const { lines } = await start(
      {
        transport: http({ auth: introspection() }),
        settings: { GREETING: z.string() },
        server: ({ settings, log }) => {
          seen.push(settings);
          log.info({}, 'Making it');
          return Promise.resolve(SERVER);
        },
      },
      {
        GREETING: 'Hi',
        AUTH_RESOURCE: 'https://mcp.example/mcp',
        AUTH_ISSUER: 'https://login.example',
        AUTH_INTROSPECTION: 'https://login.example/introspect',
        AUTH_CLIENT_ID: 'mcp',
        AUTH_CLIENT_SECRET: 'hush-hush',
      },
    );
    expect(seen).toEqual([{ GREETING: 'Hi' }]);
    expect(lines[0]).toBe('Making it');
  });

  it('warns of HTTP without authorization, and serves', async () => {
    const { address, lines } = await start({ transport: http() });
    expect(lines).toEqual([expect.stringMatching(/without authorization/)]);
    expect((await fetch(new URL('/health', address))).status).toBe(200);
  });

  const post = (address: string, token: string): Promise<Response> =>
    fetch(address, {
      ...{ method: 'POST', body: '{}' },
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });

  it('takes an authorization of the author', async () => {
    const { address, lines } = await start({ transport: http({ auth: authorization }) });
    expect((await post(address, 'stranger')).status).toBe(401);
    expect((await post(address, tokenOf('ann'))).status).toBe(400);
    expect(lines.filter((line) => line.includes('without authorization'))).toEqual([]);
  });

  it('takes the identity that middleware of the author found', async () => {
    const identify = ({ headers }: { headers: Record<string, unknown> }) =>
      headers['authorization'] === 'Bearer ann'
        ? { issuer: 'i', subject: 'ann', client: 'app', scopes: [] }
        : undefined;
    const { address, lines } = await start({ transport: http({ identify }) });
    expect((await post(address, 'stranger')).status).toBe(401);
    expect((await post(address, 'ann')).status).toBe(400);
    expect(lines.filter((line) => line.includes('without authorization'))).toEqual([]);
  });

  it.each([
    [{}, 10],
    [{ livePerOwner: 5 }, 10],
    [{ ttlDefault: 3_600_000 }, 60],
    [{ ttlMax: 120_000, ttlDefault: 120_000 }, 2],
  ])(
    'SEC-3 gives tasks of anybody minutes, unless the server has limits: %j',
    async (limits, minutes) => {
      const store = createMemoryStore();
      const opened = memory();
      const keeping = { ...opened, open: () => store };
      const definition = { ...SERVER, limits, tools: [NAP] };
      const { address } = await start({ transport: http(), store: keeping, server: definition });
      const client = createTaskClient({ name: 'test', version: '1.0.0' });
      await client.connect(new StreamableHTTPClientTransport(new URL(address)));
      onTestFinished(() => client.close());
      await client.call('nap', {});
      const { administration } = store;
      const [task] = (await administration?.find({ limit: 1, now: Date.now() })) ?? [];
      expect((task ? expiresAt(task) - task.createdAt : 0) / 60_000).toBe(minutes);
    },
  );

  it('has the types of the settings that it declares', () => {
    const needs = { GREETING: z.string() };
    const server = ({ settings }: ServerContext<typeof needs>) => ({
      ...SERVER,
      title: settings.GREETING,
    });
    const parts = { project: new URL('file:///x/'), transport: stdio(), store: memory() };
    const checked = (run: typeof runServer): void => {
      void run({ ...parts, server, settings: needs });
      // @ts-expect-error The server needs the setting.
      void run({ ...parts, server });
      // @ts-expect-error It has another type.
      void run({ ...parts, server, settings: { GREETING: z.coerce.number() } });
    };
    expect(checked).toBeTypeOf('function');
  });
});
