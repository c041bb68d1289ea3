import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DIALECTS, readTable } from '../../scripts/revisions/table.js';
import { compiled } from '../support/program.js';
import { bundled, repository } from './bundled.js';

const run = promisify(execFile);
const SCRIPT = compiled(new URL('../../scripts/adopt/run.ts', import.meta.url));
let folder = '';
/** Code in which a person takes decisions. */
const DECIDED = [
  'generator/read/errata/errata.ts',
  'generator/ir/exceptions.ts',
  ...DIALECTS.map((dialect) => `runtime/server/dialects/${dialect}.ts`),
];
/** A file that is no schema of a bundled revision. */
const OWN = 'own.json';
const where = ['--repository', 'https://example.com/r', '--path', 'p.json', '--commit', 'c0ffee'];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adopt-schema-'));
  for (const path of ['schema', ...DECIDED]) {
    await cp(join(repository, path), join(folder, path), { recursive: true });
  }
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
  try {
    const { stdout, stderr } = await run(process.execPath, [SCRIPT, ...args], {
      cwd: folder,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as Outcome;
  }
}

type Definitions = Record<string, { properties?: Record<string, unknown>; [key: string]: unknown }>;

/** Writes an official file: a bundled schema that was changed. */
async function official(revision: string, change: (definitions: Definitions) => void) {
  const schema = JSON.parse(await content(`${revision}/schema.json`)) as { $defs: Definitions };
  change(schema.$defs);
  const file = join(folder, 'official.json');
  await writeFile(file, JSON.stringify(schema));
  return file;
}

/** The decisions of an adoption, and the lines that they name. */
async function decided(...args: string[]): Promise<readonly (readonly [string, string])[]> {
  const { code, stdout, stderr } = await adopt(...args, ...where, '--schema-only');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.slice(stdout.indexOf('To decide')).trim().split('\n').slice(1);
  return Promise.all(
    lines.map(async (each) => {
      const [, file = '', line, what = ''] = /^(\S+?):(\d+): (.*)$/.exec(each) ?? [];
      const text = await readFile(join(folder, file), 'utf8');
      return [what, text.split('\n')[Number(line) - 1]?.trim() ?? ''] as const;
    }),
  );
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

  const tried = await adopt('2099-01-01', file, ...where, '--schema-only', '--dry-run');
  expect(await content('SOURCES.json')).not.toContain('2099');
  const outcome = await adopt('2099-01-01', file, ...where, '--schema-only');

  expect(outcome.code).toBe(0);
  expect(outcome.stdout).toMatch(
    /^schema\/2099-01-01\/schema.json:\d+: write a description of Gadget in/m,
  );
  expect(tried.stdout.replaceAll(/^Would write /gm, 'Wrote ')).toBe(outcome.stdout);
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

it('names a new version of an extension like the former one, and compares the two', async () => {
  const file = await official('ext-tasks', (definitions) => {
    const text = JSON.stringify(definitions['CancelTaskRequest']);
    const paused = text.replace('"tasks/cancel"', '"tasks/pause"');
    definitions['PauseTaskRequest'] = JSON.parse(paused) as Definitions[string];
    definitions['PauseTaskResult'] = { ...definitions['CancelTaskResult'] };
    Object.assign(definitions['TasksExtensionCapability'] ?? {}, { properties: { pause: {} } });
  });
  const schema = '"PauseTaskRequest": {';
  const decisions = await decided('ext-tasks-2', file);
  expect(decisions).toEqual([
    ['write a description of PauseTaskRequest in schema/descriptions/', schema],
    ['write a description of PauseTaskResult in schema/descriptions/', '"PauseTaskResult": {'],
    [
      'write a description of TasksExtensionCapability.pause, unless its name is enough',
      '"pause": {}',
    ],
    [
      'check the description of TasksExtensionCapability: the definition has changed',
      '"TasksExtensionCapability": {',
    ],
    [expect.stringMatching(/"tasks\/pause".*generator\/ir\/exceptions.ts:\d+/), schema],
    [
      expect.stringMatching(/^no dialect serves tasks\/pause: .*\/dialects\/ext.ts:\d{2,},/),
      schema,
    ],
    ['TasksExtensionCapability.pause is a new capability: which methods need it?', '"pause": {}'],
  ]);
  expect(JSON.parse(await content('SOURCES.json'))).toMatchObject({
    'ext-tasks-2': { extends: '2026-07-28', extension: 'io.modelcontextprotocol/tasks' },
  });
  expect(readTable(`${folder}/`).revisions).toMatchObject({
    'ext-tasks-2': { extends: '2026-07-28' },
  });
});

it('lists the corrections, facts and descriptions that apply no longer', async () => {
  const revised = await official('2026-07-28', (definitions) => {
    delete definitions['JSONValue'];
    delete definitions['ServerCapabilities']?.properties?.['completions'];
    const code = { type: 'integer', const: -32099 };
    Object.assign(definitions['MissingRequiredClientCapabilityError']?.properties ?? {}, {
      error: { type: 'object', properties: { code } },
    });
  });
  const dangling = await adopt('2099-01-01', revised, ...where);
  expect(dangling).toMatchObject({ code: 3, stdout: '' });
  expect(dangling.stderr).toContain('error[dangling-ref]');
  const mended = (await readFile(revised, 'utf8')).replaceAll(
    /\{"\$ref":"#\/\$defs\/JSONValue"\}/g,
    'true',
  );
  await writeFile(revised, mended);
  expect(await decided('2099-01-01', revised)).toEqual(
    expect.arrayContaining([
      [
        'the correction "json-value-null-and-fraction" applies no longer: is 2099-01-01 right without it?',
        "id: 'json-value-null-and-fraction',",
      ],
      [
        'a fact beside the schema applies no longer: completion/complete needs completions of the server. Does it hold in 2099-01-01 under another name?',
        "{ method: 'completion/complete', needs: server('completions') },",
      ],
      [
        expect.stringMatching(/^the code of MissingRequiredClientCapability is -32099, and was -/),
        '"MissingRequiredClientCapabilityError": {',
      ],
    ]),
  );
  const extension = await official('ext-tasks', (definitions) => {
    delete definitions['CreateTaskResult'];
  });
  expect(await decided('ext-tasks', extension)).toEqual(
    expect.arrayContaining([
      [
        'a fact beside the schema applies no longer: tools/call may return CreateTaskResult. Does it hold in ext-tasks under another name?',
        expect.stringContaining("{ method: 'tools/call', result: 'CreateTaskResult' }"),
      ],
      [
        'remove CreateTaskResult@ext-tasks: no revision uses it any more',
        expect.stringMatching(/^"CreateTaskResult"/),
      ],
    ]),
  );
});

it('changes nothing when it adopts the same schema again', async () => {
  const before = await content('revisions.json');
  for (const { revision, text } of bundled) {
    const file = join(folder, 'official.json');
    await writeFile(file, text);
    expect(await decided(revision, file)).toEqual([]);
    expect(await content(`${revision}/schema.json`)).toBe(text);
  }
  expect(await content('revisions.json')).toBe(before);
});

it('prints the same decisions when it is repeated, wherever it was interrupted', async () => {
  const file = await official('2026-07-28', (definitions) => {
    Object.assign(definitions['Tool']?.properties ?? {}, { urgency: { type: 'integer' } });
    Object.assign(definitions, { Gadget: { properties: { zeal: true } } });
  });
  const before = await Promise.all(['SOURCES.json', 'revisions.json'].map(content));
  const whole = await decided('2099-01-01', file);
  expect(whole.map(([what]) => what)).toContainEqual(expect.stringContaining('Tool'));
  expect(await decided('2099-01-01', file)).toEqual(whole);
  // Without the steps that come last.
  await writeFile(join(folder, 'schema', 'revisions.json'), before[1] ?? '');
  expect(await decided('2099-01-01', file)).toEqual(whole);
  await writeFile(join(folder, 'schema', 'revisions.json'), before[1] ?? '');
  await writeFile(join(folder, 'schema', 'SOURCES.json'), before[0] ?? '');
  expect(await decided('2099-01-01', file)).toEqual(whole);
});

it('registers another extension with its id and the revision that it extends', async () => {
  const file = join(folder, 'official.json');
  const definitions = { Tool: {}, GadgetCapability: { type: 'object', properties: { a: {} } } };
  await writeFile(file, JSON.stringify({ $defs: definitions }));
  const layer = ['--extends', '2026-07-28', '--extension', 'com.example/gadgets'];
  const decisions = await decided('ext-gadgets', file, ...layer);
  expect(decisions.map(([what]) => what)).toEqual([
    'write a description of GadgetCapability in schema/descriptions/',
    'write a description of GadgetCapability.a, unless its name is enough',
    'GadgetCapability.a is a new capability: which methods need it?',
  ]);
  expect(Object.keys(readTable(`${folder}/`).revisions).slice(-2)).toEqual([
    'ext-gadgets',
    'ext-tasks',
  ]);
  expect(JSON.parse(await content('SOURCES.json'))).toMatchObject({
    'ext-gadgets': { extends: '2026-07-28', extension: 'com.example/gadgets' },
  });
});

it.each([
  ['that is missing', undefined, 'Cannot read "official.json": no such file'],
  ['that is no JSON', '{', 'error[not-json]'],
  ['that is no schema', '[]', 'error[not-a-schema]'],
])('reports a file %s, and writes nothing', async (_, text, reason) => {
  if (text !== undefined) await writeFile(join(folder, 'official.json'), text);
  const { code, stderr } = await adopt('2099-01-01', 'official.json', ...where);
  expect(code).toBe(3);
  expect(stderr).toContain(reason);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect(await content('SOURCES.json')).not.toContain('2099');
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
    ['ext-gadgets', OWN, ...where, '--extends', '2098-01-01'],
    'Unknown revision "2098-01-01"',
  ],
  ['a URL', ['2099-01-01', 'https://example.com/2099.json', ...where], 'as a file'],
  ['an id without a base', ['2099-01-01', OWN, ...where, '--extension', 'a.b/c'], '--extends'],
  ['a base without an id', ['ext-a', OWN, ...where, '--extends', '2026-07-28'], '--extension'],
  ['an extension of an extension', ['ext-a', OWN, ...where, '--extends', 'ext-tasks'], 'no other'],
])('refuses %s and writes nothing', async (_, args, reason) => {
  await writeFile(join(folder, OWN), '{ "$defs": { "A": {} } }');
  const { code, stderr } = await adopt(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
  expect(stderr).toContain('Usage:');
  expect(await content('SOURCES.json')).not.toContain('2099');
});
