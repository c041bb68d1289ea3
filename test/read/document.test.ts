import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DiagnosticError } from '../../generator/diagnostics/index.js';
import type { Diagnostic } from '../../generator/diagnostics/index.js';
import { buildProtocol } from '../../generator/ir/index.js';
import { DEFAULT_LIMITS, loadSchema } from '../../generator/read/load/index.js';
import type { LoadedSchema, LoadOptions } from '../../generator/read/load/index.js';
import { sized } from '../support/size.js';

const folder = mkdtempSync(join(tmpdir(), 'load-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
let files = 0;

async function loadText(text: string, options: LoadOptions = {}): Promise<LoadedSchema> {
  const path = join(folder, `case-${String((files += 1))}.json`);
  writeFileSync(path, text);
  return await loadSchema(path, options);
}

/** The loaded document, with `definitions` under `$defs`. */
async function load(definitions: object): Promise<LoadedSchema> {
  return await loadText(JSON.stringify({ $schema: DIALECT, $defs: definitions }));
}

async function refusal(text: string): Promise<readonly Diagnostic[]> {
  try {
    await loadText(text);
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics;
    throw error;
  }
  throw new Error('the document was accepted');
}

const codes = (diagnostics: readonly Diagnostic[]): string[] => diagnostics.map(({ code }) => code);

describe('a document that cannot be read', () => {
  it.each([
    ['not JSON', '{"$defs":', 'not-json'],
    ['nothing at all', '', 'not-json'],
    ['an array', '[]', 'not-a-schema'],
    ['a string', '"x"', 'not-a-schema'],
    ['null', 'null', 'not-a-schema'],
    ['no definitions', '{}', 'not-a-schema'],
    ['empty definitions', '{"$defs":{}}', 'empty-document'],
    ['definitions that are a list', '{"$defs":[]}', 'not-a-schema'],
    [
      'another dialect',
      '{"$schema":"http://json-schema.org/draft-03/schema#","$defs":{"A":{}}}',
      'not-a-schema',
    ],
    ['one name twice in the text', '{"$defs":{"A":{},"B":{},"A":{}}}', 'duplicate-definition'],
    [
      'one name in both containers',
      '{"$defs":{"A":{}},"definitions":{"A":{}}}',
      'duplicate-definition',
    ],
  ])('%s', async (_, text, code) => {
    const diagnostics = await refusal(text);
    expect(codes(diagnostics)).toEqual([code]);
    expect(diagnostics[0]?.source).toContain('case-');
  });

  it('has a duplicate definition, which is reported with its place', async () => {
    const [diagnostic] = await refusal('{"$defs":{"A/B":{},"A/B":{}}}');
    expect(diagnostic?.pointer).toBe('/$defs/A~1B');
  });

  it('has too many levels', async () => {
    const depth = 100_000;
    const text = `{"$defs":{"A":${'{"items":'.repeat(depth)}{}${'}'.repeat(depth)}}}`;
    expect(codes(await refusal(text))).toEqual(['too-large']);
  });

  it('has too many definitions', async () => {
    const entries = Array.from({ length: 100_000 }, (_, index) => `"D${String(index)}":{}`);
    expect(codes(await refusal(`{"$defs":{${entries.join(',')}}}`))).toEqual(['too-large']);
  });

  it('has too many targets of references', async () => {
    const count = DEFAULT_LIMITS.definitions;
    const links = Array.from({ length: count + 1 }, (_, index): [string, object] => [
      `p${String(index)}`,
      index < count ? { $ref: `#/$defs/A/properties/p${String(index + 1)}` } : {},
    ]);
    const text = (from: number): string =>
      JSON.stringify({ $defs: { A: { properties: Object.fromEntries(links.slice(from)) } } });
    const [problem, ...others] = await refusal(text(0));
    expect(problem?.code).toBe('too-large');
    expect(problem?.message).toContain('5,000 definitions and targets');
    expect(others).toEqual([]);
    expect((await loadText(text(1))).diagnostics).toEqual([]);
  });

  it('is too large', async () => {
    const padding = ' '.repeat(DEFAULT_LIMITS.bytes + 1);
    expect(codes(await refusal(`{"$defs":{"A":{}}}${padding}`))).toEqual(['too-large']);
  });

  it.each(['1e400', '-1e400', '1e999999999'])('contains the number %s', async (number) => {
    const places = [
      ['minimum', `{"type":"number","minimum":${number}}`],
      ['const', `{"const":${number}}`],
      ['enum/1', `{"enum":[0,${number}]}`],
      ['default', `{"default":${number}}`],
    ] as const;
    for (const [place, schema] of places) {
      const [diagnostic, ...others] = await refusal(`{"$defs":{"A":${schema}}}`);
      expect(others).toEqual([]);
      expect(diagnostic).toMatchObject({ code: 'too-large', pointer: `/$defs/A/${place}` });
    }
  });

  it('does not exist', async () => {
    await expect(loadSchema(join(folder, 'absent.json'))).rejects.toMatchObject({
      diagnostics: [{ code: 'not-found' }],
    });
    await expect(loadSchema(folder)).rejects.toMatchObject({
      diagnostics: [{ code: 'not-found' }],
    });
  });
});

describe('a document within the limits', () => {
  const million = 1_000_000;

  it.each([
    ['a long constant', ['x'.repeat(10 * million)]],
    ['a long constant of escapes', ['\\"'.repeat(3 * million)]],
    ['many members', Array.from({ length: 100_000 }, (_, index) => `m${String(index)}`)],
    ['numbers of any size', [0, 1e21, 5e-324, 2 ** 63, 1.7e308]],
  ])('may hold %s', async (_, values) => {
    const { document, diagnostics } = await load({ A: { enum: values } });
    expect(diagnostics).toEqual([]);
    expect(document.definitions.get('A')).toEqual({
      name: 'A',
      pointer: '/$defs/A',
      node: { kind: 'literal', values },
    });
  });

  it('may hold a long description and a long name', async () => {
    const long = 'x'.repeat(7 * million);
    const { document, diagnostics } = await load({
      A: { description: long, type: 'object', properties: { [long]: {} } },
    });
    expect(diagnostics).toEqual([]);
    expect(document.definitions.get('A')).toMatchObject({
      description: long,
      node: { properties: [{ name: long }] },
    });
  });
});

describe('a document that only has definitions', () => {
  it.each([
    ['http://json-schema.org/draft-04/schema#', { id: 'https://a.example/b' }],
    ['http://json-schema.org/draft-07/schema#', { $id: 'https://a.example/b' }],
    ['https://json-schema.org/draft/2019-09/schema', { $recursiveAnchor: true, $anchor: 'a' }],
    ['https://json-schema.org/draft/2020-12/schema', { $dynamicAnchor: 'a', title: 'All' }],
  ])('is no definition itself, whatever it is called by: %s', async ($schema, named) => {
    const text = JSON.stringify({ $schema, ...named, definitions: { A: {} } });
    const { document, diagnostics } = await loadText(text);
    expect(diagnostics).toEqual([]);
    expect([...document.definitions.keys()]).toEqual(['A']);
  });
});

describe('a definition that cannot be read', () => {
  it.each([
    ['an unknown type', { type: 'text' }, 'malformed-keyword', '/$defs/Bad/type'],
    ['an empty union', { anyOf: [] }, 'malformed-keyword', '/$defs/Bad/anyOf'],
    [
      'a broken pattern',
      { type: 'string', pattern: '(' },
      'malformed-keyword',
      '/$defs/Bad/pattern',
    ],
    [
      'a negative length',
      { type: 'string', minLength: -1 },
      'malformed-keyword',
      '/$defs/Bad/minLength',
    ],
    ['a circle of itself', { $ref: '#/$defs/Bad' }, 'circular-ref', '/$defs/Bad'],
    [
      'a circle through a union',
      { anyOf: [{ type: 'null' }, { $ref: '#/$defs/Bad' }] },
      'circular-ref',
      '/$defs/Bad',
    ],
  ])('%s', async (_, schema, code, pointer) => {
    const sound = { Good: { type: 'array', items: {} }, User: { $ref: '#/$defs/Bad' } };
    const { document, diagnostics } = await load({ Bad: schema, ...sound });
    expect(diagnostics).toMatchObject([{ code, pointer, severity: 'warning' }]);
    expect(diagnostics[0]?.help).toContain('it refuses no value');
    expect([...document.definitions.keys()]).toEqual(['Bad', 'Good', 'User']);
    const { document: right } = await load({ Bad: {}, ...sound });
    for (const name of ['Good', 'User']) {
      expect(document.definitions.get(name)).toEqual(right.definitions.get(name));
    }
    const text = JSON.stringify({ $schema: DIALECT, $defs: { Bad: schema, ...sound } });
    expect((await loadText(text, { strict: true })).diagnostics).toMatchObject([
      { code, pointer, severity: 'error' },
    ]);
  });

  it.each([
    ['a missing target', '#/$defs/Absent', 'dangling-ref'],
    ['a missing target inside a definition', '#/$defs/Good/contains', 'dangling-ref'],
    ['an undecodable target', '#/$defs/%E0%A4%A', 'dangling-ref'],
    ['another file', 'other.json#/$defs/X', 'remote-ref'],
    ['a URL', 'https://example.com/s.json', 'remote-ref'],
  ])('is not one with a reference that leads nowhere: %s', async (_, $ref, code) => {
    const { document, diagnostics } = await load({
      Bad: { $ref },
      Good: { type: 'array', items: {} },
      User: { type: 'object', properties: { bad: { $ref }, good: { type: 'string' } } },
    });
    expect(diagnostics).toMatchObject([
      { code, pointer: '/$defs/Bad/$ref', severity: 'warning' },
      { code, pointer: '/$defs/User/properties/bad/$ref', severity: 'warning' },
    ]);
    expect([...document.definitions.keys()]).toEqual(['Bad', 'Good', 'User']);
    expect(document.definitions.get('Bad')?.node).toEqual({ kind: 'any' });
    expect(document.definitions.get('User')?.node).toMatchObject({
      properties: [
        { name: 'bad', node: { kind: 'any' } },
        { name: 'good', node: { kind: 'string' } },
      ],
    });
  });

  it('is no schema, and what refers to it accepts everything there', async () => {
    const { document, diagnostics } = await load({
      Bad: [],
      User: { type: 'object', properties: { bad: { $ref: '#/$defs/Bad' } } },
    });
    expect(diagnostics).toMatchObject([
      { code: 'not-a-schema', pointer: '/$defs/Bad' },
      { code: 'dangling-ref', pointer: '/$defs/User/properties/bad/$ref' },
    ]);
    expect([...document.definitions.keys()]).toEqual(['Bad', 'User']);
  });

  it('refers to a nested definition that no reference can reach', async () => {
    const { diagnostics } = await load({
      A: { $defs: { Inner: {} }, type: 'array', items: { $ref: '#/$defs/Inner' } },
    });
    expect(diagnostics[0]?.help).toContain('root of the document');
  });

  it('is reported without control characters', async () => {
    const { diagnostics } = await load({ A: { 'x\u001b[31m\u202e': 1 } });
    expect(diagnostics[0]?.message).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});

describe('a document that is read with a warning', () => {
  it.each([
    ['class', 'Class'],
    ['string', 'String'],
    ['a b', 'AB'],
    ['1st', 'Definition1st'],
    ['', 'Definition'],
    ['*/', 'Definition'],
    ['${x}', '$X'],
    ['日本 語', '日本語'],
  ])('names the definition %j differently', async (name, given) => {
    const { document, diagnostics } = await load({ [name]: { type: 'string' } });
    expect(diagnostics).toMatchObject([{ code: 'bad-name', severity: 'warning' }]);
    expect([...document.definitions.keys()]).toEqual([given]);
  });

  it('gives no two definitions one name', async () => {
    const { document } = await load({ 'a b': {}, AB: {}, 'a-b': {}, AB2: {} });
    expect([...document.definitions.keys()].sort()).toEqual(['AB', 'AB2', 'AB3', 'AB4']);
  });

  it.each([
    ['a keyword of its own', { discriminator: {} }, '/$defs/A/discriminator'],
    ['a misspelt keyword', { requierd: ['a'] }, '/$defs/A/requierd'],
    ['a keyword of another draft', { dependencies: {} }, '/$defs/A/dependencies'],
    ['an unknown format', { type: 'string', format: 'colour' }, '/$defs/A/format'],
  ])('has %s', async (_, schema, pointer) => {
    const { document, diagnostics } = await load({ A: schema });
    expect(diagnostics).toMatchObject([
      { code: 'unsupported-keyword', severity: 'warning', pointer },
    ]);
    expect(document.definitions.size).toBe(1);
  });

  it('has definitions in a definition that are none', async () => {
    const { document, diagnostics } = await load({
      A: { $defs: { note: 'text' }, type: 'string' },
    });
    expect(diagnostics).toMatchObject([
      { code: 'malformed-keyword', severity: 'warning', pointer: '/$defs/A/$defs' },
    ]);
    expect(document.definitions.get('A')?.node).toEqual({ kind: 'string' });
  });

  it('has a property named __proto__', async () => {
    const text = `{"$defs":{"A":{"type":"object","properties":{"__proto__":{"type":"string"}}}}}`;
    const { document, diagnostics } = await loadText(text);
    expect(diagnostics).toMatchObject([
      { code: 'bad-name', severity: 'warning', pointer: '/$defs/A/properties/__proto__' },
    ]);
    expect(document.definitions.size).toBe(1);
  });
});

describe('a document that can be read', () => {
  it('may be a schema itself, which gets its title as a name', async () => {
    const { document, diagnostics } = await loadText(
      '{"title":"a tree","type":"array","items":{"$ref":"#"},"$defs":{"Leaf":{}}}',
    );
    expect(diagnostics).toEqual([]);
    expect([...document.definitions.keys()]).toEqual(['ATree', 'Leaf']);
    expect(document.definitions.get('ATree')?.node).toMatchObject({
      items: { kind: 'ref', name: 'ATree' },
    });
  });

  it('may refer to a part of a definition', async () => {
    const { document, diagnostics } = await load({
      A: { type: 'object', properties: { b: { type: 'null' } } },
      C: { type: 'array', items: { $ref: '#/$defs/A/properties/b' } },
    });
    expect(diagnostics).toEqual([]);
    expect(document.definitions.get('AB')?.node).toEqual({ kind: 'null' });
  });

  it('may name a definition __proto__ or constructor', async () => {
    const text = '{"$defs":{"__proto__":{"type":"string"},"constructor":{"type":"null"}}}';
    const { document, diagnostics } = await loadText(text);
    expect(diagnostics).toEqual([]);
    expect(buildProtocol(document).definitions.map(({ name }) => name)).toEqual([
      'Constructor',
      'Proto',
    ]);
  });

  it('may be recursive through objects and arrays', async () => {
    const { diagnostics } = await load({
      Tree: { type: 'object', additionalProperties: { $ref: '#/$defs/Forest' } },
      Forest: { type: 'array', items: { $ref: '#/$defs/Tree' } },
    });
    expect(diagnostics).toEqual([]);
  });

  it('may have its definitions under $defs, definitions or both', async () => {
    const { document } = await loadText('{"$defs":{"A":{}},"definitions":{"B":{}}}');
    expect([...document.definitions.keys()]).toEqual(['A', 'B']);
  });

  it('throws nothing but diagnostics for any input', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), schemas(), { maxKeys: 4 }),
        async (definitions) => {
          try {
            buildProtocol((await load(definitions)).document);
          } catch (error) {
            expect(error).toBeInstanceOf(DiagnosticError);
          }
        },
      ),
      { numRuns: sized(300) },
    );
  });
});

/** Values that look like schemas, valid or not. */
function schemas(): fc.Arbitrary<unknown> {
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown),
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom('object', 'array', 'string', 'integer', 'null'),
            fc.string(),
          ),
          properties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 3 }),
          required: fc.array(fc.string()),
          additionalProperties: tie('schema'),
          items: tie('schema'),
          anyOf: fc.array(tie('schema'), { maxLength: 3 }),
          allOf: fc.array(tie('schema'), { maxLength: 3 }),
          const: fc.jsonValue({ maxDepth: 1 }),
          enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }),
          $ref: fc.oneof(fc.constantFrom('#/$defs/A', '#', '#/$defs/'), fc.string()),
          minimum: fc.double(),
          description: fc.string(),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  return schema;
}
