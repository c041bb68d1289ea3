import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mcp-codegen-again-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const SHARED = { $defs: { City: { type: 'string' } } };
const OWN = {
  $defs: {
    Order: {
      type: 'object',
      properties: { to: { $ref: 'https://example.com/city.json#/$defs/City' } },
    },
    Note: { type: 'string' },
  },
};
const TOOLS = {
  tools: [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }],
};
const REF = ['--ref', "https://example.com/city.json=schemas/the city's.json"];
const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const SERVER = [
  process.execPath,
  ...[beside('../../node_modules/tsx/dist/cli.mjs'), beside('../tools/server.ts')],
];
const OWN_SCHEMA = ['--schema', 'schemas/own order.json', ...REF];

/** A project whose command ran. */
function project(name: string, config: object | undefined, argv: readonly string[]): string {
  const folder = join(scratch, name);
  mkdirSync(join(folder, 'schemas'), { recursive: true });
  const write = (path: string, value: object): void =>
    writeFileSync(join(folder, path), JSON.stringify(value));
  write('schemas/own order.json', OWN);
  write("schemas/the city's.json", SHARED);
  write('schemas/tools.json', TOOLS);
  if (config !== undefined) write('mcp-codegen.json', config);
  expect(sh(`npx mcp-codegen ${argv.map(quoted).join(' ')}`, folder)).toBe('');
  return folder;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Runs the command as a shell does, in a folder that the user trusts. Returns the errors of one that fails. */
function sh(command: string, cwd: string): string {
  const run = command.replace('npx mcp-codegen', `${quoted(process.execPath)} ${quoted(bin)}`);
  const env = { ...process.env, MCP_CODEGEN_TRUST: '1' };
  const { status, stderr } = spawnSync('sh', ['-c', run], { cwd, env, encoding: 'utf8' });
  return status === 0 ? '' : `${command} ended with ${status}: ${stderr}`;
}

function filesIn(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  return new Map(
    paths.sort().map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]),
  );
}

const GENERATED = / in the folder of manifest\.json: (npx mcp-codegen .*)\n/;

describe('the command in the header of a generated file', () => {
  it.each([
    ['revision', undefined, ['generate', '2025-11-25']],
    ['two revisions', undefined, ['generate', '2025-11-25', 'ext-tasks', '--out', 'src/deep/mcp']],
    ['part of a revision', undefined, ['generate', '2024-11-05', '--emit', 'types', '--no-errata']],
    ['schema', undefined, ['generate', ...OWN_SCHEMA, '--out', 'src/own']],
    [
      'named schema',
      undefined,
      ['generate', '2025-11-25', ...OWN_SCHEMA, '--name', 'o', '--emit', 'zod'],
    ],
    [
      'configuration',
      {
        out: 'src/all',
        revisions: ['2025-06-18'],
        emit: ['zod'],
        schemas: [
          {
            name: 'order',
            source: 'schemas/own order.json',
            refs: { 'https://example.com/city.json': "schemas/the city's.json" },
          },
        ],
      },
      ['generate'],
    ],
    ['tools of a server', undefined, ['tools', '--name', 'mine', '--', ...SERVER]],
    [
      'tools of a file',
      { out: 'src', tools: [{ name: 'mine', source: 'schemas/tools.json' }] },
      ['generate'],
    ],
  ])('makes the same files again: %s', (name, config, argv) => {
    const made = project(name, config, argv);
    const before = filesIn(made);
    const headers = [...before].flatMap(([path, text]) => {
      const command = GENERATED.exec(text)?.[1];
      return command === undefined ? [] : [{ path, command }];
    });
    expect(headers.length).toBeGreaterThan(0);
    const manifest = [...before.keys()].find((path) => basename(path) === 'manifest.json') ?? '';
    for (const command of new Set(headers.map((each) => each.command))) {
      const copy = join(scratch, 'copy of a project');
      rmSync(copy, { recursive: true, force: true });
      cpSync(made, copy, { recursive: true });
      const own = headers.filter((each) => each.command === command);
      for (const { path } of own) rmSync(join(copy, path));
      expect(sh(command, join(copy, dirname(manifest)))).toBe('');
      expect(filesIn(copy)).toEqual(before);
    }
  });
});
