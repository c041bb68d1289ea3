import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema, JsonValue } from '../../json-schema/index.js';
import {
  contains,
  equal,
  readSchema,
  type Schema,
  TooManySteps,
} from '../../json-schema/public.js';
import { compileByAjv, plain, secondOpinion } from '../read/differential.js';
import { drawnSchema, drawnValue } from '../read/drawn.js';
import { DRAFTS, SUITE, suiteDocuments, suiteGroups } from '../read/suite.js';
import { sized } from '../support/size.js';

const DRAFT = '2020-12';

if (SUITE === undefined) {
  it.skip('the official suite: JSON_SCHEMA_TEST_SUITE names no folder', () => undefined);
} else {
  const documents = suiteDocuments();
  describe.each(DRAFTS)('the official tests of %s', (draft, folder) => {
    it.each(suiteGroups(folder))('%s get the verdict and the reasons', (_, groups) => {
      for (const { description, schema, tests } of groups) {
        const read = readSchema(schema, { draft, documents, formats: false });
        for (const { description: what, data, valid } of tests) {
          const [first, all] = [read.refusals(data), read.refusals(data, { all: true })];
          const verdicts = [read.accepts(data), first.length === 0, all.length === 0];
          expect(verdicts, `${description}: ${what}`).toEqual([valid, valid, valid]);
          expect(first).toEqual(all.slice(0, 1));
        }
      }
    });
  });
}

const drawn = drawnSchema(DRAFT).map(plain);

/** Whether other validators have a verdict. ajv is wrong in a few places. */
function othersOn(schema: JsonSchema): (value: JsonValue, expected: boolean) => boolean {
  const ajv = compileByAjv(schema, DRAFT);
  return (value, expected) =>
    ajv?.(value) === expected || secondOpinion(schema, DRAFT, value) !== !expected;
}

describe('samples', () => {
  it('are accepted by another validator, for most schemas', () => {
    let found = 0;
    fc.assert(
      fc.property(drawn, fc.nat(), (schema, seed) => {
        const read = readSchema(schema);
        fc.pre(read.exact);
        const samples = read.samples();
        found += Math.min(1, samples.length);
        const isVerdict = othersOn(schema);
        const refused = samples.slice(0, 40).filter((each) => !isVerdict(each, true));
        expect(refused).toEqual([]);
        expect(read.sample()).toEqual(samples[0]);
        expect(read.sample(seed)).toEqual(samples[seed % samples.length]);
      }),
      { numRuns: sized(200) },
    );
    expect(found).toBeGreaterThan(sized(200) / 4);
  });

  it('lie at the limits', () => {
    const { samples } = readSchema({ type: 'integer', minimum: 3, exclusiveMaximum: 9 });
    expect(samples()).toEqual(expect.arrayContaining([3, 8]));
    expect(readSchema({ type: 'string', minLength: 3 }).samples()).toContain('aaa');
  });

  it('are not parts of the schema', () => {
    const schema = { const: { list: [1] } };
    const { accepts, sample, samples } = readSchema(schema);
    for (const value of [sample(), ...samples()] as { list: number[] }[]) value.list.push(2);
    expect([accepts({ list: [1] }), sample(), schema.const]).toEqual([
      true,
      { list: [1] },
      { list: [1] },
    ]);
  });
});

/** A schema, and the same without one of its keywords. */
const pairs = fc.tuple(drawn, fc.nat()).map(([schema, at]) => {
  if (typeof schema === 'boolean') return [schema, true] as const;
  const keys = Object.keys(schema).filter((key) => key !== '$defs');
  const rest = Object.entries(schema).filter(([key]) => key !== keys[at % keys.length]);
  return [schema, Object.fromEntries(rest)] as const;
});

describe('contains', () => {
  it('finds a witness wherever a drawn value is one, and each is one for another validator', () => {
    let [known, found] = [0, 0];
    fc.assert(
      fc.property(
        pairs,
        fc.array(drawnValue, { minLength: 40, maxLength: 40 }).map(plain),
        ([one, other], values) => {
          const [outer, inner] = [readSchema(one), readSchema(other)];
          const result = contains(outer, inner);
          const refuting = values.find((each) => inner.accepts(each) && !outer.accepts(each));
          if (result.verdict === 'refuted') {
            const { witness, refusal } = result;
            expect(outer.refusals(witness)).toEqual([refusal]);
            const verdicts = [othersOn(one)(witness, false), othersOn(other)(witness, true)];
            expect(verdicts, JSON.stringify({ one, other, witness })).toEqual([true, true]);
          }
          if (refuting === undefined || !outer.exact || !inner.exact) return;
          known += 1;
          expect(result.verdict).not.toBe('proved');
          found += Number(result.verdict === 'refuted');
        },
      ),
      { numRuns: sized(1_000) },
    );
    expect(known).toBeGreaterThan(sized(1_000) / 20);
    expect(found / known).toBeGreaterThan(0.9);
  });

  const named = (schema: object): Schema =>
    readSchema({ $id: 'https://example.com/a', $ref: '#/$defs/A', $defs: { A: schema } });

  it('compares schemas whose definitions and URIs have the same names', () => {
    const [text, number] = [named({ type: 'string' }), named({ type: 'number' })];
    expect(contains(text, number)).toMatchObject({ verdict: 'refuted', witness: 1 });
    expect(contains(text, named({ const: 'x' }))).toEqual({ verdict: 'proved' });
    expect(equal(text, named({ anyOf: [{ type: 'string' }] }))).toEqual({ verdict: 'proved' });
  });

  it('shows a key that only the outer schema describes', () => {
    const outer = readSchema({ properties: { a: { properties: { b: { type: 'string' } } } } });
    const result = contains(outer, readSchema({ type: 'object' }));
    expect(result).toMatchObject({ verdict: 'refuted', refusal: { pointer: '/a/b' } });
  });

  const filter = (item: object, levels: number): object =>
    levels === 0
      ? item
      : {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            ...Object.fromEntries(
              ['a', 'b', 'c'].map((key) => [key, { type: ['string', 'null'], minLength: 1 }]),
            ),
            items: { type: 'array', items: filter(item, levels - 1) },
          },
          required: ['id', 'a'],
          additionalProperties: false,
        };
  const codes = Array.from({ length: 300 }, (_, index) => `C${String(index)}`);

  it.each([
    { name: 'limit', outer: { type: 'string', maxLength: 9 }, inner: { type: 'string' } },
    { name: 'last of 300 values', outer: { enum: codes.slice(1) }, inner: { enum: codes } },
    { name: 'last of 300 values', outer: { enum: codes.slice(0, -1) }, inner: { enum: codes } },
  ])('shows a $name, however deep', ({ outer, inner }) => {
    for (const levels of [0, 1, 2, 4, 8]) {
      const schemas = [outer, inner].map((item) => readSchema(filter(item, levels)));
      const [wide, narrow] = schemas as [Schema, Schema];
      expect(contains(narrow, wide).verdict).toBe('proved');
      expect(contains(wide, narrow).verdict, `${String(levels)} levels`).toBe('refuted');
    }
  });

  it('takes formats as each schema was read', () => {
    const schema = { type: 'string', format: 'email' };
    const [checked, unchecked] = [readSchema(schema), readSchema(schema, { formats: false })];
    expect(contains(unchecked, checked).verdict).toBe('proved');
    expect(contains(checked, unchecked).verdict).toBe('refuted');
  });

  it('is unclear where a schema has a fault', () => {
    const faulty = readSchema({ type: 'any' });
    expect(contains(faulty, readSchema(true)).verdict).toBe('unclear');
    expect(equal(readSchema(true), faulty).verdict).toBe('unclear');
  });

  it('names the mistake of a caller that passes a schema', () => {
    expect(() => contains({ type: 'string' } as never, readSchema(true))).toThrow('readSchema');
  });
});

describe('equal', () => {
  it('refutes with a value of either side', () => {
    const [less, more] = [readSchema({ enum: [1, 2] }), readSchema({ enum: [2, 1, 3] })];
    for (const result of [equal(less, more), equal(more, less)])
      expect(result).toMatchObject({ verdict: 'refuted', witness: 3 });
  });
});

describe('a hostile schema', () => {
  const nested = (wrap: (inner: unknown) => unknown): unknown => {
    let value: unknown = {};
    for (let level = 0; level < 1_000_000; level += 1) value = wrap(value);
    return value;
  };

  it('of a million levels is a fault', () => {
    const deep = readSchema(nested((items) => ({ items })));
    expect(deep).toMatchObject({ exact: false, faults: [{ code: 'too-large' }] });
    expect(contains(deep, deep).verdict).toBe('unclear');
  });

  it('and a value of a million levels end in a RangeError', () => {
    const lists = readSchema({ items: { $ref: '#' } });
    const value = nested((inner) => [inner]);
    expect(() => lists.accepts(value)).toThrow(RangeError);
    expect(() => lists.refusals(value)).toThrow(RangeError);
  });

  it('that refers to itself twice ends after its steps', () => {
    const twice = { type: 'array', items: { $ref: '#' } };
    const { accepts } = readSchema({ allOf: [twice, { ...twice }] }, { steps: 1_000 });
    const value = Array.from({ length: 20 }).reduce((inner) => [inner], []);
    expect(() => accepts(value)).toThrow(TooManySteps);
  });

  it.each(['circular', 'dangling', 'remote'])('with a %s reference accepts everything', (kind) => {
    const $ref = { circular: '#', dangling: '#/x', remote: 'https://example.com/b' }[kind];
    const { accepts, exact, faults } = readSchema({ allOf: [{ $ref }] });
    expect([accepts(1), exact, faults[0]?.code]).toEqual([true, false, `${kind}-ref`]);
  });

  it.each(['__proto__', 'constructor', 'toString'])('names %s as any other key', (name) => {
    const own = (value: unknown) => JSON.parse(`{"${name}": ${JSON.stringify(value)}}`) as object;
    const $ref = `#/$defs/${name}`;
    const schema = {
      ...{ type: 'object', required: [name], $defs: own({ type: 'string', minLength: 1 }) },
      properties: own({ $ref }),
    };
    const read = readSchema(schema);
    expect([{}, own(''), own('x')].map(read.accepts)).toEqual([false, false, true]);
    const samples = read.samples();
    expect(samples.length).toBeGreaterThan(2);
    expect(samples.every((each) => Object.hasOwn(each as object, name))).toBe(true);
    const looser = readSchema({ ...schema, $defs: own({ type: 'string' }) });
    expect(contains(looser, read).verdict).toBe('proved');
    expect(contains(read, looser)).toMatchObject({ verdict: 'refuted', witness: own('') });
  });

  it('that leads to each of 60 levels in two ways is compared in bounded time', () => {
    const ladder = (last: object): Schema => {
      const steps = Array.from({ length: 60 }, (_, index) => {
        const $ref = `#/$defs/d${String(index + 1)}`;
        return [`d${String(index)}`, { anyOf: [{ $ref }, { type: 'array', items: { $ref } }] }];
      });
      const $defs = { ...Object.fromEntries(steps), d60: last } as object;
      return readSchema({ $ref: '#/$defs/d0', $defs });
    };
    const [one, other] = [ladder({ type: 'number' }), ladder({ type: 'integer' })];
    expect(contains(one, other).verdict).toBe('proved');
    expect(contains(other, one).verdict).not.toBe('proved');
  });

  it.each([500, 5_000])('with %s properties of each kind ends', (count) => {
    const names = Array.from({ length: count }, (_, index) => `p${String(index)}`);
    const properties = Object.fromEntries(names.map((name) => [name, { minLength: 2 }]));
    const wide = { type: 'object', properties };
    const [all, none] = [
      { required: [...names, 'x'] },
      { required: ['x'], additionalProperties: false },
    ];
    expect(readSchema({ ...wide, ...none }).samples()).toEqual([]);
    const outer = readSchema({ ...wide, ...all });
    expect(contains(outer, readSchema({ ...wide, required: names })).verdict).toBe('refuted');
  });
});
