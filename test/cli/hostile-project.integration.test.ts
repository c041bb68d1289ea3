import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { compiled } from '../support/program.js';
import { LOCK } from '../lock/locks.js';
import { KEYS, openTerminal, temporary } from '../client-commands/terminal.js';

const SERVER = compiled(new URL('../lock/server.ts', import.meta.url));
const SECRET = 'sesame-7';
const PRIVATE = 'private-content-7';

/** A home with private files, and in it a folder that a stranger wrote. */
let home: string;
let cwd: string;
/** Written by the stranger's command, when it starts. */
let marker: string;
/** What the stranger's address was sent. */
let requests: { path: string; headers: Record<string, unknown> }[];
let address: string;
let start: string[];

beforeEach(async () => {
  home = temporary();
  cwd = join(home, 'work', 'stranger');
  marker = join(home, 'started');
  requests = [];
  mkdirSync(cwd, { recursive: true });
  const listener = createServer(({ url = '', headers }, response) => {
    requests.push({ path: url, headers });
    response.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  address = `http://127.0.0.1:${String((listener.address() as AddressInfo).port)}/mcp`;
  start = [process.execPath, '-e', `fs.writeFileSync(${JSON.stringify(marker)}, '')`];
  write(join(home, 'private.json'), `{"password": ${PRIVATE}}`);
});

function write(path: string, content: unknown): void {
  const file = join(cwd, path.startsWith('/') ? `../../${path.slice(home.length)}` : path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

const configure = (settings: object): void =>
  write('mcp-codegen.json', { revisions: [], emit: ['types'], ...settings });

async function ran(words: readonly string[], env: Record<string, string> = {}) {
  const { run, input, output, messages } = openTerminal({
    ...{ home, cwd, person: false },
    env: { MCP_TOKEN: SECRET, ...env },
  });
  input.end();
  const code = await run(...words);
  return { code, output: output(), messages: messages() };
}

function expectNothingDone(): void {
  expect(requests).toEqual([]);
  expect(existsSync(marker)).toBe(false);
}

/** Each way in which a file of a project can ask for more than its folder. */
const KINDS: readonly [kind: string, settings: () => object, commands: readonly string[]][] = [
  ['a command for tools', () => ({ tools: [{ name: 'a', server: start }] }), ['generate']],
  ['an address for tools', () => ({ tools: [{ name: 'a', server: address }] }), ['generate']],
  ['a command for a lock', () => ({ locks: [{ server: start }] }), ['check', 'lock']],
  ['an address for a lock', () => ({ locks: [{ server: address }] }), ['check', 'lock']],
  ['a name for a lock', () => ({ locks: [{ server: 'api' }] }), ['check', 'lock']],
  [
    'a name with its source',
    () => ({ locks: [{ server: 'claude-project:api' }] }),
    ['check', 'lock'],
  ],
  ['the address of a schema', () => schemas({ source: address }), ['generate', 'check']],
  ['a schema outside', () => schemas({ source: '../../private.json' }), ['generate', 'check']],
  [
    'a schema at a path',
    () => schemas({ source: join(home, 'private.json') }),
    ['generate', 'check'],
  ],
];

function schemas(entry: object): object {
  return { schemas: [{ name: 'a', ...entry }] };
}

const VARIANTS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  generate: [[], ['--dry-run'], ['--json'], ['--force']],
  check: [[], ['--json']],
  lock: [[], ['--check'], ['--check', '--json'], ['--check', '--sarif']],
};

describe('the folder of a stranger', () => {
  beforeEach(() => {
    write('.mcp.json', { mcpServers: { api: { command: start[0], args: start.slice(1) } } });
    write('mcp.lock.json', LOCK);
  });

  it.each(KINDS)(
    'starts, asks and reads nothing without the word of the user: %s',
    async (_, settings, commands) => {
      configure(settings());
      for (const command of commands) {
        for (const options of VARIANTS[command] ?? []) {
          const { code, output, messages } = await ran([command, ...options]);
          expect(code, `${command} ${options.join(' ')}`).toBe(2);
          expect(output + messages).toMatch(
            /that you have not trusted[^]*--trust once[^]*MCP_CODEGEN_TRUST=[0-9a-f]{64}/,
          );
          expect(output + messages).not.toContain(PRIVATE);
        }
      }
      expectNothingDone();
      expect(readdirSync(cwd).sort()).toEqual(['.mcp.json', 'mcp-codegen.json', 'mcp.lock.json']);
    },
  );

  it('does so for no command at all', async () => {
    configure({
      tools: [
        { name: 'a', server: start },
        { name: 'b', server: address },
      ],
      locks: [{ server: start }, { file: 'b.json', server: address }],
      ...schemas({ source: address }),
    });
    const lines =
      'generate|check|check --offline|lock|lock --check|lock --out b.json|generate --out other|tools|lint|mock|guard|record|' +
      'generate --config mcp-codegen.json|lint mcp.lock.json|list|update|new tool x|cluster x|validate|login|logout|' +
      'servers|servers --json|tasks|describe|call x|prompts|resources|completion bash';
    for (const words of lines.split('|')) await ran(words.split(' '));
    expectNothingDone();
  });

  it('gets the same for what a manifest names', async () => {
    const entry = (from: object): object => ({
      from,
      emit: ['types'],
      errata: true,
      input: '',
      clean: true,
      files: {},
    });
    for (const schema of [address, '../../../private.json']) {
      const protocols = { a: entry({ schema }) };
      write('generated/manifest.json', { manifestVersion: 1, protocols });
      for (const command of ['generate', 'check']) {
        const { code, messages } = await ran([command]);
        expect(code).toBe(2);
        expect(messages).toContain('generated/manifest.json names 1 thing');
      }
    }
    expectNothingDone();
  });
});

describe('a path in the file of a project', () => {
  beforeEach(() => {
    write('schema.json', { $defs: { A: { type: 'string' } } });
    symlinkSync(home, join(cwd, 'link'));
    symlinkSync(join(home, 'nothing'), join(cwd, 'dangling'));
  });

  it.each([
    ['out', () => ({ ...schemas({ source: 'schema.json' }), out: join(home, 'out') })],
    ['out', () => ({ ...schemas({ source: 'schema.json' }), out: '../out' })],
    ['out', () => ({ ...schemas({ source: 'schema.json' }), out: 'link/out' })],
    ['out', () => ({ ...schemas({ source: 'schema.json' }), out: 'dangling' })],
    ['out', () => ({ ...schemas({ source: 'schema.json' }), out: 'a/../../out' })],
    ['schemas/0/refs/*', () => schemas({ source: 'schema.json', refs: { '*': '/' } })],
    ['schemas/0/refs/*', () => schemas({ source: 'schema.json', refs: { '*': '..' } })],
    ['schemas/0/refs/*', () => schemas({ source: 'schema.json', refs: { '*': 'link' } })],
    [
      'schemas/0/refs/u:a',
      () => schemas({ source: 'schema.json', refs: { 'u:a': 'link/private.json' } }),
    ],
    ['locks/0/file', () => ({ locks: [{ file: '../x.json', server: start }] })],
    ['locks/0/file', () => ({ locks: [{ file: 'link/x.json', server: start }] })],
  ])('stays in its folder: %s', async (pointer, settings) => {
    configure(settings());
    for (const command of ['generate', 'check', 'lock']) {
      // `lock` reads the locks, if there are any.
      if (command === 'lock' && !pointer.startsWith('locks')) continue;
      const { code, messages } = await ran([command, '--trust']);
      expect(code).toBe(2);
      expect(messages).toContain('is outside the folder of the project');
      expect(messages).toContain(`mcp-codegen.json#/${pointer}`);
    }
    expectNothingDone();
    expect(readdirSync(home).sort()).toEqual(['private.json', 'work']);
  });

  it('needs no trust when it is in the folder', async () => {
    configure({ ...schemas({ source: './schema.json', refs: { '*': '.' } }), out: './src/../gen' });
    expect(await ran(['generate'])).toMatchObject({ code: 0 });
    expect(await ran(['check'])).toMatchObject({ code: 0, messages: '' });
  });

  it.each([['generated'], ['generated/tools'], ['mcp.lock.json'], ['mcp-codegen.json']])(
    'is no link that leads out: %s',
    async (path) => {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      const target = path.endsWith('.json') ? join(home, 'private.json') : home;
      symlinkSync(target, join(cwd, path));
      const command = {
        'generated/tools': ['tools', '--', ...start],
        'mcp.lock.json': ['lock', '--check', '--', ...start],
      }[path] ?? ['generate', '--trust'];
      const { code, messages } = await ran(command);
      // `tools` asks the server of its command line first.
      expect(code).not.toBe(0);
      expect(messages).not.toContain(PRIVATE);
      expect(readdirSync(home)).not.toContain('manifest.json');
    },
  );

  it.each([
    ['json', `{"password": ${PRIVATE}}`],
    ['json', PRIVATE],
    ['json', `{"${PRIVATE}": {"auth": "${PRIVATE}"}}`],
    ['json', `["${PRIVATE}"]`],
    ['json', `"${PRIVATE}"`],
    ['yaml', `a: "x" ${PRIVATE}`],
    ['yaml', `*${PRIVATE}`],
    ['yaml', `a: !${PRIVATE} x`],
    ['yaml', `%${PRIVATE}\n---\na: 1`],
    ['yaml', PRIVATE],
    ['yaml', `[${PRIVATE}`],
    ['yaml', `"${PRIVATE}\\q"`],
    ['yaml', `${PRIVATE}: x\n${PRIVATE}: y`],
    ['yaml', `@${PRIVATE}`],
    ['yaml', `- ${PRIVATE}\n x`],
  ])('shows nothing of a file that is no schema: %s %s', async (type, content) => {
    write(`other.${type}`, content);
    configure({ ...schemas({ source: `other.${type}` }) });
    for (const words of [['generate'], ['check'], ['generate', '--json']]) {
      const { code, output, messages } = await ran(words);
      expect(code).not.toBe(0);
      expect(output + messages).not.toContain(PRIVATE);
    }
  });
});

describe('the word of the user', () => {
  beforeEach(() => {
    write('offered.json', LOCK);
    start = [process.execPath, SERVER, 'offered.json'];
    configure({ locks: [{ server: start }], tools: [{ name: 'a', server: start }] });
  });

  it('counts for all of the file in its folder, until what it asks for changes', async () => {
    const first = await ran(['lock', '--trust']);
    expect(first.code).toBe(0);
    expect(first.messages).toContain(`mcp-codegen.json starts ${process.execPath}`);
    expect(await ran(['lock', '--check'])).toMatchObject({ code: 0 });
    expect(await ran(['generate'])).toMatchObject({ code: 0 });
    configure({
      locks: [{ server: start }],
      tools: [{ name: 'a', server: start }],
      emit: ['types', 'zod'],
    });
    expect(await ran(['check'])).not.toMatchObject({ code: 2 });
    configure({ locks: [{ server: [...start, 'x'] }], tools: [{ name: 'a', server: start }] });
    expect(await ran(['lock', '--check'])).toMatchObject({ code: 2 });
    // The same command is another program in another folder.
    configure({ locks: [{ server: start }], tools: [{ name: 'a', server: start }] });
    const settings = readFileSync(join(cwd, 'mcp-codegen.json'), 'utf8');
    cwd = join(home, 'work', 'other');
    write('mcp-codegen.json', settings);
    write('mcp.lock.json', LOCK);
    expect(await ran(['lock', '--check'])).toMatchObject({ code: 2 });
  });

  it('notices another meaning of a name', async () => {
    write('.mcp.json', { mcpServers: { api: { command: start[0], args: start.slice(1) } } });
    configure({ locks: [{ server: 'api' }] });
    const { code, messages } = await ran(['lock', '--trust']);
    expect([code, messages]).toEqual([0, expect.stringContaining('api of .mcp.json starts: ')]);
    expect(await ran(['lock', '--check'])).toMatchObject({ code: 0 });
    const entry = {
      command: start[0],
      args: start.slice(1),
      env: { NODE_OPTIONS: '--no-warnings' },
    };
    write('.mcp.json', { mcpServers: { api: entry } });
    expect(await ran(['lock', '--check'])).toMatchObject({ code: 2 });
  });

  it('is a variable in continuous integration, which no started server gets', async () => {
    const { messages } = await ran(['lock']);
    const [, hash = ''] = /MCP_CODEGEN_TRUST=(\w+)/.exec(messages) ?? [];
    for (const [word, code] of [
      ['1', 0],
      [hash, 0],
      [`0,${hash}`, 0],
      ['0', 2],
      ['', 2],
      [hash.slice(1), 2],
    ] as const) {
      expect(await ran(['lock'], { MCP_CODEGEN_TRUST: word }), word).toMatchObject({ code });
    }
    expect(await ran(['lock'])).toMatchObject({ code: 2 });
    const seen = join(home, 'seen');
    const print = `fs.writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env))`;
    configure({ locks: [{ server: [process.execPath, '-e', print] }] });
    await ran(['lock'], { MCP_CODEGEN_TRUST: '1', OTHER: 'x' });
    const env = JSON.parse(readFileSync(seen, 'utf8')) as object;
    expect(env).toMatchObject({ OTHER: 'x' });
    expect(env).not.toHaveProperty('MCP_TOKEN');
    expect(env).not.toHaveProperty('MCP_CODEGEN_TRUST');
  });

  it('is asked for at a terminal, after everything was shown', async () => {
    const refusing = openTerminal({ home, cwd });
    const refused = refusing.run('lock');
    await refusing.when('Do you trust it?', KEYS.enter);
    expect(await refused).toBe(2);
    expect(refusing.messages()).toContain(`starts ${process.execPath}`);
    expect(existsSync(join(cwd, 'mcp.lock.json'))).toBe(false);
    const agreeing = openTerminal({ home, cwd });
    const agreed = agreeing.run('lock');
    await agreeing.when('Do you trust it?', 'y');
    expect(await agreed).toBe(0);
    expect(await ran(['lock', '--check'])).toMatchObject({ code: 0 });
    expect(await openTerminal({ home, cwd: dirname(cwd) }).run('lock', '--no-input')).toBe(2);
  });

  it('lets the token go to the address that was trusted, and to no other', async () => {
    configure({ locks: [{ server: address }] });
    await ran(['lock', '--check']);
    expectNothingDone();
    await ran(['lock', '--trust']);
    expect(requests[0]?.headers).toMatchObject({ authorization: `Bearer ${SECRET}` });
    requests.length = 0;
    // The token of another server.
    await ran(['lock'], { MCP_SERVER: 'https://other.invalid/mcp' });
    expect(requests.length).toBeGreaterThan(0);
    expect(JSON.stringify(requests)).not.toContain(SECRET);
  });
});
