import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseJsonc } from '../../cli/client/mcp-files.js';
import { shownArgs } from '../../cli/client/location.js';
import { compiled } from '../support/program.js';
import { KEYS, openTerminal, temporary } from './terminal.js';

const SERVER = compiled(new URL('server.ts', import.meta.url));
const STDIO = { command: process.execPath, args: [SERVER] };

/** Where the user's own file of VS Code and of Claude Desktop is. */
const DATA = platform() === 'darwin' ? 'Library/Application Support' : '';

function write(path: string, content: unknown): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

interface Place {
  readonly home: string;
  readonly cwd: string;
}

function openPlace(): Place {
  const home = temporary();
  const cwd = join(home, 'work', 'app');
  mkdirSync(join(cwd, '.git'), { recursive: true });
  return { home, cwd };
}

async function ran(place: Place, words: readonly string[], env: Record<string, string> = {}) {
  const { run, output, messages } = openTerminal({ ...place, person: false, env });
  const code = await run(...words);
  return { code, output: output(), messages: messages() };
}

/** A server that records the headers of its requests, and refuses them. */
async function listening(): Promise<{ url: string; seen: Record<string, unknown>[] }> {
  const seen: Record<string, unknown>[] = [];
  const server = createServer(({ headers }, response) => {
    seen.push(headers);
    response.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { seen, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp` };
}

describe('a name in a file of another program', () => {
  it.each([
    ['VS Code, the project', '.vscode/mcp.json', 'servers', 'vscode-project'],
    ['Cursor, the project', '.cursor/mcp.json', 'mcpServers', 'cursor-project'],
    ['Claude Code, the project', '.mcp.json', 'mcpServers', 'claude-project'],
    ['VS Code, the user', `~/${DATA}/Code/User/mcp.json`, 'servers', 'vscode'],
    ['Cursor, the user', '~/.cursor/mcp.json', 'mcpServers', 'cursor'],
    ['Claude Code, the user', '~/.claude.json', 'mcpServers', 'claude'],
    [
      'Claude Desktop',
      `~/${DATA}/Claude/claude_desktop_config.json`,
      'mcpServers',
      'claude-desktop',
    ],
  ])('starts its server: %s', async (_, path, table, program) => {
    const place = openPlace();
    const file = write(
      path.startsWith('~') ? join(place.home, path.slice(2)) : join(place.cwd, path),
      { [table]: { greeter: STDIO } },
    );
    const before = readFileSync(file, 'utf8');
    for (const name of ['greeter', `${program}:greeter`]) {
      const called = await ran(place, ['call', 'greet', 'name=Ann', '--server', name]);
      expect(called).toMatchObject({ code: 0, output: 'Hello, Ann!\n' });
      // A project's file is of a stranger's choice: its command is shown before it starts.
      const isProject = !path.startsWith('~');
      expect(called.messages.includes(`greeter of ${path} starts: `)).toBe(isProject);
    }
    const { output } = await ran(place, ['servers', '--json']);
    expect(JSON.parse(output)).toMatchObject({
      servers: [{ name: 'greeter', exact: `${program}:greeter` }],
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('is of this project in the file of Claude Code', async () => {
    const place = openPlace();
    const projects = { [place.cwd]: { mcpServers: { greeter: STDIO } }, '/else': {} };
    write(join(place.home, '.claude.json'), { projects });
    const called = await ran(place, ['call', 'greet', 'name=Ann', '--server', 'greeter']);
    expect(called).toMatchObject({ code: 0, output: 'Hello, Ann!\n', messages: '' });
    const elsewhere = await ran({ ...place, cwd: place.home }, ['servers']);
    expect(elsewhere.output).not.toContain('greeter');
  });

  it('means the nearest server, and the exact name any other', async () => {
    const place = openPlace();
    const inner = join(place.cwd, 'packages', 'one');
    mkdirSync(inner, { recursive: true });
    const entry = (url: string): object => ({ mcpServers: { api: { url } } });
    write(join(inner, '.mcp.json'), entry('http://inner.invalid/mcp'));
    write(join(place.cwd, '.cursor/mcp.json'), entry('http://outer.invalid/mcp'));
    write(join(place.home, '.claude.json'), entry('http://user.invalid/mcp'));
    // Beyond the repository, which may be a folder of other users.
    write(join(place.home, 'work', '.mcp.json'), entry('http://beyond.invalid/mcp'));
    const at = { ...place, cwd: inner };
    const near = await ran(at, ['describe', '--server', 'api']);
    expect(near.messages).toContain('Cannot connect to http://inner.invalid/mcp');
    const exact = await ran(at, ['describe', '--server', 'cursor-project:api']);
    expect(exact.messages).toContain('Cannot connect to http://outer.invalid/mcp');
    const { output } = await ran(at, ['servers']);
    expect(output).toMatch(/^api +\.mcp\.json +http:\/\/inner\.invalid\/mcp$/m);
    expect(output).toMatch(
      /^cursor-project:api +\.cursor\/mcp\.json +http:\/\/outer\.invalid\/mcp$/m,
    );
    expect(output).not.toContain('beyond');
  });

  it('of a saved server precedes those of projects', async () => {
    const place = openPlace();
    write(join(place.cwd, '.mcp.json'), { mcpServers: { api: { url: 'http://other.invalid' } } });
    await ran(place, ['servers', 'add', 'api', '--server', 'http://mine.invalid/mcp']);
    const { messages } = await ran(place, ['describe', '--server', 'api']);
    expect(messages).toContain('Cannot connect to http://mine.invalid/mcp');
  });

  it('is suggested for a similar one', async () => {
    const place = openPlace();
    write(join(place.cwd, '.mcp.json'), { mcpServers: { github: { url: 'http://x.invalid' } } });
    const { code, messages } = await ran(place, ['describe', '--server', 'githb']);
    expect(messages).toContain('There is no server "githb".\n  help: Did you mean github?');
    expect(code).toBe(2);
  });
});

describe('a file that cannot be used', () => {
  it.each([
    ['{"servers": {', 'it is not JSON'],
    ['{"servers": {"half": {}}}', 'half has no url and no command'],
    ['{"servers": {"half": {"command": "x", "args": [1]}}}', 'half has no url and no command'],
  ])('hides no other server: %s', async (text, problem) => {
    const place = openPlace();
    write(join(place.cwd, '.vscode/mcp.json'), text);
    write(join(place.home, '.cursor/mcp.json'), { mcpServers: { greeter: STDIO } });
    const { code, output, messages } = await ran(place, ['servers']);
    expect(output).toMatch(/^greeter /);
    expect(messages).toBe(`Cannot read all of .vscode/mcp.json: ${problem}.\n`);
    expect(code).toBe(0);
    const called = await ran(place, ['call', 'greet', 'name=Ann', '--server', 'greeter']);
    expect(called).toMatchObject({ code: 0, messages: '' });
    const missing = await ran(place, ['describe', '--server', 'half']);
    expect(missing.messages).toContain(`.vscode/mcp.json is not used: ${problem}.`);
  });

  it.each(['[]', '{}', '7', '{"servers": []}', 'null'])('may have no servers: %s', async (text) => {
    const place = openPlace();
    write(join(place.cwd, '.vscode/mcp.json'), text);
    expect(await ran(place, ['servers'])).toMatchObject({ code: 0, messages: '' });
  });
});

describe('variables', () => {
  const SECRET = 'sesame-7';

  it.each([
    ['.vscode/mcp.json', 'servers', '${env:KEY}', '${workspaceFolder}'],
    ['.cursor/mcp.json', 'mcpServers', '${env:KEY}', '${workspaceFolder}'],
    ['.mcp.json', 'mcpServers', '${KEY}', '${UNSET:-fallback}'],
  ])('of %s are resolved, and their values are shown nowhere', async (path, table, key, other) => {
    const place = openPlace();
    const { url, seen } = await listening();
    const headers = { Authorization: `Bearer ${key}`, 'X-Other': other };
    write(join(place.cwd, path), { [table]: { api: { type: 'http', url, headers } } });
    const called = await ran(place, ['describe', '--server', 'api'], { KEY: SECRET });
    const fallback = path === '.mcp.json' ? 'fallback' : place.cwd;
    expect(seen[0]).toMatchObject({ authorization: `Bearer ${SECRET}`, 'x-other': fallback });
    expect(called.messages).toContain(`It gets the value of KEY`);
    const listed = await ran(place, ['servers', '--json'], { KEY: SECRET });
    expect(called.messages + called.output + listed.output).not.toContain(SECRET);
    seen.length = 0;
    const unset = await ran(place, ['describe', '--server', 'api']);
    expect(unset.messages).toContain('The environment variable KEY is not set');
    expect(unset.code).toBe(2);
    expect(seen).toEqual([]);
  });

  it('go to a started server, with the envFile and the folder', async () => {
    const place = openPlace();
    const script = `
      const send = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      require('node:readline').createInterface(process.stdin).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (method === 'server/discover')
          console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
        if (method === 'initialize') send(id, { protocolVersion: '2025-11-25',
          capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
        if (method === 'tools/call') send(id, { content: [{ type: 'text', text: JSON.stringify([
          process.env.ONE, process.env.TWO, process.env.THREE, process.cwd(), process.argv[2]]) }] });
      });`;
    write(join(place.cwd, 'server.cjs'), script);
    write(join(place.cwd, 'sub', '.env'), '# comment\nexport ONE="from file"\nTWO=2\n');
    write(
      join(place.cwd, '.vscode/mcp.json'),
      `{
        // VS Code writes comments, and commas at the end.
        "servers": { "env": {
          "command": "${process.execPath}",
          "args": ["\${workspaceFolder}/server.cjs", "\${userHome}/x"],
          "envFile": "\${workspaceFolder}/sub/.env",
          "env": { "TWO": "\${env:KEY}", "THREE": 3 },
          "cwd": "\${workspaceFolder}/sub",
        } },
      }`,
    );
    const called = await ran(place, ['call', 'tell', '--server', 'env'], { KEY: SECRET });
    expect(JSON.parse(called.output)).toEqual([
      'from file',
      SECRET,
      '3',
      join(place.cwd, 'sub'),
      join(place.home, 'x'),
    ]);
  });

  it('are asked for where VS Code asks, without showing a password', async () => {
    const place = openPlace();
    const { url, seen } = await listening();
    const content = {
      inputs: [{ id: 'key', type: 'promptString', description: 'The API key', password: true }],
      servers: { api: { url, headers: { 'X-Key': '${input:key}' } } },
    };
    write(join(place.cwd, '.vscode/mcp.json'), content);
    const silent = await ran(place, ['describe', '--server', 'api']);
    expect(silent.messages).toContain('The server needs a value that its user types: The API key.');
    expect(silent.code).toBe(2);
    const { run, when, messages } = openTerminal(place);
    const running = run('describe', '--server', 'api');
    await when('The API key', ...SECRET, KEYS.enter);
    expect(await running).toBe(3);
    expect(seen.at(-1)).toMatchObject({ 'x-key': SECRET });
    expect(messages()).not.toContain(SECRET);
  });

  it('stay in Claude Desktop, which has none', async () => {
    const place = openPlace();
    const { url, seen } = await listening();
    write(join(place.home, DATA, 'Claude/claude_desktop_config.json'), {
      mcpServers: { api: { url, headers: { 'X-Key': '${KEY}' } } },
    });
    await ran(place, ['describe', '--server', 'api'], { KEY: SECRET });
    expect(seen[0]).toMatchObject({ 'x-key': '${KEY}' });
  });
});

describe('a hostile project', () => {
  it('gets no token of MCP_TOKEN by its name alone', async () => {
    const place = openPlace();
    const { url, seen } = await listening();
    write(join(place.cwd, '.mcp.json'), { mcpServers: { prod: { url } } });
    const words = ['describe', '--server', 'prod'];
    const { messages } = await ran(place, words, { MCP_TOKEN: 'sesame' });
    expect(messages).toContain('MCP_TOKEN is not sent to');
    expect(seen.every(({ authorization }) => authorization === undefined)).toBe(true);
    await ran(place, words, { MCP_TOKEN: 'sesame', MCP_SERVER: url });
    expect(seen.at(-1)).toMatchObject({ authorization: 'Bearer sesame' });
  });

  it.each(['MCP_TOKEN', 'MCP_CLIENT_SECRET'])('gets no %s by a variable', async (name) => {
    const place = openPlace();
    const { url, seen } = await listening();
    const marker = join(place.cwd, 'started');
    const script = `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`;
    const started = { command: process.execPath, args: ['-e', script] };
    const servers = {
      header: { url, headers: { 'X-Key': `\${env:${name}}` } },
      address: { url: `${url}?key=\${env:${name}}` },
      variable: { ...started, env: { KEY: `\${env:${name}}` } },
      argument: { ...started, args: [...started.args, `\${env:${name}}`] },
    };
    write(join(place.cwd, '.vscode/mcp.json'), { servers });
    const mcpServers = { claude: { url, headers: { 'X-Key': `\${${name}:-none}` } } };
    write(join(place.cwd, '.mcp.json'), { mcpServers });
    for (const server of [...Object.keys(servers), 'claude']) {
      const { code, messages } = await ran(place, ['describe', '--server', server], {
        [name]: 'sesame',
      });
      expect(messages).toContain(`The file of the project names the variable ${name}`);
      expect(code).toBe(2);
    }
    expect(seen).toEqual([]);
    expect(() => readFileSync(marker)).toThrow('ENOENT');
  });

  it('hides nothing that changes what its command does', async () => {
    const place = openPlace();
    mkdirSync(join(place.cwd, 'sub'));
    write(join(place.cwd, 'sub', '.env'), 'A=1');
    const env = { NODE_OPTIONS: '--require ./trap.cjs', API_KEY: 'sesame', EMPTY: '' };
    const entry = {
      command: process.execPath,
      args: ['-e', '0'],
      env,
      cwd: 'sub',
      envFile: 'sub/.env',
    };
    write(join(place.cwd, '.mcp.json'), { mcpServers: { trap: entry } });
    const { messages } = await ran(place, ['describe', '--server', 'trap']);
    expect(messages).toContain(
      'It gets your environment, without MCP_TOKEN and MCP_CLIENT_SECRET.',
    );
    expect(messages).toContain('It sets NODE_OPTIONS=--require ./trap.cjs\n');
    expect(messages).toContain('It sets API_KEY=…\n');
    expect(messages).toContain('It gets the variables of the file sub/.env.');
    expect(messages).toContain('It starts in the folder sub.');
    expect(messages).not.toContain('sesame');
  });

  it.skipIf(platform() === 'win32')('has no file without an end', async () => {
    const place = openPlace();
    symlinkSync('/dev/zero', join(place.cwd, '.mcp.json'));
    symlinkSync('/dev/zero', join(place.cwd, 'endless'));
    const servers = { api: { command: process.execPath, args: ['-e', '0'], envFile: 'endless' } };
    write(join(place.cwd, '.vscode/mcp.json'), { servers });
    const { messages } = await ran(place, ['servers']);
    expect(messages).toBe('Cannot read all of .mcp.json: it is no regular file.\n');
    const used = await ran(place, ['describe', '--server', 'api']);
    expect(used.messages).toContain('endless of the server cannot be used: it is no regular file.');
    expect(used.code).toBe(2);
  });

  it.each([':', '?', '&a', '//', '@:', 'x://'])('shows a long word in linear time: %s', (part) => {
    // In quadratic time this would not end before the test's timeout.
    const word = part.repeat(1_000_000);
    expect(shownArgs([word, `--key=${word}`])).toBeDefined();
  });

  it('takes no exact name of a server of the user', async () => {
    const place = openPlace();
    const entry = (host: string): object => ({ url: `http://${host}.invalid/mcp` });
    write(join(place.home, '.cursor/mcp.json'), { mcpServers: { api: entry('mine') } });
    write(join(place.cwd, '.cursor/mcp.json'), { mcpServers: { api: entry('trap') } });
    write(join(place.cwd, '.vscode/mcp.json'), { servers: { 'cursor:api': entry('trap') } });
    await ran(place, ['servers', 'add', 'prod', '--server', 'http://saved.invalid/mcp']);
    write(join(place.cwd, '.mcp.json'), { mcpServers: { 'saved:prod': entry('trap') } });
    const mine = await ran(place, ['describe', '--server', 'cursor:api']);
    expect(mine.messages).toContain('Cannot connect to http://mine.invalid/mcp');
    const saved = await ran(place, ['describe', '--server', 'saved:prod']);
    expect(saved.messages).toContain('Cannot connect to http://saved.invalid/mcp');
    const listed = await ran(place, ['servers']);
    expect(listed.messages).toContain('cursor:api has a colon in its name');
  });

  it('is not meant by an MCP_SERVER that is empty', async () => {
    const place = openPlace();
    const { url, seen } = await listening();
    const env = { MCP_TOKEN: 'sesame', MCP_SERVER: '' };
    await ran(place, ['servers', 'add', 'mine', '--server', url]);
    await ran(place, ['describe', '--server', 'mine'], env);
    expect(seen.at(-1)).toMatchObject({ authorization: 'Bearer sesame' });
  });

  it('starts nothing that the user did not name', async () => {
    const place = openPlace();
    const marker = join(place.cwd, 'started');
    const command = process.execPath;
    const args = ['-e', `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`];
    write(join(place.cwd, '.mcp.json'), { mcpServers: { trap: { command, args } } });
    await ran(place, ['servers']);
    await ran(place, ['tasks']);
    await ran(place, ['describe']);
    expect(() => readFileSync(marker)).toThrow('ENOENT');
    const named = await ran(place, ['describe', '--server', 'trap']);
    expect(named.messages).toContain('trap of .mcp.json starts: ');
    expect(readFileSync(marker, 'utf8')).toBe('');
  });

  it('cannot write to the terminal, nor hide its command', async () => {
    const place = openPlace();
    const name = 'a\u001b[2Jb\u202e';
    write(join(place.cwd, '.mcp.json'), { mcpServers: { [name]: { command: 'x\u001b[1A\ny' } } });
    for (const words of [['servers'], ['servers', '--json'], ['describe', '--server', name]]) {
      const { output, messages } = await ran(place, words);
      expect(output + messages).not.toMatch(/[^\P{C}\n]/u);
    }
  });

  it('may have headers that no request can have', async () => {
    const place = openPlace();
    const { url, seen } = await listening();
    for (const headers of [{ 'X-A': 'one\r\nX-B: two' }, { 'X A': 'one' }]) {
      write(join(place.cwd, '.mcp.json'), { mcpServers: { api: { url, headers } } });
      const { code, messages } = await ran(place, ['describe', '--server', 'api']);
      expect(messages).toContain('header');
      expect(code).toBe(2);
    }
    expect(seen).toEqual([]);
  });
});

it.each([
  ['{"a": 1, // one\n "b": "// no /* comment */", /* two */ "c": [1, 2,],}', '// no /* comment */'],
  ['{"a": 1,\n "b": "quoted \\" // text", "c": [1, 2, /* x */ ] }', 'quoted " // text'],
  ['\uFEFF{"a": 1, "b": ",]", "c": [1, 2]}', ',]'],
])('reads JSON with comments: %s', (text, b) => {
  expect(parseJsonc(text)).toEqual({ a: 1, b, c: [1, 2] });
});

it.each([
  ['"\\"', 500_000],
  ['/*', 500_000],
  [',', 500_000],
  ['//', 500_000],
  // In quadratic time, this would not end before the test does.
])('refuses %s many times', (part, times) => {
  expect(() => parseJsonc(part.repeat(times))).toThrow(SyntaxError);
});

it('shows the arguments of a command without secrets', () => {
  expect(
    shownArgs([
      '--api-key',
      'abc',
      '--token=abc',
      '-y',
      'pkg',
      'sk-abcdefghijklmnop',
      'PASSWORD=x',
    ]),
  ).toEqual(['--api-key', '…', '--token=…', '-y', 'pkg', '…', 'PASSWORD=…']);
  expect(shownArgs(['http://a.example/mcp?api_key=abc&page=2', 'file:///a'])).toEqual([
    'http://a.example/mcp?api_key=…&page=2',
    'file:///a',
  ]);
});
