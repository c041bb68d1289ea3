import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { select } from '../../cli/selection.js';
import { DRAFTS } from '../../json-schema/index.js';
import { loadSchema } from '../../generator/read/load/index.js';
import { generate } from '../../generator/plan/generate.js';
import { applyPlan, diskFolder, staleFiles } from '../../generator/write/index.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-draft-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: object): string {
  writeFileSync(join(folder, name), JSON.stringify(content));
  return join(folder, name);
}

/** Each draft gives another meaning to one of its definitions. */
const SCHEMA = {
  definitions: {
    Above: { type: 'number', minimum: 1, exclusiveMinimum: true },
    One: { const: 1 },
    Branch: { if: { type: 'string' }, then: { minLength: 2 } },
    Beside: { $ref: '#/definitions/One', type: 'string' },
    Pair: { prefixItems: [{ type: 'string' }] },
  },
};

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

describe('--draft', () => {
  it.each([
    ['http://json-schema.org/draft/2019-09/schema#', '2019-09'],
    ['http://json-schema.org/draft/2020-12/schema', '2020-12'],
    ['https://json-schema.org/draft-07/schema', 'draft-07'],
    ['https://json-schema.org/draft-04/schema#', 'draft-04'],
    ['http://json-schema.org/draft-07/hyper-schema#', 'draft-07'],
    ['https://json-schema.org/draft/2019-09/hyper-schema', '2019-09'],
  ] as const)('is known by an URI that is nearly its own: %s', async ($schema, draft) => {
    const { document } = await loadSchema(write('near.json', { $schema, type: 'string' }));
    expect(document.dialect).toBe(draft);
  });

  it('is for a $schema that names no draft, too', async () => {
    const $schema = 'http://json-schema.org/schema#';
    const path = write('undated.json', { $schema, type: 'string' });
    expect((await loadSchema(path)).document.dialect).toBe('draft-07');
    expect((await loadSchema(path, { draft: 'draft-04' })).document.dialect).toBe('draft-04');
  });

  it.each(DRAFTS)('reads a schema without $schema as %s', async (draft) => {
    const path = write('main.json', SCHEMA);
    const plain = await loadSchema(path, { draft });
    const named = await loadSchema(
      write('named.json', {
        ...SCHEMA,
        $schema: draft.startsWith('draft-')
          ? `http://json-schema.org/${draft}/schema#`
          : `https://json-schema.org/draft/${draft}/schema`,
      }),
    );
    expect(plain.document.dialect).toBe(draft);
    expect(plain.document.definitions).toEqual(named.document.definitions);
  });

  it('gives way to $schema', async () => {
    const $schema = 'http://json-schema.org/draft-07/schema#';
    const { document } = await loadSchema(write('main.json', { ...SCHEMA, $schema }), {
      draft: 'draft-04',
    });
    expect(document.dialect).toBe('draft-07');
  });

  it('is part of the command and of the manifest, which generates the same again', async () => {
    const schema = write('main.json', { definitions: { Above: SCHEMA.definitions.Above } });
    expect((await run({ schema, draft: 'draft-04', emit: 'types' })).diagnostics).toEqual([]);
    expect(types()).toContain('generate --schema ../main.json --draft draft-04 --emit types');
    const again = await run({});
    expect(again.protocols).toMatchObject([{ unchanged: true }]);
    expect(staleFiles(again.plan)).toEqual([]);
    const other = await run({ schema, draft: 'draft-07', emit: 'types' });
    expect(other.protocols).toMatchObject([{ unchanged: false }]);
    expect(other.diagnostics.map(({ code }) => code)).toEqual(['malformed-keyword']);
  });

  it('is a key of mcp-codegen.json', async () => {
    write('main.json', { definitions: { Above: SCHEMA.definitions.Above } });
    const entry = { name: 'main', source: 'main.json', draft: 'draft-04' };
    const settings = { revisions: [], schemas: [entry], out: 'generated', emit: ['types'] };
    const config = write('mcp-codegen.json', settings);
    expect((await run({ config })).diagnostics).toEqual([]);
    write('mcp-codegen.json', { ...settings, schemas: [{ ...entry, draft: 'draft-4' }] });
    await expect(run({ config })).rejects.toMatchObject({
      diagnostics: [{ code: 'bad-config', pointer: '/schemas/0/draft' }],
    });
  });

  it('needs --schema', () => {
    expect(() => select({ draft: 'draft-04' } as Arguments, folder)).toThrow(
      '--draft needs --schema.',
    );
  });
});
