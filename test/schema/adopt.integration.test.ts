import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundled, repository } from './bundled.js';

const run = promisify(execFile);
let folder = '';
const where = ['--repository', 'https://example.com/r', '--path', 'p.json', '--commit', 'c0ffee'];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adopt-schema-'));
  await cp(join(repository, 'schema'), join(folder, 'schema'), { recursive: true });
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function adopt(...args: string[]): Promise<Outcome> {
  const tsx = import.meta.resolve('tsx');
  const script = join(repository, 'scripts/adopt-schema.ts');
  try {
    const { stdout, stderr } = await run(process.execPath, ['--import', tsx, script, ...args], {
      cwd: folder,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as Outcome;
  }
}

async function content(path: string): Promise<string> {
  return readFile(join(folder, 'schema', path), 'utf8');
}

it('does not change the bundled schemas without new descriptions', async () => {
  expect(await adopt()).toMatchObject({ code: 0, stderr: '' });
  for (const { revision, text } of bundled) {
    expect(await content(`${revision}/schema.json`)).toBe(text);
  }
  const sources = await readFile(join(repository, 'schema/SOURCES.json'), 'utf8');
  expect(await content('SOURCES.json')).toBe(sources);
});

it('adopts a new revision and lists missing descriptions', async () => {
  const definitions = { Tool: { description: 'theirs' }, Gadget: { properties: { zeal: true } } };
  const official = JSON.stringify({ definitions });
  const file = join(folder, 'official.json');
  await writeFile(file, official);

  const outcome = await adopt('2099-01-01', file, ...where);

  expect(outcome.code).toBe(1);
  expect(outcome.stdout).toContain(
    '2099-01-01: no words for 1 definitions, 0 properties\n  Gadget\n',
  );
  const schema = await content('2099-01-01/schema.json');
  expect(schema).not.toContain('theirs');
  expect(schema).toContain('"zeal": true');
  expect(JSON.parse(await content('SOURCES.json'))).toMatchObject({
    '2099-01-01': {
      repository: 'https://example.com/r',
      path: 'p.json',
      commit: 'c0ffee',
      sha256: createHash('sha256').update(official).digest('hex'),
      fingerprint: createHash('sha256')
        .update('{"definitions":{"Gadget":{"properties":{"zeal":true}},"Tool":{}}}')
        .digest('hex'),
    },
  });
});

it('reports descriptions that no revision uses', async () => {
  await writeFile(join(folder, 'schema/descriptions/new.json'), '{ "Gadget": "Does things." }');
  const { code, stderr } = await adopt();
  expect(code).toBe(1);
  expect(stderr).toContain('Gadget@*');
});

it.each([
  ['something missing', ['2099-01-01', 'official.json', '--commit', 'c0ffee'], 'all of these'],
  ['an unknown option', ['--revison', '2099-01-01'], "'--revison'"],
  ['a path for a revision', ['../2099', 'official.json', ...where], '"../2099"'],
])('refuses %s and writes nothing', async (_, args, reason) => {
  const { code, stderr } = await adopt(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
  expect(stderr).toContain('Usage:');
  expect(await content('SOURCES.json')).not.toContain('2099');
});
