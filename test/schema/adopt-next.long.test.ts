import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repository } from './bundled.js';
import { NEXT, NEXT_EXTENSION, nextExtension, nextRevision, THEIRS } from './next-revision.js';
import { readTable } from '../../scripts/revisions/table.js';

/** A copy of this repository adopts an invented revision, and then a version of an extension, with one command each. */

const run = promisify(execFile);
const { dialects, revisions } = readTable(repository);
const EXTENSION = Object.keys(revisions).find((name) => revisions[name]?.extends) ?? '';
const NOT_COPIED = new Set(['node_modules', 'dist', '.git', '.cache', 'coverage']);
const WORDS = {
  Gadget: 'Does things.',
  SearchGadgetsRequest: 'Asks for gadgets.',
  SearchGadgetsResult: 'The gadgets that were found.',
};
let folder = '';
let adopted = '';
let tried = '';
let extended = '';
/** The lines that the decisions name. */
let named: readonly string[] = [];

async function inCopy(command: string, ...args: string[]): Promise<string> {
  try {
    return (await run(command, args, { cwd: folder, maxBuffer: 2 ** 28 })).stdout;
  } catch (error) {
    // Compilers print their errors to standard output.
    throw new Error((error as { stdout?: string }).stdout, { cause: error });
  }
}

const npm = (...args: string[]): Promise<string> => inCopy('npm', 'run', '--silent', ...args);
const tsx = (...args: string[]): Promise<string> =>
  inCopy(process.execPath, '--import', 'tsx', ...args);

/** The packages of this repository; those of its workspaces are the copy's. */
async function linkPackages(): Promise<void> {
  const packages = join(folder, 'node_modules');
  await mkdir(join(packages, '@mcp-codegen'), { recursive: true });
  await symlink(join(folder, 'runtime'), join(packages, '@mcp-codegen/runtime'), 'dir');
  for (const name of await readdir(join(repository, 'node_modules'))) {
    if (name === '@mcp-codegen') continue;
    await symlink(join(repository, 'node_modules', name), join(packages, name));
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adopt-next-'));
  await cp(repository, folder, {
    recursive: true,
    filter: (path) =>
      !relative(repository, path)
        .split(/[\\/]/)
        .some((it) => NOT_COPIED.has(it)),
  });
  await linkPackages();
  await writeFile(join(folder, 'official.json'), nextRevision(dialects.ext));
  const where = ['--repository', 'https://example.com/r', '--path', 'p.json', '--commit', 'c0ffee'];
  tried = await npm('adopt-schema', '--', NEXT, 'official.json', ...where, '--dry-run');
  adopted = await npm('adopt-schema', '--', NEXT, 'official.json', ...where);
  named = await linesNamed(adopted);
  await writeFile(join(folder, 'extension.json'), nextExtension(EXTENSION));
  extended = await npm('adopt-schema', '--', NEXT_EXTENSION, 'extension.json', ...where);
  // What a person then writes.
  await writeFile(join(folder, 'schema/descriptions/gadgets.json'), JSON.stringify(WORDS));
  await npm('adopt-schema');
  await npm('generate');
}, 1_800_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const decisionsIn = (printed: string): string => printed.slice(printed.indexOf('To decide'));

async function linesNamed(printed: string): Promise<string[]> {
  const places = [...decisionsIn(printed).matchAll(/^(\S+?):(\d+): /gm)];
  return Promise.all(
    places.map(async ([, file = '', line]) => {
      const lines = (await readFile(join(folder, file), 'utf8')).split('\n');
      return lines[Number(line) - 1]?.trim() ?? '';
    }),
  );
}

it('prints what a person decides, each with its file and line, also with --dry-run', () => {
  expect(tried.replaceAll(/^Would write /gm, 'Wrote ')).toBe(adopted);
  expect(named.length).toBeGreaterThan(10);
  for (const line of named) expect(line).toMatch(/^("|id:|methods\(|\{ method:)/);
});

it.each([
  'write a description of Gadget in',
  'write a description of Tool.category, unless',
  'check the description of CallToolRequestParams: the definition has changed',
  'the correction "json-value-null-and-fraction" applies no longer',
  'a fact beside the schema applies no longer: completion/complete needs completions',
  'no dialect serves gadgets/search',
  'ServerCapabilities.gadgets is a new capability',
])('lists: %s', (decision) => {
  expect(adopted).toContain(decision);
});

it('lists what to decide about a version of an extension', () => {
  const lines = decisionsIn(extended).trim().split('\n').slice(1);
  const file = `schema/${NEXT_EXTENSION}/schema.json`;
  expect(lines.map((line) => line.replace(/:\d+:/, ''))).toEqual([
    `${file} write a description of Task.urgency, unless its name is enough`,
    `${file} check the description of Task: the definition has changed`,
  ]);
});

it('keeps our descriptions, and none of the official file', async () => {
  const text = await readFile(join(folder, `schema/${NEXT}/schema.json`), 'utf8');
  const before = await readFile(join(repository, `schema/${dialects.ext}/schema.json`), 'utf8');
  expect(text).not.toContain(THEIRS);
  const described = (json: string): number => json.split('"description":').length;
  expect(described(text)).toBeGreaterThanOrEqual(described(before));
});

it('leaves nothing that is out of date', async () => {
  await npm('drift');
  for (const name of ['revisions', 'names', 'packages']) await npm(name, '--', '--check');
  expect(existsSync(join(folder, `generated/${NEXT}/validators.ts`))).toBe(true);
  const commands = await readFile(join(folder, 'docs/commands.md'), 'utf8');
  expect(commands).toContain(`\`${NEXT}\``);
  expect(await readFile(join(folder, 'runtime/package.json'), 'utf8')).toContain(`"./${NEXT}/zod"`);
});

it('compiles', () => npm('types'));

it('passes the tests of the generated code, and those that list revisions', async () => {
  const rooms = ['generated', 'protocol', 'schema', 'validate', 'ir', 'read', 'diff'];
  const tests = rooms.map((room) => `test/${room}`);
  for (const path of tests) expect(readdirSync(join(folder, path))).not.toEqual([]);
  tests.push('test/server/revisions.test.ts');
  const vitest = 'node_modules/vitest/vitest.mjs';
  await inCopy(process.execPath, vitest, 'run', '--project', 'unit', ...tests);
});

it('speaks the revision, and validates a recording of it', async () => {
  const recording = join(folder, 'recording.jsonl');
  await tsx('test/schema/speak.ts', NEXT, recording);
  const checked = JSON.parse(await tsx('cli/bin.ts', 'validate', recording, '--json')) as {
    readonly files: readonly unknown[];
  };
  expect(checked.files).toMatchObject([
    { revisions: [NEXT], invalid: 0, findings: { error: 0, unclear: 0 } },
  ]);
});
