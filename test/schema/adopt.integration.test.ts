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
  const script = join(repository, 'scripts/adopt/run.ts');
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

  const tried = await adopt('2099-01-01', file, ...where, '--dry-run');
  expect(await content('SOURCES.json')).not.toContain('2099');
  const outcome = await adopt('2099-01-01', file, ...where, '--schema-only');

  expect(outcome.code).toBe(0);
  expect(outcome.stdout).toMatch(
    /^schema\/2099-01-01\/schema.json:\d+: write a description of Gadget in/m,
  );
  const decisions = outcome.stdout.slice(outcome.stdout.indexOf('To decide'));
  expect(tried.stdout).toContain(decisions);
  expect(JSON.parse(await content('revisions.json'))).toMatchObject({
    latest: '2099-01-01',
    default: '2026-07-28',
    revisions: { '2099-01-01': { strictCapabilities: true } },
  });
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

it('adopts a draft of an extension, and keeps the revision that it extends', async () => {
  const file = join(folder, 'official.json');
  const text = await content('ext-tasks/schema.json');
  const schema = JSON.parse(text) as { $defs: Record<string, object> };
  schema.$defs['Gadget'] = { type: 'object' };
  await writeFile(file, JSON.stringify(schema));
  const { code, stdout } = await adopt('ext-tasks', file, ...where, '--schema-only');
  expect(code).toBe(0);
  expect(stdout).toContain('write a description of Gadget in');
  expect(JSON.parse(await content('revisions.json'))).toMatchObject({
    latest: '2026-07-28',
    revisions: { 'ext-tasks': { extends: '2026-07-28' } },
  });
});

it('registers another extension with --extends', async () => {
  const file = join(folder, 'official.json');
  await writeFile(file, JSON.stringify({ $defs: { Tool: {} } }));
  const given = [...where, '--extends', '2026-07-28', '--schema-only'];
  expect(await adopt('ext-gadgets', file, ...given)).toMatchObject({ code: 0 });
  const { revisions } = JSON.parse(await content('revisions.json')) as { revisions: object };
  expect(Object.keys(revisions).slice(-2)).toEqual(['ext-gadgets', 'ext-tasks']);
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
  [
    'an unknown base',
    ['ext-gadgets', 'official.json', ...where, '--extends', '2098-01-01'],
    'Unknown revision "2098-01-01"',
  ],
])('refuses %s and writes nothing', async (_, args, reason) => {
  const { code, stderr } = await adopt(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
  expect(stderr).toContain('Usage:');
  expect(await content('SOURCES.json')).not.toContain('2099');
});
