import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalForm, structuralFingerprint } from '../../generator/read/load/fingerprint.js';

type Schema = Readonly<Record<string, unknown>>;

/** Names that are keywords, shadow something in JavaScript or are quite ordinary. */
const name = fc.constantFrom('a', 'title', 'description', 'enum', 'properties', '__proto__', '10');

const constant = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));

/** Schemas without annotations, in which properties may be named like keywords. */
const { schema } = fc.letrec<{ schema: Schema }>((tie) => {
  const named = fc.dictionary(name, tie('schema'), { noNullPrototype: true, maxKeys: 3 });
  const types = fc.uniqueArray(fc.constantFrom('string', 'null', 'array'), { minLength: 2 });
  const values = fc.uniqueArray(fc.oneof(fc.string(), fc.integer()), { minLength: 1 });
  return {
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.record({ type: fc.constantFrom('string', 'integer', 'null') }),
      fc.record({ type: types }),
      fc.record({ const: constant }),
      fc.record({ enum: values }),
      fc.record({ $ref: fc.constantFrom('#/$defs/A', '#/definitions/A') }),
      fc.record({ properties: named, required: fc.uniqueArray(name) }),
      fc.record({ type: fc.constant('array'), items: tie('schema') }),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ $defs: named }),
    ),
  };
});

describe('canonicalForm', () => {
  it('is JSON without whitespace, keys in the order of code units', () => {
    const form = canonicalForm({
      type: 'object',
      properties: { b: {}, a: { type: 'null' }, B: {} },
    });
    expect(form).toBe('{"properties":{"B":{},"a":{"type":"null"},"b":{}},"type":"object"}');
  });

  it('drops annotations of schemas at any depth', () => {
    const annotated = { title: 't', description: 'd', $comment: 'c', examples: [1] };
    const nested = {
      ...annotated,
      items: [{ ...annotated }],
      not: annotated,
      anyOf: [annotated],
      additionalProperties: { propertyNames: annotated },
      dependencies: { a: annotated, b: ['z', 'y'] },
    };
    expect(canonicalForm(nested)).toBe(
      '{"additionalProperties":{"propertyNames":{}},"anyOf":[{}],' +
        '"dependencies":{"a":{},"b":["z","y"]},"items":[{}],"not":{}}',
    );
  });

  it('keeps properties with names of annotations', () => {
    const schema = {
      properties: { title: {}, description: { const: { title: 1, description: [2] } } },
      required: ['title', 'description'],
      default: { examples: [{ $comment: '' }] },
      'x-unknown': { title: 'kept' },
    };
    expect(canonicalForm(schema)).toBe(
      '{"default":{"examples":[{"$comment":""}]},' +
        '"properties":{"description":{"const":{"description":[2],"title":1}},"title":{}},' +
        '"required":["description","title"],"x-unknown":{"title":"kept"}}',
    );
  });

  it('sorts only arrays without a meaningful order', () => {
    const sets = {
      required: ['b', 'a'],
      type: ['string', 'null'],
      enum: [{ b: 1, a: 2 }, 'x', 10, 9],
    };
    expect(canonicalForm(sets)).toBe(
      '{"enum":["x",10,9,{"a":2,"b":1}],"required":["a","b"],"type":["null","string"]}',
    );
    const lists = { const: ['b', 'a'], anyOf: [{ type: 'string' }, { type: 'null' }] };
    expect(canonicalForm(lists)).toBe(
      '{"anyOf":[{"type":"string"},{"type":"null"}],"const":["b","a"]}',
    );
  });

  it('treats a property named required as a property', () => {
    const schema = {
      properties: { enum: { type: 'string' }, required: { items: { title: 't' } } },
    };
    expect(canonicalForm(schema)).toBe(
      '{"properties":{"enum":{"type":"string"},"required":{"items":{}}}}',
    );
  });

  it('includes an own __proto__', () => {
    const schema: unknown = JSON.parse('{"properties":{"__proto__":{"type":"null"}}}');
    expect(canonicalForm(schema)).toBe('{"properties":{"__proto__":{"type":"null"}}}');
  });

  it('accepts 500 levels and refuses one more', () => {
    const levels = (count: number): unknown =>
      JSON.parse('{"not":'.repeat(count) + 'true' + '}'.repeat(count));
    expect(canonicalForm(levels(500))).toBe(JSON.stringify(levels(500)));
    expect(() => canonicalForm(levels(501))).toThrow(
      new RangeError('The schema nests deeper than 500 levels.'),
    );
  });

  it('refuses endless nesting without overflowing the stack', () => {
    const array: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
    expect(() => canonicalForm({ const: array })).toThrow(/nests deeper/);
    const cycle: { not?: unknown } = {};
    cycle.not = cycle;
    expect(() => canonicalForm(cycle)).toThrow(/nests deeper/);
  });

  it.each([undefined, Number.NaN, Infinity, 1n, Symbol('s'), () => 1])('refuses %s', (value) => {
    expect(() => canonicalForm({ const: value })).toThrow(TypeError);
  });

  it('does not depend on the order of keys or of sets', () => {
    fc.assert(
      fc.property(schema, (original) => {
        expect(canonicalForm(rewrite(original, backwards))).toBe(canonicalForm(original));
      }),
    );
  });

  it('does not depend on annotations', () => {
    fc.assert(
      fc.property(schema, fc.string(), (original, words) => {
        const annotate = (node: Schema): Schema => ({
          description: words,
          title: words,
          ...node,
          examples: [words],
          $comment: words,
        });
        expect(canonicalForm(rewrite(original, annotate))).toBe(canonicalForm(original));
      }),
    );
  });

  it('keeps everything else', () => {
    fc.assert(
      fc.property(schema, (original) => {
        const form = JSON.parse(canonicalForm(original)) as Schema;
        expect(rewrite(form, sortSets)).toEqual(rewrite(original, sortSets));
      }),
    );
  });

  it.each<[string, (node: Schema) => Schema]>([
    ['an added keyword', (node) => ({ ...node, format: 'uri' })],
    ['a removed keyword', (node) => Object.fromEntries(Object.entries(node).slice(1))],
    ['an added property', (node) => ({ ...node, properties: { description: {}, z: {} } })],
    [
      'an added member of a set',
      (node) => ({ ...node, required: [...sets(node, 'required'), 'z'] }),
    ],
    ['another nesting', (node) => ({ not: node })],
  ])('reflects %s at any place', (_, change) => {
    fc.assert(
      fc.property(schema, fc.nat(), (original, choice) => {
        let places = 0;
        rewrite(original, (node) => (places++, node));
        let place = choice % places;
        const changed = rewrite(original, (node) => (place-- === 0 ? change(node) : node));
        expect(canonicalForm(changed)).not.toBe(canonicalForm(original));
      }),
    );
  });
});

describe('structuralFingerprint', () => {
  it('is the SHA-256 of the canonical form in UTF-8', () => {
    const schema = { description: 'Grüße', const: 'Grüße' };
    const expected = createHash('sha256').update(Buffer.from('{"const":"Grüße"}')).digest('hex');
    expect(structuralFingerprint(schema)).toBe(expected);
  });
});

/** Changes every schema inside a schema of the kind that is generated above, the innermost first. */
function rewrite(node: Schema, change: (node: Schema) => Schema): Schema {
  const inner = Object.entries(node).map(([keyword, value]) => {
    if (keyword === 'items') return [keyword, rewrite(value as Schema, change)];
    if (keyword === 'anyOf')
      return [keyword, (value as Schema[]).map((one) => rewrite(one, change))];
    if (keyword !== 'properties' && keyword !== '$defs') return [keyword, value];
    const named = Object.entries(value as Readonly<Record<string, Schema>>);
    return [keyword, Object.fromEntries(named.map(([key, one]) => [key, rewrite(one, change)]))];
  });
  return change(Object.fromEntries(inner) as Schema);
}

function backwards(node: Schema): Schema {
  const members = Object.entries(node).map(([keyword, value]) => {
    if (isSet(keyword, value)) return [keyword, [...value].reverse()];
    if (keyword !== 'properties' && keyword !== '$defs') return [keyword, value];
    return [keyword, Object.fromEntries(Object.entries(value as Schema).reverse())];
  });
  return Object.fromEntries(members.reverse()) as Schema;
}

function sortSets(node: Schema): Schema {
  const members = Object.entries(node).map(([keyword, value]) => {
    return [
      keyword,
      isSet(keyword, value)
        ? sets(node, keyword)
            .map((member) => JSON.stringify(member))
            .sort()
        : value,
    ];
  });
  return Object.fromEntries(members) as Schema;
}

function isSet(keyword: string, value: unknown): value is readonly unknown[] {
  return ['enum', 'required', 'type'].includes(keyword) && Array.isArray(value);
}

function sets(node: Schema, keyword: string): readonly unknown[] {
  const value = node[keyword];
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
