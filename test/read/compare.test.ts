import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { structuralDifferences, structuralFingerprint } from '../../generator/read/load/index.js';
import { sized } from '../support/size.js';

describe('structuralDifferences', () => {
  it.each<[string, unknown, unknown, object[]]>([
    ['nothing between a schema and itself', { type: 'string' }, { type: 'string' }, []],
    [
      'nothing but words',
      { type: 'string', description: 'a', title: 'b' },
      { description: 'c', type: 'string', examples: [1] },
      [],
    ],
    ['nothing in the order of a set', { required: ['a', 'b'] }, { required: ['b', 'a'] }, []],
    [
      'a keyword that is missing',
      { properties: { a: { type: 'string', format: 'uri' } } },
      { properties: { a: { type: 'string' } } },
      [{ pointer: '/properties/a/format', kind: 'missing', expected: '"uri"' }],
    ],
    [
      'a property that is not expected, also when it is called like an annotation',
      { properties: {} },
      { properties: { description: { type: 'string' } } },
      [{ pointer: '/properties/description', kind: 'unexpected', found: '{"type":"string"}' }],
    ],
    [
      'a value within a list of schemas',
      { anyOf: [{ type: 'string' }, { const: 1 }] },
      { anyOf: [{ type: 'string' }, { const: 2 }] },
      [{ pointer: '/anyOf/1/const', kind: 'different', expected: '1', found: '2' }],
    ],
    [
      'a set as a whole',
      { required: ['a'] },
      { required: ['a', 'b'] },
      [{ pointer: '/required', kind: 'different', expected: '["a"]', found: '["a","b"]' }],
    ],
    [
      'keys that a pointer has to escape',
      { $defs: { 'a/b~': true } },
      { $defs: { 'a/b~': false } },
      [{ pointer: '/$defs/a~1b~0', kind: 'different', expected: 'true', found: 'false' }],
    ],
  ])('finds %s', (_, expected, found, differences) => {
    expect(structuralDifferences(expected, found)).toEqual(differences);
  });

  const schema = fc.letrec((tie) => ({
    schema: fc.record(
      {
        type: fc.constantFrom('string', 'object', ['string', 'null'], ['null', 'string']),
        description: fc.constantFrom('a', 'b'),
        required: fc.subarray(['a', 'b']),
        properties: fc.dictionary(fc.constantFrom('a', 'description'), tie('schema'), {
          maxKeys: 2,
        }),
        anyOf: fc.array(tie('schema'), { maxLength: 2 }),
        const: fc.constantFrom<unknown>(1, { description: 'a' }, { description: 'b' }),
      },
      { requiredKeys: [] },
    ),
  })).schema;

  it('finds none exactly when the fingerprints are equal', () => {
    fc.assert(
      fc.property(schema, schema, (a, b) => {
        const same = structuralFingerprint(a) === structuralFingerprint(b);
        expect(structuralDifferences(a, b).length === 0).toBe(same);
      }),
      { numRuns: sized(500) },
    );
  });
});
