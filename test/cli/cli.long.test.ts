import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DIAGNOSTICS } from '../../generator/diagnostics/index.js';
import { generatorHash } from '../../generator/read/load/index.js';
import { BIN, run, start } from './process.js';
import type { Ended } from './process.js';

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-cli-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const cli = (...args: string[]): Promise<Ended> => run(args, { cwd });
const write = (path: string, content: unknown): void =>
  writeFileSync(join(cwd, path), typeof content === 'string' ? content : JSON.stringify(content));
const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: { Tool: { type: 'object', properties: { name: { type: 'string' } } } },
};
const BROKEN = { ...SCHEMA, $defs: { ...SCHEMA.$defs, Bad: { $ref: '#/$defs/\u001b[31mNo' } } };

/** The one document on stdout; any other output is an error. */
function document({ stdout }: Ended): Record<string, unknown> {
  const parsed = JSON.parse(stdout) as Record<string, unknown>;
  expect(parsed['schemaVersion']).toBe(1);
  expect(parsed['diagnostics']).toBeInstanceOf(Array);
  return parsed;
}

describe('generate', () => {
  it('writes files, reports them, and changes nothing in a second run', async () => {
    write('schema.json', SCHEMA);
    const args = ['generate', '--schema', 'schema.json', '--name', 'mine', '--emit', 'zod'];
    const first = await cli(...args);
    expect(first.code).toBe(0);
    expect(first.stdout.split('\n')).toEqual([
      'create    generated/mine/index.ts',
      'create    generated/mine/types.ts',
      'create    generated/mine/zod.ts',
      'create    generated/support/zod.ts',
      'create    generated/manifest.json',
      '5 created.',
      '',
    ]);
    expect(first.stderr).toBe('mine: generated 3 files\n');
    expect(await cli(...args)).toEqual({ code: 0, stdout: '5 unchanged.\n', stderr: '' });
  });

  it('shows the plan with --dry-run and writes nothing', async () => {
    write('schema.json', SCHEMA);
    const { code, stdout } = await cli('generate', '--schema', 'schema.json', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('create    generated/schema/types.ts\n');
    expect(stdout).toContain('Nothing was written.');
    expect(readdirSync(cwd)).toEqual(['schema.json']);
  });

  it('reads the documents that --ref names, and check notices when they change', async () => {
    write('common.json', { $defs: { Money: { type: 'integer' }, Rate: { type: 'number' } } });
    write('other.json', true);
    write('order.json', {
      $defs: { Order: { $ref: 'urn:common#/$defs/Money' }, Any: { $ref: 'urn:other' } },
    });
    const refs = ['--ref', 'urn:common=common.json', '--ref=urn:other=other.json'];
    const args = ['--schema', 'order.json', ...refs];
    expect(await cli('generate', ...args)).toMatchObject({ code: 0 });
    expect(read('generated/order/types.ts')).toContain('number');
    expect(await cli('check', ...args)).toMatchObject({ code: 0, stderr: '' });
    write('common.json', { $defs: { Money: { type: 'string' } } });
    const { code, stdout } = await cli('check', ...args);
    expect(code).toBe(4);
    expect(stdout).toContain(
      '--schema order.json --ref urn:common=common.json --ref urn:other=other.json\n',
    );
    expect(await cli('list', 'order.json', ...refs)).toMatchObject({ code: 0, stderr: '' });
    const changed = await cli('diff', 'order.json', 'order.json', ...refs);
    expect(changed).toMatchObject({ code: 0, stderr: '' });
  });

  it('stops at a conflict before the first write, unless --force is given', async () => {
    write('schema.json', SCHEMA);
    const args = ['generate', '--schema', 'schema.json', '--emit', 'types'];
    await cli(...args);
    write('generated/schema/types.ts', 'mine');
    write('generated/schema/index.ts', 'mine, too');
    rmSync(join(cwd, 'generated/manifest.json'));
    const { code, stdout } = await cli(...args);
    expect(code).toBe(5);
    expect(stdout).toContain('conflict  generated/schema/types.ts was not generated');
    expect(stdout).toContain('Nothing was written: 2 files are in conflict.');
    expect(read('generated/schema/types.ts')).toBe('mine');
    expect(readdirSync(join(cwd, 'generated'))).toEqual(['schema']);
    expect((await cli(...args, '--force')).code).toBe(0);
    expect(read('generated/schema/types.ts')).toContain('export type Tool');
  });

  it('generates all of a broken schema but the broken places, and ends with 3 only if --strict', async () => {
    write('broken.json', BROKEN);
    const { code, stdout, stderr } = await cli('generate', '--schema', 'broken.json');
    expect(code).toBe(0);
    expect(stdout).toContain('create    generated/broken/types.ts');
    expect(stderr).toContain('warning[dangling-ref]: ');
    const strict = ['--schema', 'broken.json', '--strict'];
    for (const command of ['generate', 'check']) {
      expect(await cli(command, ...strict)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('error[dangling-ref]: ') as string,
      });
    }
    expect(stderr).toContain('  --> broken.json#/$defs/Bad/$ref\n');
    expect(stdout + stderr).not.toContain('\u001b');
    expect(read('generated/broken/types.ts')).toContain('export type Tool');
  });

  it('writes nothing for an unreadable schema', async () => {
    write('schema.json', '{');
    const { code, stderr } = await cli('generate', '2025-11-25', '--schema', 'schema.json');
    expect(code).toBe(3);
    expect(stderr).toContain('error[not-json]');
    expect(readdirSync(cwd)).toEqual(['schema.json']);
  });

  it('reads a schema from a URL', async () => {
    const server = createServer((_, response) => response.end(JSON.stringify(SCHEMA)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/a/b.json`;
    const { code } = await cli('generate', '--schema', `${url}?x=1`);
    server.close();
    expect(code).toBe(0);
    expect(read('generated/b/types.ts')).toContain('from b.json. Do not edit.');
    // The printed command works unchanged.
    expect(read('generated/b/types.ts')).toContain(
      `: npx mcp-codegen generate --schema ${url} --out .\n`,
    );
  });

  it('prints one document with --json', async () => {
    write('schema.json', SCHEMA);
    const ended = await cli('generate', '--schema', 'schema.json', '--emit', 'types', '--json');
    expect(document(ended)).toEqual({
      schemaVersion: 1,
      command: 'generate',
      exitCode: 0,
      out: 'generated',
      dryRun: false,
      protocols: [
        {
          name: 'schema',
          source: 'schema.json',
          unchanged: false,
          files: ['schema/types.ts', 'schema/index.ts'],
        },
      ],
      files: [
        { path: 'schema/index.ts', action: 'create' },
        { path: 'schema/types.ts', action: 'create' },
        { path: 'manifest.json', action: 'create' },
      ],
      diagnostics: [],
    });
  });
});

describe('generate --watch', () => {
  it('generates after each change, goes on after an error, and ends when interrupted', async () => {
    write('one.json', SCHEMA);
    write('mcp-codegen.json', { revisions: [], schemas: [{ name: 'one', source: 'one.json' }] });
    const child = start(['generate', '--watch'], { cwd });
    const ended = once(child, 'close');
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const soon = (check: () => void): Promise<void> => vi.waitFor(check, 20_000);
    // Written while the first result is made.
    await soon(() => expect(output).toContain('one: generated'));
    write('one.json', { ...SCHEMA, $defs: { ...SCHEMA.$defs, Added: { type: 'string' } } });
    await soon(() => expect(read('generated/one/types.ts')).toContain('Added'));
    expect(output).toContain('Watching for changes');
    write('one.json', '{');
    await soon(() => expect(output).toContain('error['));
    write('two.json', '{');
    write('mcp-codegen.json', { revisions: [], schemas: [{ name: 'two', source: 'two.json' }] });
    await soon(() => expect(output).toMatch(/error\[[^]*error\[/));
    // The file became a watched one in a round that failed.
    write('two.json', SCHEMA);
    await soon(() => expect(readdirSync(join(cwd, 'generated'))).toContain('two'));
    await soon(() => expect(readdirSync(join(cwd, 'generated'))).not.toContain('one'));
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  });

  it('generates after a change of a schema in a folder of references', async () => {
    const common = (type: string): object => ({ $id: 'https://example.com/c', type });
    const main = { type: 'array', items: { $ref: 'https://example.com/c' } };
    write('main.json', { $schema: 'https://json-schema.org/draft/2020-12/schema', ...main });
    mkdirSync(join(cwd, 'refs/deep'), { recursive: true });
    write('refs/deep/common.json', common('string'));
    const args = ['generate', '--schema', 'main.json', '--ref', 'refs', '--out', 'out', '--watch'];
    const child = start(args, { cwd });
    const ended = once(child, 'close');
    const soon = (check: () => void): Promise<void> => vi.waitFor(check, 20_000);
    await soon(() => expect(read('out/main/types.ts')).toContain('= string;'));
    write('refs/deep/common.json', common('boolean'));
    await soon(() => expect(read('out/main/types.ts')).toContain('= boolean;'));
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  });

  it('is refused with --json, because its output never ends', async () => {
    expect((await cli('generate', '--watch', '--json')).code).toBe(2);
  });
});

describe('mcp-codegen.json', () => {
  const project = {
    revisions: [],
    schemas: [
      { name: 'one', source: './schema.json' },
      { name: 'two', source: './schema.json' },
    ],
    out: 'src/mcp',
    emit: ['types'],
  };

  it('generates an added revision without arguments', async () => {
    write('schema.json', SCHEMA);
    write('mcp-codegen.json', project);
    expect((await cli('generate')).code).toBe(0);
    expect(readdirSync(join(cwd, 'src/mcp')).sort()).toEqual(['manifest.json', 'one', 'two']);
    expect((await cli('check')).stdout).toBe('Up to date: 4 files in src/mcp.\n');
    write('mcp-codegen.json', { ...project, schemas: project.schemas.slice(0, 1) });
    expect((await cli('check')).code).toBe(4);
    expect((await cli('generate')).stdout).toContain('delete    src/mcp/two/types.ts');
    expect(readdirSync(join(cwd, 'src/mcp')).sort()).toEqual(['manifest.json', 'one']);
  });

  it('keeps generated files of other inputs when arguments name the inputs', async () => {
    write('schema.json', SCHEMA);
    write('mcp-codegen.json', project);
    await cli('generate');
    await cli('generate', '--schema', 'schema.json', '--name', 'three');
    expect(readdirSync(join(cwd, 'src/mcp')).sort()).toEqual([
      'manifest.json',
      'one',
      'three',
      'two',
    ]);
  });

  it('may be in another folder, which its paths are relative to', async () => {
    write('schema.json', SCHEMA);
    write('mcp-codegen.json', project);
    const config = join(cwd, 'mcp-codegen.json');
    const other = mkdtempSync(join(cwd, 'other-'));
    expect((await run(['generate', '--config', config], { cwd: other })).code).toBe(0);
    expect(read('src/mcp/one/types.ts')).toContain('export type Tool');
    expect(readdirSync(other)).toEqual([]);
  });

  it('is refused with a suggestion when it is invalid', async () => {
    write('mcp-codegen.json', { revision: ['2025-11-25'] });
    const { code, stderr } = await cli('generate');
    expect(code).toBe(2);
    expect(stderr).toBe(
      'error[bad-config]: Unknown setting "revision".\n' +
        '  --> mcp-codegen.json#/revision\n' +
        '  help: Did you mean "revisions"?\n',
    );
  });
});

describe('an output folder', () => {
  const SETTINGS = ['--emit', 'types', '--no-errata'] as const;

  it.each([
    ['one revision', ['2025-06-18']],
    ['two revisions', ['2025-06-18', '2026-07-28']],
    ['a schema', ['--schema', 'schemas/one.json', '--name', 'mine']],
    ['a revision and a schema', ['2024-11-05', '--schema', 'schemas/one.json']],
    ['other settings', ['2025-06-18', ...SETTINGS]],
  ])('of %s is checked and generated again without naming them', async (_, inputs) => {
    mkdirSync(join(cwd, 'schemas'));
    write('schemas/one.json', SCHEMA);
    await cli('generate', ...inputs, '--out', 'src/mcp');
    const before = read('src/mcp/manifest.json');
    expect(await cli('check', '--out', 'src/mcp')).toMatchObject({ code: 0, stderr: '' });
    // Below the project, the schema that the manifest names lies outside of the folder.
    const inside = { cwd: join(cwd, 'src'), env: { MCP_CODEGEN_TRUST: '1' } };
    expect(await run(['check', '--out', 'mcp'], inside)).toMatchObject({ code: 0 });
    const again = await cli('generate', '--out', 'src/mcp');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toMatch(/^\d+ unchanged\.\n$/);
    expect(read('src/mcp/manifest.json')).toBe(before);
  });

  it('is mended by the command that check prints', async () => {
    write('my schema.json', SCHEMA);
    await cli('generate', '2025-06-18', '--schema', 'my schema.json', '--name', 'mine');
    for (const args of [[], ['2025-06-18'], ['--schema', 'my schema.json', '--name', 'mine']]) {
      for (const file of ['2025-06-18/types.ts', 'mine/types.ts', 'support/wire.ts']) {
        rmSync(join(cwd, 'generated', file));
      }
      const { code, stdout } = await cli('check', ...args);
      expect(code).toBe(4);
      const advice = /^To fix this, run: mcp-codegen (.*)$/m.exec(stdout)?.[1] ?? '';
      const mending = ['-c', `"${process.execPath}" "${BIN}" ${advice}`];
      expect(spawnSync('sh', mending, { cwd }).status).toBe(0);
      expect(await cli('check', ...args)).toMatchObject({ code: 0 });
      await cli('generate');
    }
  });

  it('is mended by the command that check prints, when a file was edited', async () => {
    await cli('generate', '2025-06-18', '--emit', 'types');
    const file = 'generated/2025-06-18/types.ts';
    write(file, `${read(file)}// edited\n`);
    const { code, stdout } = await cli('check', '2025-06-18', '--emit', 'types');
    expect(code).toBe(4);
    const advice = /move your changes elsewhere, and run: mcp-codegen (.*)$/m.exec(stdout)?.[1];
    expect(await cli(...(advice ?? '').split(' '))).toMatchObject({ code: 0 });
    expect(await cli('check', '2025-06-18', '--emit', 'types')).toMatchObject({ code: 0 });
  });

  it('of one configuration is refused to another, and both are named', async () => {
    write('a.json', { revisions: ['2025-06-18'], out: 'mcp', emit: ['types'] });
    write('b.json', { revisions: ['2024-11-05'], out: 'mcp', emit: ['types'] });
    const [a, b] = [['--config', 'a.json'] as const, ['--config', 'b.json'] as const];
    await cli('generate', ...a);
    const refused = await cli('generate', ...b);
    expect(refused.code).toBe(5);
    expect(refused.stdout).toContain('../a.json');
    expect(refused.stdout).toContain('../b.json');
    expect(readdirSync(join(cwd, 'mcp')).sort()).toEqual(['2025-06-18', 'manifest.json']);
    expect(await cli('check', ...a)).toMatchObject({ code: 0 });
    const taken = await cli('generate', '--force', ...b);
    expect(taken.code).toBe(0);
    expect(readdirSync(join(cwd, 'mcp'))).toContain('2025-06-18');
    expect(await cli('generate', ...b)).toMatchObject({ code: 0 });
  });

  it('loses to a configuration only what that configuration generated', async () => {
    const configure = (...revisions: string[]): void =>
      write('mcp-codegen.json', { revisions, emit: ['types'] });
    await cli('generate', '2025-03-26', '--emit', 'types');
    configure('2025-06-18', '2024-11-05');
    await cli('generate');
    configure('2025-06-18');
    const { stdout } = await cli('generate');
    expect(stdout).toContain('delete    generated/2024-11-05/types.ts');
    expect(readdirSync(join(cwd, 'generated')).sort()).toEqual([
      '2025-03-26',
      '2025-06-18',
      'manifest.json',
    ]);
  });

  it('of a newer version is refused with the revision that is not known', async () => {
    await cli('generate', '2025-06-18', '--emit', 'types');
    const manifest = read('generated/manifest.json').replaceAll('"2025-06-18"', '"2099-01-01"');
    write('generated/manifest.json', manifest);
    const { code, stderr } = await cli('check');
    expect(code).toBe(2);
    expect(stderr).toContain('2099-01-01');
  });
});

describe('check', () => {
  it('lists stale files and the command that fixes them', async () => {
    write('schema.json', SCHEMA);
    const selection = ['--schema', 'schema.json', '--emit', 'types'];
    const missing = await cli('check', ...selection);
    expect(missing.code).toBe(4);
    expect(missing.stdout).toContain('stale  generated/schema/types.ts is missing\n');
    expect(missing.stdout).toContain('mcp-codegen generate');
    await cli('generate', ...selection);
    expect(await cli('check', ...selection)).toMatchObject({ code: 0, stderr: '' });
    write('generated/schema/types.ts', 'mine');
    const edited = await cli('check', ...selection, '--json');
    expect(edited.code).toBe(4);
    expect(document(edited)['stale']).toEqual([
      { path: 'schema/types.ts', reason: 'was edited after it was generated' },
    ]);
    expect(read('generated/schema/types.ts')).toBe('mine');
  });

  it('loads no heavy module when nothing changed', async () => {
    write('schema.json', SCHEMA);
    const selection = ['--schema', 'schema.json'];
    const loaded = async (command: string): Promise<string> => {
      const folder = mkdtempSync(join(cwd, 'coverage-'));
      await run([command, ...selection], { cwd, env: { NODE_V8_COVERAGE: folder } });
      return readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'utf8'))
        .join('');
    };
    const heavy = /node_modules\/(?:prettier|ts-morph|typescript|json-schema-to-typescript)\//;
    expect(await loaded('generate')).toMatch(heavy);
    const check = await loaded('check');
    expect(check).toContain('dist/cli/bin.js');
    expect(check).not.toMatch(/node_modules/);
  });
});

describe('list', () => {
  it('lists the revisions', async () => {
    const { code, stdout } = await cli('list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^revision +definitions +requests/);
    expect(stdout).toMatch(/^2025-11-25 +145 +20 +11$/m);
    expect(stdout).toMatch(/^ext-tasks .* 2026-07-28$/m);
  });

  it('lists the methods of a revision', async () => {
    const { stdout } = await cli('list', '2025-11-25');
    expect(stdout).toMatch(
      /^tools\/call +client → server +CallToolRequestParams +CallToolResult \| CreateTaskResult +server\.tools$/m,
    );
    expect(stdout).toMatch(/^roots\/list +server → client .*client\.roots$/m);
    const { methods } = document(await cli('list', '2025-11-25', '--json'));
    expect(methods).toContainEqual({
      kind: 'notification',
      method: 'notifications/message',
      definition: 'LoggingMessageNotification',
      direction: 'server → client',
      params: 'LoggingMessageNotificationParams',
      capabilities: [{ party: 'server', path: ['logging'] }],
      results: [],
    });
  });
});

describe('list of a folder', () => {
  it('names what was generated, from what and with which settings', async () => {
    write('one.json', SCHEMA);
    const settings = ['--emit', 'types', '--no-errata'];
    await cli('generate', '2025-06-18', '--schema', 'one.json', '--out', 'mcp', ...settings);
    const { code, stdout } = await cli('list', 'mcp');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2025-06-18 +the bundled revision +types +no/m);
    expect(stdout).toMatch(/^one +\.\.\/one\.json +types +no/m);
    const { generated } = document(await cli('list', 'mcp', '--json'));
    expect(generated).toMatchObject([{ name: '2025-06-18' }, { from: { schema: '../one.json' } }]);
  });

  it('is refused for a folder of other files', async () => {
    write('notes.txt', 'x');
    const { code, stderr } = await cli('list', '.');
    expect(code).toBe(2);
    expect(stderr).toContain('Nothing was generated into the folder ".".');
  });
});

describe('diff', () => {
  it('prints counts and changes as text, Markdown or JSON', async () => {
    const revisions = ['2025-11-25', '2026-07-28'];
    const text = await cli('diff', ...revisions);
    expect(text.code).toBe(0);
    expect(text.stdout).toContain('definitions  +42 −32 ~44, ');
    expect(text.stdout).not.toMatch(/restated|unsaid/);
    expect(text.stdout).toContain('16 more definitions differ in notation only; --all lists them.');
    const all = await cli('diff', ...revisions, '--all');
    expect(all.stdout).toContain('definitions  +42 −32 ~60, ');
    expect(all.stdout).toContain('restated');
    const markdown = await cli('diff', ...revisions, '--markdown');
    expect(markdown.stdout).toMatch(/^# `2025-11-25` → `2026-07-28`\n/);
    const { summary } = document(await cli('diff', ...revisions, '--json'));
    expect(summary).toMatchObject({ definitions: { added: 42, removed: 32, changed: 60 } });
  });

  it.each([
    ['nothing', SCHEMA, 0],
    ['a description', { ...SCHEMA, description: 'Other words' }, 0],
    ['the notation', { ...SCHEMA, $defs: { Tool: { anyOf: [SCHEMA.$defs.Tool] } } }, 0],
    ['a type', { ...SCHEMA, $defs: { Tool: { type: 'string' } } }, 3],
    ['a definition', { ...SCHEMA, $defs: { ...SCHEMA.$defs, More: { type: 'string' } } }, 3],
  ])('--exit-code says whether anything differs: %s', async (_, after, code) => {
    write('a.json', SCHEMA);
    write('b.json', after);
    expect((await cli('diff', 'a.json', 'b.json', '--exit-code')).code).toBe(code);
    expect((await cli('diff', 'a.json', 'b.json')).code).toBe(0);
  });

  it('suggests the revision that was meant', async () => {
    const { code, stderr } = await cli('diff', '2025-11-25', '2026-07-82');
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean 2026-07-28?');
  });

  it('reads files', async () => {
    write('a.json', SCHEMA);
    write('b.json', { ...SCHEMA, $defs: { Tool: { type: 'string' } } });
    const { stdout } = await cli('diff', 'a.json', 'b.json');
    expect(stdout).toContain('! changed: { name? } → string  breaks all that send it, all that');
  });
});

describe('schema', () => {
  const bundled = fileURLToPath(new URL('../../schema/2025-11-25/schema.json', import.meta.url));

  it('verify prints the revision', async () => {
    const ended = await cli('schema', 'verify', bundled);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('has the structure of 2025-11-25.');
  });

  it('verify lists the places where a schema differs', async () => {
    const schema = JSON.parse(readFileSync(bundled, 'utf8')) as {
      $defs: Record<string, { properties: Record<string, unknown> }>;
    };
    const tool = schema.$defs['Tool'];
    if (tool) tool.properties['name'] = { type: 'number', description: 'changed' };
    write('schema.json', schema);
    const ended = await cli('schema', 'verify', 'schema.json', '--json');
    expect(ended.code).toBe(3);
    expect(document(ended)).toMatchObject({
      revision: '2025-11-25',
      same: false,
      differences: [
        {
          pointer: '/$defs/Tool/properties/name/type',
          kind: 'different',
          expected: '"string"',
          found: '"number"',
        },
      ],
    });
  });

  it('errata lists corrections with their reasons', async () => {
    const { stdout } = await cli('schema', 'errata', '2025-06-18');
    expect(stdout).toContain('elicit-result-fraction  2025-06-18\n');
    expect(document(await cli('schema', 'errata', '2024-11-05', '--json'))['errata']).toEqual([]);
  });
});

describe('the command line', () => {
  it.each([[[]], [['new']], [['schema']]])('%j alone prints the help', async (words) => {
    const alone = await cli(...words);
    expect(alone).toMatchObject({ code: 0, stderr: '' });
    expect(alone.stdout).toBe((await cli(...words, '--help')).stdout);
    expect(alone.stdout).toMatch(/^Usage: mcp-codegen /);
  });

  it('starts the help of every command with its usage, and shows no empty default', async () => {
    for (const words of [['generate'], ['check'], ['validate'], ['tools'], ['new', 'server']]) {
      const { stdout } = await cli(...words, '--help');
      expect(stdout.split('\n')[0]).toMatch(new RegExp(`^Usage: mcp-codegen ${words.join(' ')}`));
      expect(stdout.indexOf('Examples:')).toBeLessThan(stdout.indexOf('Options:'));
      expect(stdout).not.toContain('[default: []]');
    }
    const { stdout } = await cli('new', 'server', '--help');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('stdio|http (default: stdio)');
  });

  it('prints the version with -v', async () => {
    expect((await cli('-v')).stdout).toBe((await cli('--version')).stdout);
  });

  it.each([
    ['generate', ['generate', '2025-06-18', '--out', 'file/below']],
    ['check', ['check', '2025-06-18', '--out', 'file/below']],
    ['new server', ['new', 'server', 'file/below', '--yes']],
    ['validate', ['validate', 'file/below']],
    ['diff', ['diff', '2025-06-18', '--', './file/below']],
  ])('%s says what is wrong with a path, and ends with 2', async (_, words) => {
    write('file', 'x');
    const { code, stderr } = await cli(...words.filter((word) => word !== '--'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/a part of the path is not a folder/);
    expect(stderr).not.toMatch(/ {4}at |lstat|Unknown revision/);
  });

  it.each([
    [['generate']],
    [['check']],
    [['list']],
    [['diff']],
    [['validate']],
    [['schema']],
    [['schema', 'verify']],
    [['schema', 'errata']],
    [['completion']],
  ])('%j --help shows examples after the usage', async (command) => {
    const { code, stdout, stderr } = await cli(...command, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: mcp-codegen .*\n\n(?:.*\n\n)?Examples:\n {2}mcp-codegen /);
  });

  it.each<[string[], string]>([
    [['--json'], 'No command is given.'],
    [['generat'], 'Did you mean generate?'],
    [['schema', 'verfy'], 'Did you mean verify?'],
    [['generate', '--ouput', 'x'], 'Unknown option "--ouput".'],
    [['generate', '--emits', 'x'], 'Did you mean --emit?'],
    [['generate', '2025-11-26'], 'Did you mean 2025-11-25?'],
    [['generate', '--emit', 'zodd'], 'Did you mean zod?'],
    [['generate', '--out'], '--out needs a value.'],
    [['generate', '--out', 'a', '--out', 'b'], '--out is given twice.'],
    [['generate', '--name', 'x'], '--name needs --schema.'],
    [['generate', '--schema', 'x', '--name', '../x'], 'Invalid folder name "../x" for --name.'],
    [['generate', '--config', 'no.json'], 'Cannot find the configuration file "no.json".'],
    [['generate', '--', 'x'], 'Unexpected argument "x".'],
    [['diff', '2025-11-25'], 'An argument is missing.'],
    [['diff', '2025-11-25', '2026-07-28', 'x'], 'Unexpected argument "x".'],
    [['diff', 'a', 'b', '--json', '--markdown'], 'cannot be combined'],
    [['list', 'no.json'], 'error[not-found]'],
    [['completion', 'fish'], 'Known: bash, zsh.'],
  ])('refuses %j', async (args, message) => {
    const json = args.includes('--json');
    const { code, stdout, stderr } = await cli(...args);
    expect(code).toBe(2);
    expect(json ? stdout : stderr).toContain(message);
    if (!json) expect(stdout).toBe('');
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('prints a document with --json for a usage error', async () => {
    const ended = await cli('generate', '--ouput', 'x', '--json');
    expect(ended).toMatchObject({ code: 2, stderr: '' });
    expect(document(ended)).toMatchObject({
      exitCode: 2,
      error: { message: 'Unknown option "--ouput".', help: 'Did you mean --out?' },
    });
  });

  it('documents every diagnostic code', async () => {
    write('broken.json', BROKEN);
    const { diagnostics } = document(await cli('list', 'broken.json', '--json'));
    for (const { code } of diagnostics as { code: string }[]) {
      expect(Object.keys(DIAGNOSTICS)).toContain(code);
    }
  });

  it('prints stack traces with --debug only', async () => {
    write('out', 'a file where a folder should be');
    const args = ['generate', '2024-11-05', '--out', 'out/x'];
    const plain = await cli(...args);
    expect(plain.code).toBe(2);
    expect(plain.stderr).toMatch(/^error: /m);
    expect(plain.stderr).not.toMatch(/\n {4}at /);
    expect((await cli(...args, '--debug')).stderr).toMatch(/\n {4}at /);
  });

  it.each<[string, Record<string, string>, string[], boolean]>([
    ['not into a pipe', {}, [], false],
    ['where they are forced', { FORCE_COLOR: '1' }, [], true],
    ['not where they are forced off', { FORCE_COLOR: '0' }, [], false],
    ['not under --no-color', { FORCE_COLOR: '1' }, ['--no-color'], false],
    ['not in a document', { FORCE_COLOR: '1' }, ['--json'], false],
  ])('prints colours %s', async (_, env, more, coloured) => {
    const { stdout } = await run(['list', ...more], { cwd, env });
    expect(stdout.includes('\u001b[')).toBe(coloured);
  });

  it('ends without an error when the reader of its output closes the pipe', async () => {
    const child = start(['diff', '2025-11-25', '2026-07-28'], { cwd });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stderr).toBe('');
  });

  it('ends with 130 when it is interrupted, without partial files', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const child = start(['generate', '--schema', `http://127.0.0.1:${port}/x.json`], { cwd });
    await once(server, 'request');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    server.closeAllConnections();
    server.close();
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each(['bash', 'zsh'])(
    'prints completions for %s that ask the command itself',
    async (shell) => {
      const { code, stdout } = await cli('completion', shell);
      expect(code).toBe(0);
      expect(stdout).toContain('mcp-codegen --get-yargs-completions');
    },
  );

  it.each<[string[], string[]]>([
    [[''], ['generate', 'check', 'list', 'diff', 'validate', 'schema', 'completion']],
    [
      ['generate', ''],
      ['2025-11-25', 'ext-tasks'],
    ],
    [
      ['generate', '--'],
      ['--schema', '--dry-run'],
    ],
    [
      ['schema', ''],
      ['verify', 'errata'],
    ],
    [
      ['validate', '--'],
      ['--revision', '--max-errors'],
    ],
    [
      ['new', 'server', '--transport', ''],
      ['stdio', 'http'],
    ],
    [
      ['new', 'server', 'x', '--capabilities', 'tasks-list,'],
      ['tasks-list,tasks-cancel', 'tasks-list,sampling'],
    ],
    [
      ['generate', '--emit', 'zod,'],
      ['zod,types', 'zod,validators'],
    ],
    [
      ['diff', '2025-11-25', ''],
      ['2025-11-25', '2026-07-28'],
    ],
    [
      ['list', ''],
      ['2025-11-25', '2026-07-28'],
    ],
  ])('completes %j', async (words, expected) => {
    const { stdout } = await cli('--get-yargs-completions', 'mcp-codegen', ...words);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(expected));
  });

  it.skipIf(spawnSync('bash', ['--version']).error)('completes in a real bash', async () => {
    const { stdout: script } = await cli('completion', 'bash');
    write('mcp-codegen', `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
    chmodSync(join(cwd, 'mcp-codegen'), 0o755);
    const complete = (...words: string[]): string[] => {
      const lines = [
        script,
        `COMP_WORDS=(mcp-codegen ${words.join(' ')}); COMP_CWORD=${String(words.length)}`,
        '_mcp_codegen_completions; printf "%s\\n" "${COMPREPLY[@]}"',
      ];
      const env = { PATH: `${cwd}:${process.env['PATH'] ?? ''}` };
      const ended = spawnSync('bash', ['-c', lines.join('\n')], { cwd, env, encoding: 'utf8' });
      return ended.stdout.trim().split('\n');
    };
    expect(complete('gen')).toEqual(['generate']);
    expect(complete('check', '2025-1')).toEqual(['2025-11-25']);
    expect(complete('list', './mcp-c')).toEqual(['./mcp-codegen']);
    expect(complete('new', 'server', '--store', 's')).toEqual(['sqlite']);
    write('trace.jsonl', '');
    expect(complete('validate', "''")).toContain('trace.jsonl');
    expect(complete('validate', 'tr')).toEqual(['trace.jsonl']);
  });

  it('contains the hash of the generator that it was built from', () => {
    const noted = fileURLToPath(new URL('../../dist/generator.sha256', import.meta.url));
    expect(readFileSync(noted, 'utf8')).toBe(generatorHash());
  });
});
