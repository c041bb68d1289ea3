import { describe, expect, it } from 'vitest';
import { describeSchema } from '../../scripts/describe-schema.js';
import { findWords, readDictionary, unusedEntries } from '../../scripts/schema-words.js';
import type { Dictionary } from '../../scripts/schema-words.js';

function dictionary(texts: object, deprecations: unknown = []): Dictionary {
  return readDictionary(new Map([['a.json', texts]]), deprecations);
}

function textOf(words: Dictionary, path: string, ...revisions: string[]): string | undefined {
  return findWords(words, path.split('.'), revisions).text;
}

describe('readDictionary', () => {
  it.each<[string, unknown, string]>([
    ['an array', [], 'a.json: must hold a JSON object.'],
    ['an empty text', { Tool: '' }, 'a.json: Tool has neither a text nor texts.'],
    ['a number', { Tool: { '*': 1 } }, 'a.json: Tool has neither a text nor texts.'],
  ])('refuses %s', (_, content, message) => {
    expect(() => readDictionary(new Map([['a.json', content]]), [])).toThrow(message);
  });

  it('refuses two texts for one path', () => {
    const files = new Map(['a.json', 'b.json'].map((file) => [file, { Tool: 'Tool.' }]));
    expect(() => readDictionary(files, [])).toThrow('b.json: Tool has a text in another file too.');
  });

  it.each([{}, [{}], [{ since: '2026-07-28', advice: 'No.', paths: [1] }]])(
    'refuses %j as deprecations',
    (deprecations) => {
      expect(() => dictionary({}, deprecations)).toThrow('{ since, advice, paths }');
    },
  );
});

describe('findWords', () => {
  it('prefers the more specific text', () => {
    const words = dictionary({
      '*.title': 'any',
      '*Schema.title': 'any schema',
      '*EnumSchema.title': 'any enum',
      'OldEnumSchema.title': 'exact',
    });
    expect(textOf(words, 'OldEnumSchema.title', 'r')).toBe('exact');
    expect(textOf(words, 'NewEnumSchema.title', 'r')).toBe('any enum');
    expect(textOf(words, 'EnumSchema.title', 'r')).toBe('any enum');
    expect(textOf(words, 'StringSchema.title', 'r')).toBe('any schema');
    expect(textOf(words, 'Tool.annotations.title', 'r')).toBe('any');
    expect(textOf(words, 'Tool.name', 'r')).toBeUndefined();
  });

  it('never uses the text of a property for a definition', () => {
    expect(textOf(dictionary({ '*.Tool': 'any', '*': 'all' }), 'Tool', 'r')).toBeUndefined();
  });

  it('prefers the revision, then the one it extends, then the text for all', () => {
    const words = dictionary({ A: { '*': 'all', core: 'core' }, B: { ext: 'ext', core: 'core' } });
    expect(textOf(words, 'A', 'ext', 'core')).toBe('core');
    expect(textOf(words, 'A', 'other')).toBe('all');
    expect(textOf(words, 'B', 'ext', 'core')).toBe('ext');
    expect(textOf(words, 'B', 'other')).toBeUndefined();
  });

  it('finds the text of named params for params written in place', () => {
    const words = dictionary({ PingRequestParams: 'params', 'PingRequestParams.a.b': 'inner' });
    expect(textOf(words, 'PingRequest.params.a.b', 'r')).toBe('inner');
    expect(textOf(words, 'PingRequest.params', 'r')).toBeUndefined();
  });

  it('deprecates from the given revision on, also in extensions of later ones', () => {
    const deprecations = [
      { since: '2026-07-28', advice: 'Use B.', paths: ['A', 'ARequestParams.x'] },
    ];
    const words = dictionary({ A: 'A.' }, deprecations);
    const deprecated = (path: string[], revisions: string[]): string | undefined =>
      findWords(words, path, revisions).deprecated;
    expect(deprecated(['A'], ['2025-11-25'])).toBeUndefined();
    expect(deprecated(['A'], ['2026-07-28'])).toBe('Since 2026-07-28. Use B.');
    expect(deprecated(['A'], ['2027-01-01'])).toBe('Since 2026-07-28. Use B.');
    expect(deprecated(['A'], ['ext-tasks', '2025-11-25'])).toBeUndefined();
    expect(deprecated(['A'], ['ext-tasks', '2026-07-28'])).toBe('Since 2026-07-28. Use B.');
    expect(deprecated(['ARequest', 'params', 'x'], ['2026-07-28'])).toBeDefined();
    expect(deprecated(['B', 'A'], ['2026-07-28'])).toBeUndefined();
  });
});

describe('describeSchema', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Theirs',
    definitions: {
      Tool: {
        description: 'theirs',
        properties: {
          description: { title: 'theirs', const: { description: 'data' } },
          title: { type: 'string' },
        },
        anyOf: [{ description: 'theirs', properties: { inner: { description: 'theirs' } } }],
      },
      Root: { type: 'object', description: 'theirs' },
    },
  };
  const words = dictionary({ Tool: 'Tool.', 'Tool.description': 'Text.', '*.title': 'Title.' }, [
    { since: '2026-07-28', advice: 'Use tools.', paths: ['Root', 'Tool'] },
  ]);
  const described = describeSchema(schema, ['2026-07-28'], words);

  it('replaces annotations and changes nothing else', () => {
    expect(JSON.stringify(described.schema)).toBe(
      JSON.stringify({
        $schema: schema.$schema,
        definitions: {
          Tool: {
            description: 'Tool.\n\n@deprecated Since 2026-07-28. Use tools.',
            properties: {
              description: { description: 'Text.', const: { description: 'data' } },
              title: { description: 'Title.', type: 'string' },
            },
            anyOf: [{ properties: { inner: {} } }],
          },
          Root: { description: '@deprecated Since 2026-07-28. Use tools.', type: 'object' },
        },
      }),
    );
  });

  it('reports missing descriptions', () => {
    expect(described.wordlessDefinitions).toEqual(['Root']);
    expect(described.wordlessProperties).toEqual(['Tool.inner']);
  });

  it('leaves no trace of earlier descriptions', () => {
    const again = describeSchema(described.schema, ['2026-07-28'], dictionary({}));
    expect(JSON.stringify(again.schema)).not.toMatch(/Text\.|Title\.|theirs|deprecated/i);
  });

  it('keeps names that shadow members of Object.prototype', () => {
    const hostile: unknown = JSON.parse(
      '{"$defs":{"__proto__":{"properties":{"constructor":{}}}}}',
    );
    const { schema: kept, wordlessDefinitions } = describeSchema(hostile, ['r'], dictionary({}));
    expect(JSON.stringify(kept)).toBe(JSON.stringify(hostile));
    expect(wordlessDefinitions).toEqual(['__proto__']);
  });
});

describe('unusedEntries', () => {
  it('lists each unused text and deprecation', () => {
    const words = dictionary({ A: 'A.', B: { '*': 'B.', r: 'B of r.' }, C: 'C.' }, [
      { since: 'r', advice: 'No.', paths: ['A', 'D'] },
    ]);
    const { used } = describeSchema({ $defs: { A: {}, B: {} } }, ['r'], words);
    expect(unusedEntries(words, used)).toEqual(['B@*', 'C@*', 'D@deprecated since r']);
  });
});
