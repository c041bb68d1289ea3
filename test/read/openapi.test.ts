import { Ajv2020 } from 'ajv/dist/2020.js';
import Ajv04 from 'ajv-draft-04';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { emitValidators } from '../../generator/emit/validators/index.js';
import { DiagnosticError } from '../../generator/diagnostics/index.js';
import { generate, memoryFolder } from '../../generator/index.js';
import { readProtocol } from '../../generator/protocol/protocol.js';
import { createCompiler } from './compiled.js';

let folder: string;
const compiler = createCompiler();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-openapi-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  compiler.remove();
});

const PET = {
  type: 'object',
  required: ['id', 'kind'],
  additionalProperties: false,
  discriminator: { propertyName: 'kind' },
  example: { id: 1, kind: 'cat' },
  properties: {
    id: { type: 'integer', format: 'int64', minimum: 0, exclusiveMinimum: true },
    kind: { enum: ['cat', 'dog'] },
    name: { type: 'string', nullable: true, xml: { attribute: true } },
    parent: { $ref: '#/components/schemas/Pet' },
    tag: { $ref: '#/components/parameters/Tag/schema' },
  },
};
const PARAMETERS = { Tag: { in: 'query', name: 'tag', schema: { type: 'string', maxLength: 3 } } };
const paths = { '/pets': { get: { responses: { 200: { description: 'Pets' } } } } };
const info = { title: 'Shop', version: '1' };

/** The same schemas, as the versions of OpenAPI write them. */
const DOCUMENTS: Readonly<Record<string, object>> = {
  '3.0': {
    ...{ openapi: '3.0.3', info, paths },
    components: {
      schemas: { Pet: PET, Pets: listOf('#/components/schemas/Pet') },
      parameters: PARAMETERS,
    },
  },
  '3.1': {
    ...{ openapi: '3.1.0', info, paths },
    components: {
      schemas: {
        Pet: {
          ...PET,
          properties: {
            ...PET.properties,
            id: { type: 'integer', format: 'int64', exclusiveMinimum: 0 },
            name: { type: ['string', 'null'] },
          },
        },
        Pets: listOf('#/components/schemas/Pet'),
      },
      parameters: PARAMETERS,
    },
  },
  '2.0': {
    ...{ swagger: '2.0', info, paths },
    definitions: {
      Pet: {
        ...PET,
        properties: {
          ...PET.properties,
          name: { type: ['string', 'null'] },
          parent: { $ref: '#/definitions/Pet' },
          tag: { type: 'string', maxLength: 3 },
        },
      },
      Pets: listOf('#/definitions/Pet'),
    },
  },
};

function listOf($ref: string): object {
  return { type: 'array', items: { $ref }, maxItems: 2 };
}

const cat = { id: 1, kind: 'cat' };
const VALUES: readonly (readonly [unknown, boolean])[] = [
  [[cat, { ...cat, name: null, parent: cat, tag: 'abc' }], true],
  [[{ ...cat, id: 0 }], false],
  [[{ ...cat, id: 0.5 }], false],
  [[{ ...cat, name: 1 }], false],
  [[{ ...cat, parent: { kind: 'cat' } }], false],
  [[{ ...cat, tag: 'abcd' }], false],
  [[{ ...cat, other: 1 }], false],
  [[cat, cat, cat], false],
  [cat, false],
];

function fileOf(document: object, name: string): string {
  const file = join(folder, name);
  writeFileSync(file, name.endsWith('.json') ? JSON.stringify(document) : stringify(document));
  return file;
}

async function refusal(
  work: Promise<unknown>,
): Promise<{ code: string; message: string } | undefined> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DiagnosticError);
  return (error as DiagnosticError).diagnostics[0];
}

describe.each(Object.entries(DOCUMENTS))('the schemas of OpenAPI %s', (version, document) => {
  const place = version === '2.0' ? 'definitions' : 'components/schemas';

  it.each(['shop.yaml', 'shop.json'])(
    'are definitions, with a warning for what is left out of %s',
    async (name) => {
      const file = fileOf(document, name);
      for (const location of [file, `${file}#/${place}`]) {
        const { protocol, diagnostics } = await readProtocol(location);
        expect(diagnostics.map(({ message }) => message)).toEqual([
          '"examples" is not carried over, in 1 place.',
          ...(version === '3.0' ? ['"xml" is not carried over, in 1 place.'] : []),
        ]);
        expect(protocol.name).toBe('shop');
        const names = protocol.definitions.map((each) => each.name);
        expect(names).toEqual(expect.arrayContaining(['Pet', 'Pets']));
        expect(names.length).toBe(version === '2.0' ? 2 : 3);
      }
    },
  );

  it('accept what ajv accepts', async () => {
    const { protocol } = await readProtocol(fileOf(document, 'shop.yaml'));
    const module = (await compiler.load(
      emitValidators(protocol).replaceAll('./types', './none'),
    )) as {
      isPets: (value: unknown) => boolean;
    };
    const options = { strict: false, validateFormats: false } as const;
    const ajv = version === '3.1' ? new Ajv2020(options) : new Ajv04.default(options);
    ajv.addSchema(document, 'file:///shop');
    const oracle = ajv.getSchema(`file:///shop#/${place}/Pets`);
    for (const [value, expected] of VALUES) {
      expect(module.isPets(value), JSON.stringify(value)).toBe(expected);
      expect(oracle?.(value), JSON.stringify(value)).toBe(expected);
    }
  });
});

describe('an OpenAPI document', () => {
  it.each([
    ['swagger: 2.0\ndefinitions: { Pet: { type: string, externalDocs: {} } }'],
    ['openapi: 3.0\ncomponents: { schemas: { Pet: { type: string, externalDocs: {} } } }'],
    ['openapi: 3.1\ncomponents: { schemas: { Pet: { type: string, externalDocs: {} } } }'],
  ])('may have a version without quotes: %s', async (text) => {
    const file = join(folder, 'unquoted.yaml');
    writeFileSync(file, text);
    const { protocol, diagnostics } = await readProtocol(file);
    expect(diagnostics).toEqual([]);
    expect(protocol.definitions.map(({ name }) => name)).toEqual(['Pet']);
  });

  it('has a warning where nullable changes nothing, because there is no type', async () => {
    const Pet = { $ref: '#/components/schemas/Name', nullable: true };
    const Owner = { allOf: [{ $ref: '#/components/schemas/Name' }], nullable: true };
    const Name = { type: 'string', nullable: true };
    const document = { openapi: '3.0.3', components: { schemas: { Pet, Owner, Name } } };
    const { diagnostics } = await readProtocol(fileOf(document, 'nullable.json'));
    expect(diagnostics).toMatchObject(
      ['Pet', 'Owner'].map((name) => ({
        code: 'unsupported-keyword',
        severity: 'warning',
        message: '"nullable" changes nothing, because there is no "type" beside it.',
        pointer: `/components/schemas/${name}/nullable`,
      })),
    );
  });
});

describe('a place in a document', () => {
  it('may be one schema', async () => {
    const file = fileOf(DOCUMENTS['3.0'] ?? {}, 'one.yaml');
    const { protocol } = await readProtocol(`${file}#/components/parameters/Tag/schema`);
    expect(protocol.definitions.map(({ name }) => name)).toEqual(['Schema']);
  });

  it('may be in any document, with keys that are escaped', async () => {
    const file = fileOf({ 'a/b': { 'c~d e': { $defs: { Size: { type: 'number' } } } } }, 'x.json');
    const { protocol } = await readProtocol(`${file}#/a~1b/c~0d%20e/$defs`);
    expect(protocol.definitions.map(({ name }) => name)).toEqual(['Size']);
  });

  it.each([
    '#/nowhere',
    '#/components/schemas/Cat/x',
    '#/__proto__/schemas',
    '#/info/schemas',
    '#/info/title',
  ])('is refused when there is no schema: %s', async (pointer) => {
    const file = fileOf(DOCUMENTS['3.0'] ?? {}, 'wrong.yaml');
    const found = await refusal(readProtocol(file + pointer));
    expect(found).toMatchObject({ code: 'not-a-schema' });
    expect(found?.message).toContain(pointer.slice(1));
  });

  it('is part of a file’s name when that file is there', async () => {
    mkdirSync(join(folder, 'odd#'), { recursive: true });
    const file = fileOf({ $defs: { A: {} } }, 'odd#/a.json');
    expect((await readProtocol(file)).protocol.definitions.map(({ name }) => name)).toEqual(['A']);
  });

  it('is part of the command that generates again, and of what the files are made from', async () => {
    const file = fileOf({ ...DOCUMENTS['3.0'], $defs: { Other: {} } }, 'again.yaml');
    const out = memoryFolder();
    const texts = await Promise.all(
      ['#/components/schemas', '#/components/schemas/Pet', ''].map(async (pointer) => {
        const { plan } = await generate({
          inputs: [{ location: file + pointer, recordAs: `../again.yaml${pointer}` }],
          emits: ['types'],
          errata: true,
          folder: out,
          force: false,
          prune: false,
        });
        const types = plan.find(({ path }) => path === 'again/types.ts');
        return types && 'text' in types ? types.text : '';
      }),
    );
    expect(texts[0]).toContain("--schema '../again.yaml#/components/schemas' --emit types --out .");
    expect(texts[0]).toContain('export type Pets');
    expect(texts[1]).not.toContain('export type Pets');
    expect(texts[2]).toContain('--schema ../again.yaml --emit types --out .');
  });
});
