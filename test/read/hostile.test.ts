import { Validator } from '@cfworker/json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { transformSync } from 'esbuild';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { DiagnosticError } from '../../generator/diagnostics/index.js';
import { emitUnits } from '../../generator/emit/index.js';
import { buildProtocol } from '../../generator/ir/index.js';
import { readDocument } from '../../generator/read/load/document.js';
import { DEFAULT_LIMITS, loadSource } from '../../generator/read/load/index.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { sized } from '../support/size.js';
import { createCompiler } from './compiled.js';

const compiler = createCompiler();
afterAll(() => {
  compiler.remove();
});

type Json = Record<string, unknown>;
const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const LEVELS = 60;

/** A chain of definitions in which each leads to the one before it several times. */
const chain = (link: (before: Json, level: number) => Json): Json => ({
  $schema: DRAFT,
  $defs: Object.fromEntries(
    Array.from({ length: LEVELS }, (_, i) => [
      `D${String(i)}`,
      i === 0 ? { type: 'string' } : link({ $ref: `#/$defs/D${String(i - 1)}` }, i),
    ]),
  ),
});

const object = (a: Json): Json => ({ type: 'object', properties: { a } });

const CHAINS: Readonly<Record<string, Json>> = {
  allOf: chain((before) => ({ allOf: [before, before] })),
  anyOf: chain((before, i) => ({ anyOf: [before, before, { const: i }] })),
  oneOf: chain((before, i) => ({ oneOf: [before, { allOf: [before, { minLength: i }] }] })),
  'allOf of anyOf': chain((before) => ({ allOf: [before, { anyOf: [before, object(before)] }] })),
  'allOf of oneOf': chain((before) => ({ allOf: [before, { oneOf: [before, object(before)] }] })),
  'if and not': chain((before) => ({ if: before, then: { not: before }, else: before })),
  'items and contains': chain((before) => ({ type: 'array', items: before, contains: before })),
  properties: chain((before) => ({ properties: { a: before, b: before }, required: ['a'] })),
  unevaluated: chain((before) => ({
    anyOf: [before, { ...before, required: ['x'] }],
    unevaluatedProperties: false,
    unevaluatedItems: before,
  })),
};

/** All files of a document, as JavaScript; the names of definitions that were left out. */
async function emitted(document: Json): Promise<{ size: number; refused: Set<string> }> {
  const read = readDocument('test', document as never, { limits: DEFAULT_LIMITS });
  let size = 0;
  for (const { text } of await emitUnits(buildProtocol(read.document), [
    'types',
    'zod',
    'validators',
  ])) {
    size += transformSync(text, { loader: 'ts' }).code.length;
  }
  const errors = read.diagnostics.filter(({ severity }) => severity === 'error');
  return { size, refused: new Set(errors.map(({ pointer = '' }) => pointer.split('/')[2] ?? '')) };
}

describe('schemas whose parts multiply', () => {
  it.each(Object.entries(CHAINS))('%s: code that grows with the schema', async (_, document) => {
    const { size, refused } = await emitted(document);
    expect(refused.size).toBe(0);
    expect(size).toBeLessThan(JSON.stringify(document).length * 100);
  });
});

describe('references that lead to each other', () => {
  const COUNT = 5;
  const target = fc.integer({ min: 0, max: COUNT - 1 });
  const reference = fc
    .tuple(target, fc.constantFrom('$ref', 'anchor', '$dynamicRef'))
    .map(([to, how]): Json => {
      if (how === '$ref') return { $ref: `#/$defs/D${String(to)}` };
      return how === 'anchor' ? { $ref: `#a${String(to)}` } : { $dynamicRef: `#d${String(to)}` };
    });
  const link = fc.tuple(reference, reference, fc.nat({ max: 8 })).map(([a, b, kind]): Json => {
    const kinds: Json[] = [
      ...[a, { allOf: [a, { type: 'object' }] }, { anyOf: [a, { type: 'string' }] }],
      ...[{ not: a }, { if: a, then: b }, { properties: { a }, additionalProperties: b }],
      ...[{ items: a, minItems: 1 }, { type: 'string' }, { oneOf: [a, b, { type: 'null' }] }],
    ];
    return kinds[kind] ?? {};
  });
  const documents = fc.array(link, { minLength: COUNT, maxLength: COUNT }).map((links) => ({
    $schema: DRAFT,
    $defs: Object.fromEntries(
      links.map((each, i) => [
        `D${String(i)}`,
        { $anchor: `a${String(i)}`, $dynamicAnchor: `d${String(i)}`, ...each },
      ]),
    ),
  }));

  it('are generated, or refused by a diagnostic', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const { refused } = await emitted(document);
        accepted += COUNT - refused.size;
      }),
      { numRuns: sized(150), seed: 20261122 },
    );
    expect(accepted).toBeGreaterThan(sized(150) / 2);
  });

  it.each<[string, Json]>([
    ['to itself', { $defs: { A: { $ref: '#/$defs/A' } } }],
    ['through allOf', { $defs: { A: { allOf: [{ type: 'string' }, { $ref: '#/$defs/A' }] } } }],
    ['to each other', { $defs: { A: { $ref: '#/$defs/B' }, B: { not: { $ref: '#/$defs/A' } } } }],
    ['through anchors', { $defs: { A: { $anchor: 'a', $ref: '#a' } } }],
    ['dynamically', { $schema: DRAFT, $defs: { A: { $dynamicAnchor: 'a', $dynamicRef: '#a' } } }],
  ])('%s, without an object or array in between, are refused', (_, document) => {
    const source = { label: 'test.json', text: JSON.stringify(document) };
    const codes = (): string[] => {
      try {
        return loadSource(source).diagnostics.map(({ code }) => code);
      } catch (error) {
        if (error instanceof DiagnosticError) return error.diagnostics.map(({ code }) => code);
        throw error;
      }
    };
    expect(new Set(codes())).toEqual(new Set(['circular-ref']));
  });
});

/** What each of three implementations says, which must be the same. */
async function agree(schema: Json, values: readonly string[]): Promise<boolean[]> {
  const { is, validate, zod } = await compiler.compile(schema as JsonSchema);
  const accepts = await zod();
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  const other = new Validator(schema, '2020-12');
  return values.map((text) => {
    const value: unknown = JSON.parse(text);
    const valid = is(value);
    const said = [validate(value).ok, accepts(value), ajv(value), other.validate(value).valid];
    expect(said, text.slice(0, 200)).toEqual([valid, valid, valid, valid]);
    return valid;
  });
}

describe('names that mean something elsewhere', () => {
  const NAMES = [
    ...['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', 'then'],
    ...['*/', '${x}`', "'", '"', '\\', '\u0000', '\u2028', '\u2029', '\u{1f600}'],
    ...['v', 'c', 'default', 'length', '0', '-1', '</script>', 'a.b', 'a/b~c', 'arguments'],
  ];

  it.each(NAMES)('%j as a property', async (name) => {
    const schema = {
      type: 'object',
      properties: { [name]: { enum: [name, 1] } },
      required: [name],
      additionalProperties: false,
    };
    const key = JSON.stringify(name);
    const values = [
      `{${key}:1}`,
      `{${key}:${key}}`,
      `{${key}:2}`,
      '{}',
      `{${key}:1,"other":1}`,
      '[]',
    ];
    expect(await agree(schema, values)).toEqual([true, true, false, false, false, false]);
  });

  it.each(['', '\ud800', '\udc00', 'a\ud800'])(
    '%j as a property, which ajv does not judge',
    async (name) => {
      const schema = { properties: { [name]: { const: name } }, required: [name] };
      const { is, validate } = await compiler.compile(schema);
      const values = [{ [name]: name }, { [name]: '\ufffd' }, { '\ufffd': name }];
      const said = values.map((value) => [is(value), validate(value).ok]);
      expect(said).toEqual([
        [true, true],
        [false, false],
        [false, false],
      ]);
    },
  );

  it('__proto__ as a property is an own one', async () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    ) as JsonSchema;
    const { is, validate } = await compiler.compile(schema);
    const values = ['{"__proto__":"a"}', '{"__proto__":1}', '{}', '{"__proto__":null}'];
    const said = values.map((text) => [is(JSON.parse(text)), validate(JSON.parse(text)).ok]);
    expect(said).toEqual([[true, true], ...Array.from({ length: 3 }, () => [false, false])]);
  });
});

describe('schemas of great size', () => {
  it('judge objects of many properties', async () => {
    const names = Array.from({ length: sized(1_000) }, (_, i) => `p${String(i)}`);
    const all = Object.fromEntries(names.map((name, i) => [name, i]));
    for (const rest of [{ additionalProperties: false }, {}, { required: names }]) {
      const schema = {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
        ...rest,
      };
      const values = [all, { ...all, p9: 'x' }, { ...all, other: 1 }, { p1: 1 }];
      const said = await agree(
        schema,
        values.map((each) => JSON.stringify(each)),
      );
      expect(said.slice(0, 2)).toEqual([true, false]);
    }
  });

  it('judge by an enum of many values', async () => {
    const length = sized(100_000);
    const schema = { enum: Array.from({ length }, (_, i) => `value ${String(i)}`) };
    const { is } = await compiler.compile(schema);
    const values = ['value 0', `value ${String(length - 1)}`, `value ${String(length)}`, ''];
    expect(values.map((each) => is(each))).toEqual([true, true, false, false]);
  });

  it.each([
    ['minLength', 1e15, '"abc"'],
    ['maxLength', 1e21, '"abc"'],
    ['minLength', 1e21, '"abc"'],
    ['maxItems', 1e300, '[1]'],
    ['minItems', 9_007_199_254_740_994, '[1]'],
    ['maxProperties', 1e21, '{}'],
    ['minProperties', 1e21, '{"a":1}'],
    ['minimum', 9_007_199_254_740_994, '9007199254740993'],
    ['maximum', 1e300, '1e301'],
    ['exclusiveMaximum', -1e300, '-1e300'],
    ['const', 9_007_199_254_740_994, '9007199254740994.0'],
    ['minLength', 2.0, '"\u{1f600}"'],
  ])('judge by %s %d', async (keyword, limit, value) => {
    await agree({ [keyword]: limit }, [value, '1', '"a"', '[]', '{}', 'null']);
  });

  it.each(['items', 'not', 'allOf', 'properties'])(
    'of 10,000 levels of %s are refused',
    (keyword) => {
      const [open, close] = { allOf: ['[', ']'], properties: ['{"a":', '}'] }[keyword] ?? ['', ''];
      const text = `${`{"${keyword}":${open}`.repeat(10_000)}{}${`${close}}`.repeat(10_000)}`;
      const source = { label: 'deep.json', text: `{"$defs":{"A":${text}}}` };
      expect(() => loadSource(source)).toThrow(/levels, more than the limit of 100/);
    },
  );

  it('of 16 MB are refused, and smaller ones are not', () => {
    const text = (length: number): string =>
      JSON.stringify({ $defs: { A: { type: 'string', description: 'x'.repeat(length) } } });
    expect(loadSource({ label: 'a.json', text: text(10_000_000) }).diagnostics).toEqual([]);
  });
});

it('values of 10,000 levels are refused with an error, by a recursive definition', async () => {
  const { is, validate } = await compiler.compile({
    $ref: '#/$defs/tree',
    $defs: { tree: { type: 'array', items: { $ref: '#/$defs/tree' } } },
  });
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  expect([is(nested(400)), is(nested(10_000))]).toEqual([true, false]);
  const verdict = validate(nested(10_000));
  expect(verdict.ok ? [] : verdict.errors.map(({ message }) => message)).toHaveLength(1);
});
