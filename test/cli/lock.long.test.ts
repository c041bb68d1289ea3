import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseLock } from '../../contracts/lock/index.js';
import type { Lock } from '../../contracts/lock/index.js';
import { compiled } from '../support/program.js';
import { changed, LOCK, TOOL, withTool } from '../lock/locks.js';
import { run } from './process.js';
import type { Ended } from './process.js';

const SERVER = compiled(new URL('../lock/server.ts', import.meta.url));

let cwd: string;
let command: string[];
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-lock-'));
  command = [process.execPath, SERVER, join(cwd, 'offered.json')];
  offer(LOCK);
});
afterEach(() => rmSync(cwd, { recursive: true }));

const write = (path: string, value: unknown): void =>
  writeFileSync(join(cwd, path), typeof value === 'string' ? value : JSON.stringify(value));
const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');
/** What the server offers when it starts next. */
function offer(lock: Lock): void {
  write('offered.json', lock);
}
const cli = (...args: string[]): Promise<Ended> =>
  run(args, { cwd, env: { MCP_CODEGEN_TRUST: '1' } });
const lock = (...args: string[]): Promise<Ended> => cli('lock', ...args, '--', ...command);

const TWIST = withTool({ description: 'Searches the index for documents, and mails them.' });
const BREAK = withTool({
  inputSchema: { ...(TOOL['inputSchema'] as object), required: ['query', 'limit'] },
});
const MORE = changed((copy) => {
  copy.tools = [TOOL, ...['a', 'b', 'c'].map((name) => ({ ...TOOL, name, title: name }))];
});

describe('mcp-codegen lock', () => {
  it('writes what the server offers, all pages, sorted', async () => {
    offer(MORE);
    const ended = await lock();
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(
      /^Wrote mcp\.lock\.json: 4 tools, 1 prompt, 1 resource, 1 resource template/,
    );
    const written = parseLock(read('mcp.lock.json'), 'mcp.lock.json');
    expect(written.tools.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'search']);
    expect(written).toMatchObject({ instructions: 'Search first.', prompts: LOCK.prompts });
    expect((await lock()).stdout).toMatch(/^Unchanged/);
  });

  it('shows what changed since the lock that it replaces', async () => {
    await lock();
    offer(TWIST);
    const { code, stdout } = await lock();
    expect(code).toBe(0);
    expect(stdout).toContain('Searches the index for [-documents.-]{+documents, and mails them.+}');
    expect(read('mcp.lock.json')).toContain('and mails them');
  });

  it.each([
    ['nothing', LOCK, 0, 0, 0],
    ['a new tool', MORE, 0, 4, 4],
    ['a description', TWIST, 0, 4, 4],
    ['an argument that is required now', BREAK, 4, 4, 4],
  ])('ends --check for %s by --fail-on', async (_, offered, breaking, text, any) => {
    await lock();
    offer(offered);
    const before = read('mcp.lock.json');
    const codes = [];
    for (const level of [['--fail-on', 'breaking'], [], ['--fail-on', 'any']]) {
      codes.push((await lock('--check', ...level)).code);
    }
    expect(codes).toEqual([breaking, text, any]);
    expect(read('mcp.lock.json')).toBe(before);
  });

  it('prints text, JSON, SARIF with the line in the lock, and Markdown', async () => {
    await lock();
    offer(BREAK);
    const text = await lock('--check');
    expect(text.stdout).toContain(
      'breaking    tool "search": input limit: the property "limit" is required now',
    );
    expect(text.stdout).toContain('accepted before: {"query":"text"}');
    const { stdout } = await lock('--check', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      command: 'lock',
      exitCode: 4,
      locks: [
        {
          file: 'mcp.lock.json',
          fails: true,
          counts: { breaking: 1 },
          changes: [{ verdict: 'breaking', witness: { value: { query: 'text' } } }],
        },
      ],
    });
    const sarif = JSON.parse((await lock('--check', '--sarif')).stdout) as {
      runs: [
        { results: [{ locations: [{ physicalLocation: { region: { startLine: number } } }] }] },
      ];
    };
    const { startLine } = sarif.runs[0].results[0].locations[0].physicalLocation.region;
    expect(read('mcp.lock.json').split('\n')[startLine - 1]).toContain('"limit": {');
    expect((await lock('--check', '--markdown')).stdout).toContain('### Breaking');
  });

  it('takes the name of a server of an mcp.json', async () => {
    const [program, ...args] = command;
    write('.mcp.json', { mcpServers: { library: { command: program, args } } });
    expect(await cli('lock', 'library')).toMatchObject({ code: 0 });
    offer(BREAK);
    expect(await cli('lock', '--check', 'library')).toMatchObject({ code: 4 });
  });

  it('compares two locks without a server', async () => {
    await lock('--out', 'old.json');
    offer(BREAK);
    await lock('--out', 'new.json');
    // `guard` and `mock` call it --lock.
    for (const option of ['--out', '--lock']) {
      const codeOf = async (server: string): Promise<number | null> =>
        (await cli('lock', '--check', server, option, 'old.json')).code;
      expect([await codeOf('new.json'), await codeOf('old.json')]).toEqual([4, 0]);
    }
  });

  it('is safe against texts of the server', async () => {
    await lock();
    offer(withTool({ description: 'a\u001b[2J\u202e\u{e0041}b', title: '`<img src=x>`' }));
    for (const format of [[], ['--markdown'], ['--sarif'], ['--json']]) {
      const { stdout, stderr } = await lock('--check', ...format);
      // eslint-disable-next-line no-control-regex
      expect(stdout + stderr).not.toMatch(/[\u001b\u202e]|\u{e0041}/u);
    }
    expect((await lock('--check', '--markdown')).stdout).toContain(
      '`` [-Search-]{+`<img src=x>`+} ``',
    );
  });

  it.each([
    ['{', 5, 3],
    ['{"tools":[]}', 5, 3],
    ['{"lockVersion":9}', 5, 3],
  ])('refuses the file %s, and leaves it', async (content, onWrite, onCheck) => {
    write('mcp.lock.json', content);
    const refused = await lock();
    expect(refused.code).toBe(onWrite);
    expect(refused.stderr).toContain('Nothing was written.');
    expect((await lock('--check')).code).toBe(onCheck);
    expect(read('mcp.lock.json')).toBe(content);
  });

  it('says what is missing', async () => {
    const none = await lock('--check');
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain('There is no lock "mcp.lock.json".');
    expect((await cli('lock')).stderr).toContain('No server is given.');
    const dead = await cli('lock', '--', process.execPath, '-e', 'process.exit(1)');
    expect(dead).toMatchObject({ code: 3, stdout: '' });
    expect(existsSync(join(cwd, 'mcp.lock.json'))).toBe(false);
    expect((await lock('--sarif')).stderr).toContain('--sarif needs --check');
    expect((await lock('--revision', 'x')).stderr).toContain('Unknown revision "x"');
  });
});

describe('locks in mcp-codegen.json', () => {
  beforeEach(() => {
    const tools = [{ name: 'library', source: 'mcp.lock.json' }];
    write('mcp-codegen.json', { revisions: [], tools, locks: [{ server: command }] });
  });

  it('are written and checked, and their tools generated without the server', async () => {
    expect(await cli('lock')).toMatchObject({ code: 0 });
    expect(await cli('lock', '--check')).toMatchObject({ code: 0 });
    rmSync(join(cwd, 'offered.json'));
    expect(await cli('generate')).toMatchObject({ code: 0 });
    expect(read('generated/library.ts')).toContain('search');
    expect(await cli('check', '--offline')).toMatchObject({ code: 0 });
    const gone = await cli('check');
    expect(gone).toMatchObject({ code: 3 });
    expect(gone.stderr).toContain('unreachable-server');
    expect(gone.stdout).toContain('Up to date');
  });

  it('make check end with 4 when the server or the lock changes', async () => {
    await cli('lock');
    await cli('generate');
    const checked = await cli('check');
    expect(checked.code).toBe(0);
    expect(checked.stderr).toMatch(/^mcp-codegen\.json starts [^\n]*\n$/);
    offer(TWIST);
    const drifted = await cli('check');
    expect(drifted.code).toBe(4);
    expect(drifted.stdout).toContain('text        tool "search": description changed');
    await cli('lock');
    const stale = await cli('check');
    expect(stale.code).toBe(4);
    expect(stale.stdout).toContain('stale  generated/library.ts is out of date');
    await cli('generate');
    expect(await cli('check')).toMatchObject({ code: 0 });
  });

  it('are all compared, also when a server before them cannot be asked', async () => {
    const dead = [process.execPath, '-e', 'process.exit(1)'];
    write('dead.json', LOCK);
    write('mcp-codegen.json', {
      revisions: [],
      locks: [{ file: 'dead.json', server: dead }, { server: command }],
    });
    await lock();
    const unreachable = await cli('lock', '--check');
    expect(unreachable.code).toBe(3);
    expect(unreachable.stderr).toMatch(/unreachable-server[^]*dead\.json/);
    expect(unreachable.stdout).toContain('Up to date: mcp.lock.json');
    offer(TWIST);
    const drifted = await cli('lock', '--check');
    expect(drifted.code).toBe(4);
    expect(drifted.stderr).toContain('unreachable-server');
  });

  it('may be all that a project has', async () => {
    write('mcp-codegen.json', { revisions: [], locks: [{ file: 'a.json', server: command }] });
    expect((await cli('check')).stderr).toContain('There is no lock "a.json".');
    await cli('lock');
    expect(await cli('check')).toMatchObject({ code: 0 });
  });
});

describe('the revision of a lock', () => {
  const TOOLS = compiled(new URL('../tools/server.ts', import.meta.url));
  const any = (...args: string[]): Promise<Ended> =>
    cli('lock', ...args, '--', process.execPath, TOOLS);
  const revisionIn = (path: string): unknown => (JSON.parse(read(path)) as Lock).revision;

  it('is the one in which --check asks', async () => {
    await any();
    await any('--revision', '2025-06-18', '--out', 'old.json');
    expect(revisionIn('old.json')).toBe('2025-06-18');
    expect(revisionIn('mcp.lock.json')).not.toBe('2025-06-18');
    expect(await any('--check', '--out', 'old.json')).toMatchObject({ code: 0 });
  });

  it('is a breaking change when the server does not speak it any more', async () => {
    await lock();
    write('mcp.lock.json', { ...parseLock(read('mcp.lock.json'), ''), revision: '2026-07-28' });
    const { code, stdout } = await lock('--check');
    expect(code).toBe(4);
    expect(stdout).toContain('because the server does not speak the old one any more');
  });
});
