import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { select } from '../../cli/selection.js';
import type { Draft } from '../../json-schema/index.js';
import { loadSchema } from '../../generator/read/load/index.js';
import { generate } from '../../generator/plan/generate.js';
import { applyPlan, diskFolder, staleFiles } from '../../generator/write/index.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-siblings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: object): string {
  writeFileSync(join(folder, name), JSON.stringify(content));
  return join(folder, name);
}

const OLD = ['draft-04', 'draft-06', 'draft-07'] as const satisfies readonly Draft[];
const NEW = ['2019-09', '2020-12'] as const satisfies readonly Draft[];

/** A schema in which something stands beside a reference. */
const beside = (siblings: object) => ({
  definitions: { Name: { type: 'string' }, Short: { $ref: '#/definitions/Name', ...siblings } },
});

const SCHEMA = beside({ maxLength: 3, enum: ['a', 'b'], description: 'A short name.' });

type Arguments = Parameters<typeof select>[0];

async function run(args: Partial<Arguments>) {
  const { out, ...selection } = select(
    { out: join(folder, 'generated'), ...args } as Arguments,
    process.cwd(),
  );
  const onDisk = diskFolder(out);
  const result = await generate({ ...selection, folder: onDisk, force: false });
  applyPlan(result.plan, onDisk);
  return result;
}

const types = (): string => readFileSync(join(folder, 'generated/main/types.ts'), 'utf8');

describe('keywords beside a $ref', () => {
  it.each(OLD)('are ignored by %s, with a warning that names them', async (draft) => {
    const loaded = await loadSchema(write('main.json', SCHEMA), { draft });
    expect(loaded.diagnostics).toMatchObject([
      {
        code: 'ignored-siblings',
        severity: 'warning',
        message: `${draft} ignores "maxLength", "enum" beside "$ref".`,
        pointer: '/definitions/Short',
      },
    ]);
    expect(loaded.document.definitions.get('Short')?.node).toEqual({ kind: 'ref', name: 'Name' });
  });

  it.each(OLD)('count in %s on request', async (draft) => {
    const options = { draft, refSiblings: 'honour' } as const;
    const { document, diagnostics } = await loadSchema(write('main.json', SCHEMA), options);
    expect(diagnostics).toEqual([]);
    const newer = await loadSchema(write('main.json', SCHEMA), { draft: '2019-09' });
    expect(document.definitions).toEqual(newer.document.definitions);
    expect(document.definitions.get('Short')?.node.kind).toBe('intersection');
  });

  it.each(NEW)('count in %s, without a warning', async (draft) => {
    const { diagnostics } = await loadSchema(write('main.json', SCHEMA), { draft });
    expect(diagnostics).toEqual([]);
  });

  it.each([
    ['annotations', { title: 'A', default: 'a', examples: ['a'], $comment: 'b', readOnly: true }],
    ['definitions', { definitions: { Other: {} } }],
    ['a name', { $id: 'https://example.com/short' }],
  ])('are no warning where they are %s', async (_, siblings) => {
    const path = write('main.json', beside(siblings));
    expect((await loadSchema(path, { draft: 'draft-07' })).diagnostics).toEqual([]);
  });

  it('are a warning below a definition and in another document, too', async () => {
    const other = write('other.json', { items: { $ref: '#', minItems: 1 } });
    write('main.json', { definitions: { A: { properties: { b: { $ref: 'urn:other' } } } } });
    const { diagnostics } = await run({
      schema: join(folder, 'main.json'),
      ref: [`urn:other=${other}`],
    });
    expect(diagnostics).toMatchObject([{ code: 'ignored-siblings', pointer: '/items' }]);
  });
});

describe('--ref-siblings', () => {
  it('is part of the command and of the manifest, which generates the same again', async () => {
    const schema = write('main.json', SCHEMA);
    const found = await run({ schema, emit: 'types' });
    expect(found.diagnostics.map(({ code }) => code)).toEqual(['ignored-siblings']);
    const honoured = await run({ schema, refSiblings: 'honour', emit: 'types' });
    expect(honoured.diagnostics).toEqual([]);
    expect(types()).toContain('generate --schema ../main.json --ref-siblings honour --emit types');
    const again = await run({});
    expect(again.protocols).toMatchObject([{ unchanged: true }]);
    expect(staleFiles(again.plan)).toEqual([]);
  });

  it('is a key of mcp-codegen.json', async () => {
    write('main.json', SCHEMA);
    const entry = { name: 'main', source: 'main.json', refSiblings: 'honour' };
    const settings = { revisions: [], schemas: [entry], out: 'generated', emit: ['types'] };
    const config = write('mcp-codegen.json', settings);
    expect((await run({ config })).diagnostics).toEqual([]);
    write('mcp-codegen.json', { ...settings, schemas: [{ ...entry, refSiblings: 'keep' }] });
    await expect(run({ config })).rejects.toMatchObject({
      diagnostics: [{ code: 'bad-config', pointer: '/schemas/0/refSiblings' }],
    });
  });

  it('needs --schema', () => {
    expect(() => select({ refSiblings: 'honour' } as Arguments, folder)).toThrow(
      '--ref-siblings needs --schema.',
    );
  });
});
