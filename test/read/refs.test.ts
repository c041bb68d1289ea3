import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRefs } from '../../cli/refs.js';
import { DiagnosticError } from '../../generator/diagnostics/index.js';
import type { Diagnostic } from '../../generator/diagnostics/index.js';
import { DEFAULT_LIMITS, loadSchema, readRefs } from '../../generator/read/load/index.js';
import type { LoadedSchema } from '../../generator/read/load/index.js';
import { generate } from '../../generator/plan/generate.js';
import type { GenerationResult } from '../../generator/plan/generate.js';
import { select } from '../../cli/selection.js';
import { WatchedFiles } from '../../cli/watch.js';
import { applyPlan, diskFolder, staleFiles } from '../../generator/write/index.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-refs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const COMMON = 'https://example.com/common.json';

const main = (target: string, more: object = {}): string =>
  write('main.json', { $schema: DRAFT, $defs: { Order: { $ref: target } }, ...more });
const common = (): string =>
  write('common.json', {
    $schema: DRAFT,
    $defs: { Money: { type: 'integer' }, Bad: { type: 'no-type' } },
  });

async function load(path: string, refs: Record<string, string>): Promise<LoadedSchema> {
  const named = Object.entries(refs).map(([uri, file]) => ({ uri, file }));
  return await loadSchema(path, { refs: readRefs(named, DEFAULT_LIMITS) });
}

async function refusal(path: string, refs: Record<string, string>): Promise<Diagnostic[]> {
  try {
    await load(path, refs);
  } catch (error) {
    if (error instanceof DiagnosticError) return [...error.diagnostics];
    throw error;
  }
  throw new Error('the references were accepted');
}

const brief = ({ diagnostics }: LoadedSchema): string[] =>
  diagnostics.map(({ code, severity, source, pointer = '' }) =>
    [severity, code, source?.replace(`${folder}/`, ''), pointer].join(' '),
  );

describe('a reference to another document', () => {
  it('gives a definition there its own name', async () => {
    common();
    const { document } = await load(main(`${COMMON}#/$defs/Money`), {
      [COMMON]: join(folder, 'common.json'),
    });
    expect([...document.definitions.keys()]).toEqual(['Order', 'Money']);
  });

  it('leads into the file that is named for its URI', async () => {
    const loaded = await load(main(`${COMMON}#/$defs/Money`), { [COMMON]: common() });
    expect(brief(loaded)).toEqual([]);
    const nodes = [...loaded.document.definitions.values()].map(({ node }) => node);
    expect(nodes).toContainEqual(expect.objectContaining({ kind: 'number', integer: true }));
  });

  it.each([
    ['a relative URI, where no $id says more', 'common.json', 'common.json', {}],
    ['a URI below the $id', 'common.json', COMMON, { $id: 'https://example.com/main.json' }],
    ['a URI with an empty fragment', COMMON, `${COMMON}#`, {}],
    ['a URN', 'urn:example:common', 'urn:example:common', {}],
  ])('may be %s', async (_, written, uri, more) => {
    const loaded = await load(main(`${written}#/$defs/Money`, more), { [uri]: common() });
    expect(brief(loaded)).toEqual([]);
  });

  it('leads from one named document to the next, and back', async () => {
    const next = write('next.json', { $ref: `${COMMON}#/$defs/Money`, $defs: { A: true } });
    const loaded = await load(main('urn:next', { $id: 'urn:main' }), {
      'urn:next': next,
      [COMMON]: common(),
    });
    expect(brief(loaded)).toEqual([]);
  });

  it('may lead to a document that is true, and to a metaschema', async () => {
    const meta = write('meta.json', { $schema: DRAFT, $id: 'urn:meta', type: 'object' });
    const yes = write('true.json', 'true');
    const path = main('urn:true', { $schema: 'urn:meta' });
    expect(brief(await load(path, { 'urn:meta': meta, 'urn:true': yes }))).toEqual([]);
  });

  it('is a warning that names --ref, when no file is named for it', async () => {
    const loaded = await load(main(COMMON), {});
    expect(brief(loaded)).toEqual(['warning remote-ref main.json /$defs/Order/$ref']);
    expect(loaded.diagnostics[0]?.help).toContain('--ref <uri>=<file>');
  });

  it('reports a problem at its place in the other file', async () => {
    const loaded = await load(main(`${COMMON}#/$defs/Bad`), { [COMMON]: common() });
    expect(brief(loaded)).toEqual(['warning malformed-keyword common.json /$defs/Bad/type']);
  });

  it('warns about a file that nothing refers to', async () => {
    const loaded = await load(main('#/$defs/Order2', { $defs: { Order2: {} } }), {
      [COMMON]: common(),
    });
    expect(brief(loaded)).toEqual(['warning unused-ref common.json ']);
  });
});

describe('a named file', () => {
  it.each([
    ['is missing', () => join(folder, 'none.json'), 'not-found'],
    ['is a folder', () => folder, 'not-found'],
    ['is not JSON', () => write('x.json', '{'), 'not-json'],
    ['is no schema', () => write('x.json', '[]'), 'not-a-schema'],
    [
      'defines a name twice',
      () => write('x.json', '{"$defs":{"A":{},"A":{}}}'),
      'duplicate-definition',
    ],
    ['is a URL', () => 'https://127.0.0.1:1/x.json', 'bad-ref'],
  ])('%s', async (_, file, code) => {
    const [found, ...more] = await refusal(main(COMMON), { [COMMON]: file() });
    expect(found).toMatchObject({ code, severity: 'error', source: file() });
    expect(more).toEqual([]);
  });

  it.each(['', '#', '#/$defs/A'])('cannot have the URI "%s"', async (uri) => {
    expect(await refusal(main(COMMON), { [uri]: common() })).toMatchObject([{ code: 'bad-ref' }]);
  });

  it('cannot have the URI of another one', async () => {
    const refs = { [COMMON]: common(), [`${COMMON}#`]: write('other.json', {}) };
    const [found] = await refusal(main(COMMON), refs);
    expect(found?.code).toBe('bad-ref');
    expect(found?.message).toContain('other.json');
  });
});

describe('a folder of documents', () => {
  const schemas = (files: Readonly<Record<string, unknown>>): string => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, 'schemas', name)), { recursive: true });
      write(`schemas/${name}`, content);
    }
    return join(folder, 'schemas');
  };

  it('are known by $id and by path, in JSON and YAML, whatever else is there', async () => {
    const file = schemas({
      'a.json': { $id: COMMON, $schema: DRAFT, $defs: { Money: { type: 'integer' } } },
      'deep/b.yaml': '$schema: http://json-schema.org/draft-04/schema\nid: urn:b\ntype: string\n',
      'deep/c.yml': `{ $ref: ../d.json }`,
      'd.json': { type: 'null' },
      'broken.json': '{',
      'broken.yaml': 'a: [',
      'list.json': [],
      'manifest.json': { note: 'no schema' },
      'deeper.json': `${'{"items":'.repeat(2_000)}{}${'}'.repeat(2_000)}`,
      'node_modules/x/e.json': { $id: 'urn:e' },
      'readme.md': 'none',
    });
    const path = write('main.json', {
      $defs: {
        Order: { $ref: `${COMMON}#/$defs/Money` },
        B: { $ref: 'urn:b' },
        C: { $ref: 'deep/c.yml' },
        E: { $ref: 'urn:e' },
      },
    });
    const loaded = await load(path, { '*': file });
    expect(brief(loaded)).toEqual(['warning remote-ref main.json /$defs/E/$ref']);
    const kinds = [...loaded.document.definitions].map(([, { node }]) => node.kind);
    expect(kinds).toEqual(expect.arrayContaining(['number', 'string', 'null']));
  });

  it('give way to a document that is named', async () => {
    const file = schemas({ 'a.json': { $id: COMMON, type: 'null' } });
    const { document } = await load(main(COMMON), {
      '*': file,
      [COMMON]: write('common.json', { $id: COMMON, type: 'string' }),
    });
    expect([...document.definitions.values()].map(({ node }) => node.kind)).toContain('string');
  });

  it('must be a folder', async () => {
    expect(await refusal(main(COMMON), { '*': common() })).toMatchObject([
      { code: 'bad-ref', message: expect.stringContaining('is no folder') as string },
    ]);
  });
});

describe('--ref', () => {
  it('takes the last "=" as the separator', () => {
    expect(parseRefs(['https://x/?a=b&c=d=./f.json'])).toEqual([
      { uri: 'https://x/?a=b&c=d', file: './f.json' },
    ]);
  });

  it('takes a folder', () => {
    expect(parseRefs(['./schemas'])).toEqual([{ uri: '*', file: './schemas' }]);
  });

  it.each(['', '=', 'x=', '=x'])('refuses "%s"', (text) => {
    expect(() => parseRefs([text])).toThrow('--ref needs a folder, or a URI and a file');
  });

  it('needs --schema', () => {
    const args = { ref: ['a=b'] } as Parameters<typeof select>[0];
    expect(() => select(args, folder)).toThrow('--ref needs --schema.');
  });
});

type Arguments = Parameters<typeof select>[0];

async function run(args: Partial<Arguments>): Promise<GenerationResult> {
  const all = { out: join(folder, 'generated'), ...args } as Arguments;
  const { out, ...selection } = select(all, process.cwd());
  const onDisk = diskFolder(out);
  const result = await generate({ ...selection, folder: onDisk, force: false });
  applyPlan(result.plan, onDisk);
  return result;
}

/** Whether `generate` finds the folder up to date, as `check` does. */
const isFresh = ({ plan }: GenerationResult): boolean => staleFiles(plan).length === 0;

describe('generate with named documents', () => {
  const ways: [string, () => Partial<Arguments>][] = [
    [
      'on the command line',
      () => ({ schema: main(`${COMMON}#/$defs/Money`), ref: [`${COMMON}=${common()}`] }),
    ],
    [
      'in a folder on the command line',
      () => {
        common();
        return { schema: main('common.json#/$defs/Money'), ref: [folder] };
      },
    ],
    [
      'in mcp-codegen.json',
      () => {
        main(`${COMMON}#/$defs/Money`);
        common();
        const schemas = [{ name: 'main', source: 'main.json', refs: { [COMMON]: 'common.json' } }];
        const config = { revisions: [], schemas, out: 'generated', emit: ['types'] };
        return { config: write('mcp-codegen.json', config) };
      },
    ],
  ];

  it.each(ways)('notices that such a file changes (%s)', async (_, argumentsOf) => {
    const args = { emit: 'types', ...argumentsOf() };
    expect(isFresh(await run(args))).toBe(false);
    expect(isFresh(await run(args))).toBe(true);
    write('common.json', { $schema: DRAFT, $defs: { Money: { type: 'string' } } });
    const changed = await run(args);
    expect(staleFiles(changed.plan).map(({ path }) => path)).toEqual(['main/types.ts']);
    expect(isFresh(await run(args))).toBe(true);
  });

  it.each(ways)('watches the file (%s)', async (_, argumentsOf) => {
    const watched = new WatchedFiles();
    select(argumentsOf() as Arguments, folder, watched);
    rmSync(join(folder, 'common.json'));
    await watched.changed();
  });

  it('finds the file again by the manifest, without arguments', async () => {
    await run({ schema: main(`${COMMON}#/$defs/Money`), ref: [`${COMMON}=${common()}`] });
    expect(isFresh(await run({}))).toBe(true);
    write('common.json', { $schema: DRAFT, $defs: { Money: { type: 'string' } } });
    expect(isFresh(await run({}))).toBe(false);
  });

  it('says in each file how to generate it again', async () => {
    const ref = `${COMMON}=${common()}`;
    const { plan } = await run({ schema: main(`${COMMON}#/$defs/Money`), ref: [ref] });
    const text = plan.find(({ path }) => path === 'main/types.ts')?.text;
    const command = `generate --schema ../main.json --ref ${COMMON}=../common.json --out .`;
    expect(text).toContain(`: npx mcp-codegen ${command}\n`);
    expect(text).not.toContain(folder);
  });
});
