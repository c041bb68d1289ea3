import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryOf, bundledSchema, createFuzzer, createOracle, fuzz } from './corpus/index.js';
import type { SchemaDocument } from './corpus/index.js';
import { sized } from './size.js';

const document = bundledSchema('2024-11-05');

describe('the oracle', () => {
  const verdict = (schema: object, text: string, formats = true): boolean => {
    const holder = { $defs: { It: schema } } as SchemaDocument;
    return createOracle(holder, { formats }).accepts('It', JSON.parse(text));
  };

  it.each([
    ['5.0', true],
    ['1e21', true],
    ['-9007199254740993', true],
    ['1.5', false],
    ['"1"', false],
  ])('takes %s for an integer: %s', (text, expected) => {
    expect(verdict({ type: 'integer' }, text)).toBe(expected);
  });

  it('treats an own __proto__ key of a value as an ordinary key', () => {
    const texts = { type: 'object', additionalProperties: { type: 'string' } };
    expect(verdict(texts, '{"__proto__":"x"}')).toBe(true);
    expect(verdict(texts, '{"__proto__":1}')).toBe(false);
    expect(verdict({ additionalProperties: false }, '{"__proto__":1}')).toBe(false);
    expect(verdict({ propertyNames: { maxLength: 3 } }, '{"__proto__":1}')).toBe(false);
    expect(verdict({ minProperties: 1 }, '{"__proto__":1}')).toBe(true);
    expect(verdict({ required: ['__proto__'] }, '{"__proto__":1}')).toBe(true);
    expect(verdict({ required: ['__proto__'] }, '{}')).toBe(false);
  });

  it('does not read __proto__ in the properties of a schema', () => {
    const properties: unknown = JSON.parse('{"__proto__":{"type":"string"}}');
    expect(verdict({ properties }, '{"__proto__":1}')).toBe(true);
    expect(verdict({ properties, additionalProperties: false }, '{"__proto__":"x"}')).toBe(false);
  });

  it('ignores inherited keys', () => {
    expect(verdict({ required: ['toString'] }, '{}')).toBe(false);
    const oracle = createOracle(
      { $defs: { It: { additionalProperties: false } } },
      { formats: true },
    );
    expect(oracle.accepts('It', Object.create({ inherited: 1 }))).toBe(true);
  });

  it('asserts formats on request, byte line by line', () => {
    expect(verdict({ type: 'string', format: 'uri' }, '"no uri"')).toBe(false);
    expect(verdict({ type: 'string', format: 'uri' }, '"no uri"', false)).toBe(true);
    expect(verdict({ type: 'string', format: 'byte' }, '"!!!"')).toBe(false);
    expect(verdict({ type: 'string', format: 'byte' }, '"!!!\\nAAAA"')).toBe(true);
  });

  it('throws for a definition that does not exist', () => {
    const oracle = createOracle(document, { formats: true });
    expect(() => oracle.accepts('toString', {})).toThrow('No definition named "toString"');
  });
});

describe('the fuzzer', () => {
  it('makes the same value again from a case’s seed', () => {
    const fuzzer = createFuzzer(document);
    for (const { definition, value, seed } of fuzz(document, 42, 500)) {
      expect(fuzzer(definition, seed)).toEqual(value);
    }
    expect([...fuzz(document, 1, 50)]).not.toEqual([...fuzz(document, 2, 50)]);
  });

  it('makes valid and invalid values, about half of each', () => {
    const oracle = createOracle(document, { formats: true });
    const accepted = [...fuzz(document, 7, 5_000)].filter(({ definition, value }) =>
      oracle.accepts(definition, value),
    );
    expect(accepted.length).toBeGreaterThan(2_000);
    expect(accepted.length).toBeLessThan(3_500);
  });

  it('makes only values that JSON keeps', () => {
    for (const { value } of fuzz(document, 3, 2_000)) {
      expect(hasNegativeZero(value)).toBe(false);
      const text = JSON.stringify(value);
      expect(JSON.stringify(JSON.parse(text))).toBe(text);
    }
  });
});

describe('the arbitrary', () => {
  const oracle = createOracle(document, { formats: true });
  const names = ['CallToolResult', 'ProgressToken', 'JSONRPCMessage', 'CreateMessageRequest'];

  it.each(names)('makes valid and invalid values of %s', (name) => {
    const values = fc.sample(arbitraryOf(document, name), { numRuns: sized(200), seed: 1 });
    const accepted = values.filter((value) => oracle.accepts(name, value)).length;
    expect(accepted).toBeGreaterThan(sized(200) / 4);
    expect(accepted).toBeLessThan(0.95 * sized(200));
  });

  it('shrinks to the smallest refused value', () => {
    const { counterexample } = fc.check(
      fc.property(arbitraryOf(document, 'Tool'), (value) => oracle.accepts('Tool', value)),
      { seed: 1 },
    );
    const [value] = counterexample ?? [];
    expect(JSON.stringify(value).length).toBeLessThan(60);
  });
});

function hasNegativeZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).some(hasNegativeZero);
  return Object.is(value, -0);
}
