import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { loadSource } from '../../generator/read/load/index.js';
import { createDefinitionNames, placeName } from '../../generator/read/load/names.js';
import { sized } from '../support/size.js';

const LATEST = ts.ScriptTarget.Latest;

/** The name of each key, and the names that got a warning. */
function namesOf(keys: readonly string[]): { names: Record<string, string>; warned: string[] } {
  const names = createDefinitionNames();
  const given = names.forDefinitions(keys.map((key) => ({ name: key, path: ['$defs', key] })));
  return {
    names: Object.fromEntries(keys.map((key, index) => [key, given[index]?.given ?? ''])),
    warned: names.diagnostics.map(({ pointer = '' }) => pointer.replace('/$defs/', '')),
  };
}

const nameOf = (key: string): string | undefined => namesOf([key]).names[key];

describe('the name of a definition', () => {
  it.each([
    ['types', 'Types'],
    ['is_types', 'IsTypes'],
    ['isTypes', 'IsTypes'],
    ['concurrency', 'Concurrency'],
    ['validate-concurrency', 'ValidateConcurrency'],
    ['normalJob', 'NormalJob'],
    ['permissions-event', 'PermissionsEvent'],
    ['k8s.io.api.core.v1.PodSpec', 'K8sIoApiCoreV1PodSpec'],
    ['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', 'IoK8sApimachineryPkgApisMetaV1ObjectMeta'],
    ['v1.12', 'V1_12'],
    ['foo/bar', 'FooBar'],
    ['http://x/y#z', 'HttpXYZ'],
    ['HTTP-API', 'HttpApi'],
    ['UTF8-STRING', 'Utf8String'],
    ['HTTP route', 'HTTPRoute'],
    ['_meta', 'Meta'],
    ['$defs', '$Defs'],
    ['__typename', 'Typename'],
    ['día_festivo', 'DíaFestivo'],
    ['e\u0301te\u0301', 'Été'],
    ['типы', 'Типы'],
    ['тип события', 'ТипСобытия'],
    ['数据', '数据'],
    ['数据-类型', '数据类型'],
    ['हिन्दी', 'हिन्दी'],
    ['שלום', 'שלום'],
    ['ქართული', 'ქართული'],
    ['straße', 'Straße'],
    ['ßa', 'ßa'],
    ['a\u200db', 'Ab'],
    ['😀 smile', 'Smile'],
    ['😀', 'Definition'],
    ['\u{3200}', 'Definition'],
    ['٣x', 'Definition٣x'],
  ])('%j is %s', (key, name) => {
    expect(nameOf(key)).toBe(name);
  });

  it.each(['HTTPRoute', 'Page_User_', 'MAX_SIZE', '_Private', '$Ref', 'Été', 'Типы', 'Τύπος'])(
    'is %s as the schema writes it',
    (key) => {
      expect(namesOf([key])).toEqual({ names: { [key]: key }, warned: [] });
    },
  );

  it('is no longer than a line, and ends with a whole character', () => {
    expect(nameOf(`a ${'𠮷'.repeat(200)}`)).toBe(`A${'𠮷'.repeat(78)}`);
  });

  it('has a warning when another definition has the name, and keeps its number apart', () => {
    expect(namesOf(['v1', 'V1', 'is_types', 'isTypes', 'is types'])).toEqual({
      names: {
        V1: 'V1',
        v1: 'V1_2',
        isTypes: 'IsTypes',
        is_types: 'IsTypes2',
        'is types': 'IsTypes3',
      },
      warned: ['v1', 'is_types', 'is types'],
    });
  });

  it('has no letter that TypeScript does not know', () => {
    const letters = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => /\p{ID_Continue}/u.test(character));
    for (let start = 0; start < letters.length; start += 50) {
      const name = nameOf(`A ${letters.slice(start, start + 50).join('')}`) ?? '';
      expect(isTypeScript(name), name).toBe(true);
    }
  });
});

/** Keys that become names in different ways, and keys whose names are the same. */
const keys = fc.uniqueArray(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.string({
      unit: fc.constantFrom('a', 'B', '1', '2', '_', '-', '$', 'é', 'e\u0301', 'я'),
      maxLength: 4,
    }),
    fc.constantFrom(
      'AB',
      'ab',
      'AB2',
      'AB3',
      'a-b',
      'a b',
      'aB',
      'class',
      'type',
      'Definition',
      '',
      '*/',
    ),
  ),
  { maxLength: 12 },
);

describe('the names of definitions', () => {
  it('are unique identifiers of TypeScript, with a capital where the script has them', () => {
    fc.assert(
      fc.property(keys, (all) => {
        const names = Object.values(namesOf(all).names);
        expect(new Set(names).size).toBe(all.length);
        for (const name of names) {
          expect(isTypeScript(name), JSON.stringify(name)).toBe(true);
          expect(name).toBe(name.normalize('NFC'));
          expect(name).not.toMatch(/^[a-zà-ýа-я]/);
        }
      }),
      { numRuns: sized(2000) },
    );
  });

  it('do not depend on the order', () => {
    fc.assert(
      fc.property(keys, fc.nat(), (all, by) => {
        const turned = all.map((_, index) => all[(index + by) % all.length] ?? '').reverse();
        expect(namesOf(turned).names).toEqual(namesOf(all).names);
      }),
    );
  });

  it('stay when a definition with another name is added', () => {
    fc.assert(
      fc.property(keys, fc.string({ unit: 'grapheme', minLength: 1 }), (all, added) => {
        const wanted = nameOf(added) ?? '';
        const before = namesOf(all).names;
        fc.pre(!Object.values(before).some((name) => name.startsWith(wanted.slice(0, 1))));
        expect(namesOf([...all, added]).names).toEqual({ ...before, [added]: wanted });
      }),
    );
  });

  it('that are written as they are exported cannot be changed by others', () => {
    fc.assert(
      fc.property(keys, (all) => {
        const { names } = namesOf(['AB', ...all.filter((key) => key !== 'AB')]);
        expect(names['AB']).toBe('AB');
      }),
    );
  });
});

describe('the name of a document that is a schema', () => {
  const rootOf = (label: string, text: string, name?: string): string | undefined => {
    const source = { label, text };
    const { definitions } = loadSource(source, name === undefined ? {} : { name }).document;
    return [...definitions.keys()][0];
  };

  it.each([
    ['/a/my-schema.schema.json', 'MySchema'],
    ['/a/данные о людях.json', 'ДанныеОЛюдях'],
    ['https://example.com/%E6%95%B0%E6%8D%AE.json', '数据'],
  ])('is that of its file: %s', (label, name) => {
    expect(rootOf(label, '{"type":"string"}')).toBe(name);
  });

  it('is its title, or else what the user calls it', () => {
    expect(rootOf('/a/b.json', '{"type":"string","title":"is types"}', 'own')).toBe('IsTypes');
    expect(rootOf('/a/b.json', '{"type":"string"}', 'own')).toBe('Own');
  });
});

describe('the name of another place', () => {
  it.each([
    [['$defs', 'User', 'properties', 'address'], 'User address'],
    [['properties', 'address'], 'address'],
    [['properties', 'properties', 'properties', 'items'], 'properties items'],
    [['definitions', 'a', '$defs', 'b'], 'b'],
    [['definitions', 'a', 'oneOf', 1], 'a oneOf 1'],
    [['definitions', 'a', 'items'], 'a item'],
    [['definitions', 'a', 'additionalProperties'], 'a value'],
    [['components', 'schemas', 'Pet', 'properties', 'tag'], 'Pet tag'],
    [['$defs'], '$defs'],
  ] as const)('%j says where it is', (path, words) => {
    expect(placeName({ path, document: 'schema:///' })).toBe(words);
  });

  it.each([
    ['https://example.com/a/node.schema.json#', 'node'],
    ['schema:///%D1%82%D0%B8%D0%BF.yaml', 'тип'],
    ['schema:///%E0%A4%A.json', '%E0%A4%A'],
  ])('is the file of %s', (document, words) => {
    expect(placeName({ path: [], document })).toBe(words);
  });
});

/** Whether TypeScript reads a text as one identifier that is no keyword. */
function isTypeScript(name: string): boolean {
  const scanner = ts.createScanner(LATEST, false, ts.LanguageVariant.Standard, name);
  return scanner.scan() === ts.SyntaxKind.Identifier && scanner.getTokenEnd() === name.length;
}
