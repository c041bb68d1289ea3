import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { repository } from '../schema/bundled.js';
import { nextRevision } from '../schema/next-revision.js';
import { BIN, run } from './process.js';

/** A project with a draft beside released revisions, as docs/upgrading.md shows it. */

const PAGE = readFileSync(join(repository, 'docs/upgrading.md'), 'utf8');
const section = PAGE.slice(PAGE.indexOf('### A draft'), PAGE.indexOf('### Servers and clients on'));
const [, CONFIG = ''] = /^```json\n(.*?)^```/ms.exec(section) ?? [];
const [, COMMANDS = ''] = /^```sh not-run.*?\n(.*?)^```/ms.exec(section) ?? [];
const DRAFT = nextRevision('2026-07-28');
const CHANGED = DRAFT.replace('"gadgets/search"', '"gadgets/find"');
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'draft-'));
  write('mcp-codegen.json', CONFIG);
  write('draft.json', DRAFT);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text);
}

const cli = (...args: string[]) => run(args, { cwd: folder, env: { MCP_CODEGEN_TRUST: '1' } });

it('is generated, checked and compared by the commands of the page', async () => {
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(BIN, join(bin, 'mcp-codegen'));
  const shell = promisify(execFile)('sh', ['-e', '-c', COMMANDS], { cwd: folder });
  const { stdout } = await shell;
  expect(stdout).toMatch(/Up to date: \d+ files in src\/mcp/);
  expect(stdout).toMatch(/^- Breaking: \d+ changes for clients, \d+ changes for servers$/m);
  expect(stdout).toContain('| definition | field | change | breaks | in |');
  for (const name of ['2025-11-25', 'draft']) {
    expect(readFileSync(join(folder, `src/mcp/${name}/types.ts`), 'utf8')).toContain('CallTool');
  }
});

it('is reported by check when the file has changed', async () => {
  await cli('generate');
  write('draft.json', CHANGED);
  const { code, stdout } = await cli('check');
  expect(code).toBe(4);
  expect(stdout).toContain('changed  draft.json is another schema than that of draft\n');
  const { stdout: json } = await cli('check', '--json');
  expect(JSON.parse(json)).toMatchObject({ changed: [{ name: 'draft', source: 'draft.json' }] });
  write('draft.json', DRAFT);
  expect(await cli('check')).toMatchObject({ code: 0 });
});

it('is not reported when only the generated files were edited', async () => {
  await cli('generate');
  write('src/mcp/draft/types.ts', '// edited\n');
  const { code, stdout } = await cli('check');
  expect(code).toBe(4);
  expect(stdout).not.toContain('another schema');
});

it('is read from a URL', async () => {
  let text = DRAFT;
  const server = createServer((_, response) => void response.end(text)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/draft.json`;
  write('mcp-codegen.json', CONFIG.replace('./draft.json', url));
  expect(await cli('generate')).toMatchObject({ code: 0 });
  expect(await cli('check')).toMatchObject({ code: 0 });
  text = CHANGED;
  const { code, stdout } = await cli('check');
  expect(code).toBe(4);
  expect(stdout).toContain(`changed  ${url} is another schema than that of draft\n`);
});

it('differs from a revision by changes with their sides and methods', async () => {
  const { stdout } = await cli('diff', '2026-07-28', 'draft.json', '--json');
  const { breaking, methods, definitions } = JSON.parse(stdout) as {
    readonly breaking: object;
    readonly methods: { readonly added: readonly object[] };
    readonly definitions: { readonly changed: readonly { readonly name: string }[] };
  };
  expect(Object.keys(breaking)).toEqual(['client', 'server']);
  expect(methods.added).toMatchObject([{ method: 'gadgets/search' }]);
  const changed = definitions.changed.find(({ name }) => name === 'CallToolRequestParams');
  expect(changed).toMatchObject({
    methods: ['tools/call'],
    changes: [{ path: 'name', sides: ['client'] }],
  });
});
