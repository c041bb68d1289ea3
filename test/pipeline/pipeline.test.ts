import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiagnosticError } from '../../generator/diagnostics/index.js';
import { bundledSchemaPath } from '../../generator/read/load/index.js';
import { isProtocolName } from '../../generator/plan/job.js';
import { generate } from '../../generator/plan/generate.js';
import type { GenerationRequest, GenerationResult } from '../../generator/plan/generate.js';
import {
  applyPlan,
  memoryFolder,
  readManifest,
  sha256,
  staleFiles,
} from '../../generator/write/index.js';

let scratch: string;
let files: Map<string, string>;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'mcp-codegen-pipeline-'));
  files = new Map();
});
afterEach(() => rmSync(scratch, { recursive: true }));

function schema(name: string, definitions: object, more: object = {}): string {
  const location = join(scratch, name);
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  writeFileSync(location, JSON.stringify({ $schema, $defs: definitions, ...more }));
  return location;
}

const TOOL = {
  Tool: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};

async function run(request: Partial<GenerationRequest>): Promise<GenerationResult> {
  const folder = memoryFolder(files);
  const result = await generate({
    inputs: [],
    emits: ['types'],
    errata: true,
    force: false,
    prune: false,
    ...request,
    folder,
  });
  applyPlan(result.plan, folder);
  return result;
}

/** A toy protocol that is no draft of MCP. */
const PING = {
  PingRequest: {
    type: 'object',
    properties: { method: { const: 'ping' } },
    required: ['method'],
  },
};

describe('the name of a protocol', () => {
  const official = readFileSync(bundledSchemaPath('2026-07-28'), 'utf8');

  /** A draft: the newest revision with another definition. */
  function draft(file: string, more: object = {}): string {
    const location = join(scratch, file);
    const document = JSON.parse(official) as { $defs: object };
    const $defs = { ...document.$defs, Another: { type: 'string' } };
    writeFileSync(location, JSON.stringify({ ...document, ...more, $defs }));
    return location;
  }

  const versions = (): string[] =>
    [...files.entries()].flatMap(([path, text]) => {
      const version = /PROTOCOL_VERSION = '(.*)'/.exec(text)?.[1];
      return version === undefined || path.endsWith('metamodel.json') ? [] : [`${path} ${version}`];
    });

  it.each([
    ['what the user says', { name: '2027-01-01' }, {}, '2027-01-01/protocol.ts 2027-01-01'],
    [
      'its $id',
      {},
      { $id: 'https://example.com/2027-02-03/schema' },
      'schema/protocol.ts 2027-02-03',
    ],
    ['its title', {}, { title: 'MCP 2027-03-04' }, 'schema/protocol.ts 2027-03-04'],
    ['its revision', {}, { title: 'MCP, build 12026-07-289' }, 'schema/protocol.ts 2026-07-28'],
    [
      'the user, not itself',
      { name: 'x' },
      { $id: 'https://example.com/2027-02-03' },
      'x/protocol.ts x',
    ],
  ])('is %s', async (_, settings, more, expected) => {
    const location = draft('schema.json', more);
    const { diagnostics } = await run({ inputs: [{ location, ...settings }], emits: ['protocol'] });
    expect(diagnostics).toEqual([]);
    expect(versions()).toEqual([expected]);
  });

  it('stays when it is generated again by its manifest, or by its header', async () => {
    for (const name of [undefined, '2027-01-01']) {
      files.clear();
      const location = draft('schema.json');
      const named = name === undefined ? {} : { name };
      await run({ inputs: [{ location, recordAs: 'schema.json', ...named }], emits: ['protocol'] });
      const folder = name ?? 'schema';
      const recipe = readManifest(memoryFolder(files))?.protocols.get(folder)?.recipe;
      expect(recipe?.from).toEqual({ schema: 'schema.json', ...named });
      const command = files.get(`${folder}/protocol.ts`)?.split('\n')[2] ?? '';
      expect(command.includes('--name')).toBe(name !== undefined);
    }
  });

  it('is that of its file only with a warning, and without messages without one', async () => {
    const ping = schema('mine.json', PING);
    const { diagnostics } = await run({ inputs: [{ location: ping }], emits: ['protocol'] });
    expect(diagnostics.map(({ code }) => code)).toContain('unnamed-protocol');
    const named = await run({ inputs: [{ location: ping, name: 'mine' }], emits: ['protocol'] });
    expect(named.diagnostics.map(({ code }) => code)).not.toContain('unnamed-protocol');
    const plain = await run({ inputs: [{ location: schema('tools.json', TOOL) }] });
    expect(plain.diagnostics).toEqual([]);
  });
});

describe('a source that was saved again', () => {
  it('with a definition twice is an error, although JSON.parse sees the same', async () => {
    const location = join(scratch, 'schema.json');
    writeFileSync(location, '{"$defs":{"A":{"type":"string"}}}');
    await run({ inputs: [{ location }] });
    writeFileSync(location, '{"$defs":{"A":{"type":"number"},"A":{"type":"string"}}}');
    await expect(run({ inputs: [{ location }] })).rejects.toMatchObject({
      diagnostics: [{ code: 'duplicate-definition' }],
    });
  });

  it('with other line ends and indentation is no change, but another order of keys is one', async () => {
    const document = JSON.parse(readFileSync(bundledSchemaPath('2025-11-25'), 'utf8')) as object;
    const location = join(scratch, 'schema.json');
    const save = (text: string): void => writeFileSync(location, text);
    const changes = async (): Promise<string[]> => {
      const { plan } = await run({ inputs: [{ location }] });
      return plan.filter(({ action }) => action !== 'skip').map(({ path }) => path);
    };
    save(JSON.stringify(document, null, 2));
    expect(await changes()).not.toEqual([]);
    for (const text of [
      JSON.stringify(document),
      `${JSON.stringify(document, null, 2)}\n`,
      JSON.stringify(document, null, '\t').replaceAll('\n', '\r\n'),
      `\uFEFF${JSON.stringify(document, null, 1)}\n\n`,
    ]) {
      save(text);
      expect(await changes()).toEqual([]);
    }
    save(JSON.stringify(Object.fromEntries(Object.entries(document).reverse())));
    expect(await changes()).not.toEqual([]);
  });
});

describe('generate', () => {
  it('writes a folder for each protocol, and a manifest', async () => {
    const location = schema('tools.json', TOOL);
    await run({ inputs: [{ location, name: 'mine' }, { location }], emits: ['zod'] });
    expect([...files.keys()].sort()).toEqual([
      'manifest.json',
      'mine/index.ts',
      'mine/types.ts',
      'mine/zod.ts',
      'support/zod.ts',
      'tools/index.ts',
      'tools/types.ts',
      'tools/zod.ts',
    ]);
    expect(files.get('mine/types.ts')).toContain('export type Tool = {');
  });

  it('writes a header with the origin and the command into every file', async () => {
    const location = schema('tools.json', TOOL);
    await run({ inputs: [{ location, name: 'mine' }], errata: false });
    const text = JSON.stringify({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: TOOL,
    });
    for (const file of ['mine/index.ts', 'mine/types.ts']) {
      expect(files.get(file)?.split('\n').slice(0, 3)).toEqual([
        '// Generated by mcp-codegen from tools.json. Do not edit.',
        `// Schema SHA-256: ${sha256(text)}`,
        '// Generate again, in the folder of manifest.json: npx mcp-codegen generate --schema tools.json --name mine --emit types --no-errata --out .',
      ]);
    }
    expect([...files.values()].join('')).not.toContain(scratch);
  });

  it('writes the command for a URL, quoted for a shell', async () => {
    const text = JSON.stringify({ $defs: TOOL });
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const path = `/a/it's$HOME.json`;
      const open = `http://127.0.0.1:${String(port)}${path}`;
      await run({ inputs: [{ location: `${open}?token=SECRET#SECRET`, name: 'mine' }] });
      expect(asked).toEqual([`${path}?token=SECRET`]);
      asked.length = 0;
      const once = new Map(files);
      const line = once.get('mine/types.ts')?.split('\n')[2] ?? '';
      const command = line.replace(/^.*: npx mcp-codegen /, '');
      const words = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' });
      const again = words.trimEnd().split('\n');
      expect(again.slice(0, 5)).toEqual(['generate', '--schema', open, '--name', 'mine']);
      files.clear();
      await run({ inputs: [{ location: again[2] ?? '', name: 'mine' }] });
      expect(files).toEqual(once);
      expect(new Set(asked)).toEqual(new Set([path]));
    } finally {
      server.close();
    }
  });

  it('keeps a hostile file name inside its comment', async () => {
    const location = schema('x\n\u2028process.exit();.json', TOOL);
    await run({ inputs: [{ location, name: 'mine' }] });
    const [first = '', second = ''] = files.get('mine/index.ts')?.split('\n') ?? [];
    expect(first).toMatch(/^\/\/ Generated by .* Do not edit\.$/);
    expect(second).toMatch(/^\/\/ Schema SHA-256: [0-9a-f]{64}$/);
  });

  it('writes the same bytes again, whatever the folder contains', async () => {
    const location = schema('tools.json', TOOL);
    await run({ inputs: [{ location }] });
    const once = new Map(files);
    files.clear();
    await run({ inputs: [{ location }] });
    expect(files).toEqual(once);
  });

  it('orders types by name, so that the order of definitions does not matter', async () => {
    const others = { A: { type: 'string' }, B: { type: 'number' } };
    const one = schema('one.json', { ...others, ...TOOL });
    await run({ inputs: [{ location: one, name: 'x' }] });
    const body = (text = ''): string => text.split('\n').slice(3).join('\n');
    const first = body(files.get('x/types.ts'));
    schema('one.json', { ...TOOL, B: others.B, A: others.A });
    await run({ inputs: [{ location: one, name: 'x' }] });
    expect(body(files.get('x/types.ts'))).toBe(first);
  });
});

describe('the support modules', () => {
  const inputs = (...names: string[]): { location: string; name: string }[] =>
    names.map((name) => ({ location: schema('tools.json', TOOL), name }));
  const supported = (): string[] => [...files.keys()].filter((path) => path.startsWith('support/'));
  const listed = (): object | undefined => {
    const manifest = JSON.parse(files.get('manifest.json') ?? '{}') as {
      protocols: Record<string, { files: Record<string, string> }>;
    };
    return manifest.protocols['support']?.files;
  };

  it('are written once for all protocols, and listed in the manifest', async () => {
    const { plan } = await run({ inputs: inputs('a', 'b'), emits: ['validators', 'zod'] });
    expect(supported()).toContain('support/check.ts');
    expect(supported()).toContain('support/zod.ts');
    expect(Object.keys(listed() ?? {}).sort()).toEqual(supported().sort());
    expect(plan.filter(({ path }) => path === 'support/check.ts')).toHaveLength(1);
    expect(
      staleFiles((await run({ inputs: inputs('a', 'b'), emits: ['validators', 'zod'] })).plan),
    ).toEqual([]);
  });

  it('are only those that a generated file imports', async () => {
    await run({ inputs: inputs('a'), emits: ['types'] });
    expect(supported()).toEqual([]);
    expect(listed()).toBeUndefined();
    await run({ inputs: inputs('a'), emits: ['protocol'] });
    expect(supported()).toEqual(['support/protocol.ts']);
    await run({ inputs: inputs('a'), emits: ['validators'] });
    expect(supported()).toEqual([
      'support/check.ts',
      'support/report.ts',
      'support/shapes.ts',
      'support/validation.ts',
    ]);
    await run({ inputs: inputs('a'), emits: ['types'] });
    expect(supported()).toEqual([]);
    expect(listed()).toBeUndefined();
  });

  it('are the union of what the protocols import, whichever of them a run generates', async () => {
    const link = schema('link.json', { Link: { type: 'string', format: 'uri' } });
    const applied = schema('applied.json', {
      Applied: { oneOf: [{ minimum: 1 }, { const: 'a' }] },
    });
    const [a, b] = [
      { location: link, name: 'a' },
      { location: applied, name: 'b' },
    ];
    const emits = ['validators'] as const;
    await run({ inputs: [a], emits });
    const first = supported();
    await run({ inputs: [b], emits });
    const both = supported();
    expect(first).not.toEqual(both);
    expect(both).toEqual(expect.arrayContaining(first));
    files.clear();
    await run({ inputs: [b, a], emits });
    expect(supported().sort()).toEqual(both.sort());
    expect((await run({ inputs: [a], emits })).protocols).toMatchObject([{ unchanged: true }]);
    expect(supported().sort()).toEqual(both.sort());
    await run({ inputs: [a], emits, prune: true });
    expect(supported().sort()).toEqual(first.sort());
  });

  it('are found in the files of a protocol whose manifest does not say it', async () => {
    await run({ inputs: inputs('a'), emits: ['validators'] });
    const before = supported();
    const text = files.get('manifest.json') ?? '';
    const manifest = JSON.parse(text) as { protocols: Record<string, { support?: unknown }> };
    delete manifest.protocols['a']?.support;
    files.set('manifest.json', JSON.stringify(manifest));
    await run({ inputs: inputs('b'), emits: ['types'] });
    expect(supported()).toEqual(before);
    expect(before.length).toBeGreaterThan(3);
  });

  it('stay for other protocols and are deleted with the last one that needs them', async () => {
    await run({ inputs: inputs('a', 'b'), emits: ['validators'] });
    const before = supported();
    await run({ inputs: inputs('a'), emits: ['types'] });
    expect(supported()).toEqual(before);
    await run({ inputs: inputs('a'), emits: ['types'], prune: true });
    expect(supported()).toEqual([]);
    expect([...files.keys()].sort()).toEqual(['a/index.ts', 'a/types.ts', 'manifest.json']);
    await run({ inputs: [], prune: true });
    expect([...files.keys()]).toEqual(['manifest.json']);
  });

  it('are reported as changed for a protocol that this run does not change', async () => {
    await run({ inputs: inputs('a', 'b'), emits: ['validators'] });
    await run({ inputs: inputs('c'), emits: ['types'] });
    const [path, older] = ['support/check.ts', '// of an older version\n'];
    const manifest = JSON.parse(files.get('manifest.json') ?? '') as {
      protocols: Record<string, { input: string; files: Record<string, string> }>;
    };
    const support = { input: sha256(older), clean: true, files: { [path]: sha256(older) } };
    const protocols = { ...manifest.protocols, support };
    files.set('manifest.json', JSON.stringify({ ...manifest, protocols }));
    supported().forEach((each) => files.delete(each));
    files.set(path, older);
    const { diagnostics } = await run({ inputs: inputs('a'), emits: ['validators'] });
    expect(diagnostics).toMatchObject([
      { code: 'stale-protocol', severity: 'warning', source: 'b', help: 'Generate "b" as well.' },
    ]);
    expect((await run({ inputs: inputs('a'), emits: ['validators'] })).diagnostics).toEqual([]);
  });

  it('are restored if one is missing, and never overwrite an edit', async () => {
    await run({ inputs: inputs('a'), emits: ['validators'] });
    const text = files.get('support/check.ts') ?? '';
    files.delete('support/check.ts');
    await run({ inputs: inputs('a'), emits: ['validators'] });
    expect(files.get('support/check.ts')).toBe(text);
    files.set('support/check.ts', 'mine');
    await expect(run({ inputs: inputs('a'), emits: ['validators'] })).rejects.toThrow('was edited');
    await run({ inputs: inputs('a'), emits: ['validators'], force: true });
    expect(files.get('support/check.ts')).toBe(text);
  });

  it('reserve their folder', async () => {
    for (const name of ['support', 'Support', 'manifest.json']) {
      expect(isProtocolName(name)).toBe(false);
    }
    const location = schema('support.json', TOOL);
    await run({ inputs: [{ location }], emits: ['types'] });
    expect([...files.keys()].sort()).toEqual([
      'manifest.json',
      'support-schema/index.ts',
      'support-schema/types.ts',
    ]);
  });
});

describe('an unchanged input', () => {
  it('is detected by its hash', async () => {
    const location = schema('tools.json', TOOL);
    expect((await run({ inputs: [{ location }] })).protocols).toMatchObject([{ unchanged: false }]);
    const again = await run({ inputs: [{ location }] });
    expect(again.protocols).toMatchObject([{ name: 'tools', unchanged: true }]);
    expect(new Set(again.plan.map(({ action }) => action))).toEqual(new Set(['skip']));
  });

  it.each<[string, (location: string) => Partial<GenerationRequest>]>([
    ['other emits', (location) => ({ inputs: [{ location }], emits: ['zod'] })],
    ['other corrections', (location) => ({ inputs: [{ location }], errata: false })],
    [
      'another text',
      () => ({ inputs: [{ location: schema('tools.json', { ...TOOL, A: { type: 'string' } }) }] }),
    ],
    [
      'an edited file',
      (location) => {
        files.set('tools/types.ts', 'mine');
        return { inputs: [{ location }], force: true };
      },
    ],
    [
      'a missing file',
      (location) => {
        files.delete('tools/types.ts');
        return { inputs: [{ location }] };
      },
    ],
  ])('is not what %s make it', async (_, change) => {
    const location = schema('tools.json', TOOL);
    await run({ inputs: [{ location }] });
    const { protocols } = await run(change(location));
    expect(protocols).toMatchObject([{ unchanged: false }]);
  });

  it('is read again if it has diagnostics', async () => {
    const location = schema('tools.json', { ...TOOL, Bad: { $ref: '#/$defs/Nowhere' } });
    for (let times = 0; times < 2; times += 1) {
      const { diagnostics, protocols } = await run({ inputs: [{ location }] });
      expect(diagnostics).toMatchObject([{ code: 'dangling-ref', severity: 'warning' }]);
      expect(protocols).toMatchObject([{ unchanged: false }]);
    }
    expect(files.get('tools/types.ts')).toContain('Tool');
    expect(files.get('tools/types.ts')).toContain('export type Bad = unknown');
  });

  it('keeps its files up to date', async () => {
    const location = schema('tools.json', TOOL);
    await run({ inputs: [{ location }] });
    files.set('tools/types.ts', 'mine');
    const { plan } = await generate({
      inputs: [{ location }],
      emits: ['types'],
      errata: true,
      force: false,
      prune: false,
      folder: memoryFolder(files),
    });
    expect(staleFiles(plan)).toMatchObject([{ path: 'tools/types.ts', action: 'conflict' }]);
  });
});

describe('names', () => {
  it('of two protocols must differ in more than case', async () => {
    const location = schema('tools.json', TOOL);
    const inputs = [
      { location, name: 'mine' },
      { location, name: 'Mine' },
    ];
    await expect(run({ inputs })).rejects.toThrow(DiagnosticError);
    await expect(run({ inputs })).rejects.toThrow('output folder "Mine"');
  });

  it.each([
    '..',
    '.',
    '.git',
    'a/b',
    '/a',
    'a\\b',
    '',
    'manifest.json',
    'a\0',
    'C:',
    'ü',
    'con',
    'a.',
  ])('cannot be %j', async (name) => {
    expect(isProtocolName(name)).toBe(false);
    const location = schema('tools.json', TOOL);
    await expect(run({ inputs: [{ location, name }] })).rejects.toThrow('not the name');
    expect(files.size).toBe(0);
  });

  it('of a revision do not make a file that revision', async () => {
    const location = schema('2025-11-25.json', TOOL);
    await run({ inputs: [{ location }] });
    expect(files.get('2025-11-25/types.ts')).toContain('from 2025-11-25.json.');
  });
});
