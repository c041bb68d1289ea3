import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import {
  breakagesOf,
  bundledSchema,
  corpus,
  createOracle,
  definitionsOf,
  loadExamples,
  mutationKinds,
} from './corpus/index.js';
import type { Case } from './corpus/index.js';
import { createNoticer, groupByDefinition } from './corpus/sensitivity.js';

const document = bundledSchema('2024-11-05');
const cases = [...corpus(document)];

describe('the corpus', () => {
  it('is the same for the same seed and differs for another', () => {
    const texts = (seed: number): string[] =>
      [...corpus(document, { seed })].map((one) => JSON.stringify(one));
    const first = texts(1);
    expect(texts(1)).toEqual(first);
    expect(texts(2)).not.toEqual(first);
  });

  it('has at least 10,000 cases, none twice', () => {
    const keys = cases.map(({ definition, value }) => `${definition} ${JSON.stringify(value)}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(10_000);
  });

  it('has both verdicts for every definition', () => {
    const grouped = groupByDefinition(cases);
    expect([...grouped.keys()]).toEqual(Object.keys(definitionsOf(document)));
    for (const [definition, some] of grouped) {
      expect(new Set(some.map(({ expected }) => expected)).size, definition).toBe(2);
    }
  });

  it('makes no value from the schema that the oracle refuses', () => {
    const refused = cases.filter(({ source, expected }) => source === 'synthesised' && !expected);
    expect(refused).toEqual([]);
  });

  it('mutates in every way, with both outcomes', () => {
    const outcomes = new Set(cases.map(({ kind, expected }) => `${kind} ${expected}`));
    for (const kind of mutationKinds.filter((kind) => kind !== 'foreign')) {
      expect(outcomes, kind).toContain(`${kind} false`);
      expect(outcomes, kind).toContain(`${kind} true`);
    }
    expect(outcomes).toContain('foreign true');
  });

  it('contains only values that JSON keeps', () => {
    for (const { value } of cases) {
      expect(hasNegativeZero(value)).toBe(false);
      const text = JSON.stringify(value);
      expect(JSON.stringify(JSON.parse(text))).toBe(text);
    }
  });

  it('has the verdicts of ajv with its default options', () => {
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    for (const [definition, some] of groupByDefinition(cases)) {
      const validate = ajv.compile({ ...document, ...definitionsOf(document)[definition] });
      for (const { value, expected } of some) {
        expect(validate(value), JSON.stringify(value)).toBe(expected);
      }
    }
  });

  it('has the same values with and without formats', () => {
    const loose = [...corpus(document, { formats: false })];
    const texts = (some: readonly Case[]): string[] =>
      some.map(({ value }) => JSON.stringify(value));
    expect(texts(loose)).toEqual(texts(cases));
    const changed = cases.filter(({ expected }, index) => loose[index]?.expected !== expected);
    expect(changed.length).toBeGreaterThan(100);
    expect(changed.every(({ expected }) => !expected)).toBe(true);
  });

  it('detects a sample of the faults that an emitter might make', () => {
    const oracles = [true, false].map((formats) => createOracle(document, { formats }));
    const grouped = groupByDefinition(cases);
    const names = ['CreateMessageRequest', 'Tool', 'ServerCapabilities', 'CompleteRequest'];
    for (const name of names) {
      const schema = definitionsOf(document)[name] ?? {};
      const isNoticed = createNoticer(name, grouped.get(name) ?? [], oracles);
      for (const breakage of breakagesOf(document, schema)) {
        expect(isNoticed(breakage), `${name} ${breakage.path.join('/')} ${breakage.rule}`).toBe(
          true,
        );
      }
    }
  });
});

describe('the official examples', () => {
  it('are all valid, and part of the corpus', ({ skip }) => {
    const loaded = loadExamples('2026-07-28');
    if ('absent' in loaded) return skip(loaded.absent);
    expect(loaded.examples.length).toBeGreaterThan(100);
    const latest = bundledSchema('2026-07-28');
    const found = [...corpus(latest, { examples: loaded.examples, perDefinition: 0 })].filter(
      ({ source }) => source === 'example',
    );
    expect(found.length).toBe(loaded.examples.length);
    expect(found.filter(({ expected }) => !expected)).toEqual([]);
  });

  it('are skipped with a message for a revision without examples', () => {
    expect(loadExamples('2024-11-05')).toHaveProperty('absent');
  });
});

function hasNegativeZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).some(hasNegativeZero);
  return Object.is(value, -0);
}
