import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emitTypes } from '../../generator/emit/types/emit-types.js';
import { formatTypeScript } from '../../generator/emit/format/format.js';
import type { JsonValue } from '../../json-schema/index.js';
import { protocolOf } from '../support/protocol.js';
import { sized } from '../support/size.js';

const typesOf = (values: unknown[]): Promise<string> => {
  const each = { enum: values as JsonValue[] };
  return emitTypes(protocolOf({ A: each, B: { properties: { a: each } } }));
};

describe('the type of an enum', () => {
  it('has the values, and a wider type for what has no literal type', async () => {
    const values: unknown[] = [
      { a: [1, 'x', null], 'b c': {} },
      [],
      JSON.parse('{"__proto__":1}'),
      [true],
    ];
    const long = 'x'.repeat(1_001);
    expect(await typesOf([...values, [long], 1, ...values])).toContain(
      [
        'export type A =',
        '  | 1',
        "  | { a: [1, 'x', null]; 'b c': { [key: string]: never } }",
        '  | []',
        '  | { [key: string]: unknown }',
        '  | [true]',
        '  | [string];',
      ].join('\n'),
    );
  });

  it('may be a negative number wherever it is', async () => {
    const one = { const: -1 };
    const own = { properties: { 'a b': one }, additionalProperties: one };
    const list = { type: 'array', prefixItems: [one], items: { type: 'array', items: one } };
    const A = { type: 'object', ...own };
    const B = { anyOf: [{ type: 'object', ...own }, one, { type: 'array', items: one }, list] };
    const text = await emitTypes(protocolOf({ A, B, C: { type: 'array', items: one }, D: one }));
    expect(text).toContain("export type A = {\n  'a b'?: -1;\n  [k: string]: -1 | undefined;\n};");
    expect(text).toContain('export type C = -1[];');
    expect(text).toContain('[-1?, ...-1[][]]');
  });

  it('is formatted as by Prettier, whatever its values are', async () => {
    const value = fc.oneof(
      { weight: 4, arbitrary: fc.record({ a: fc.integer(), 'b c': fc.string({ maxLength: 9 }) }) },
      fc.constantFrom('x', "it's", '"', 'a | b', 'a;', '', 'a { b', 'x'.repeat(120)),
      fc.jsonValue({ maxDepth: 2 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const enums = fc.oneof(
      fc.array(value, { minLength: 1, maxLength: 80 }),
      fc.array(fc.record({ a: fc.nat(), b: fc.boolean() }), { minLength: 45, maxLength: 60 }),
    );
    await fc.assert(
      fc.asyncProperty(enums, async (values) => {
        const text = await typesOf(values);
        expect(text).toBe(await formatTypeScript(text));
      }),
      { numRuns: sized(30) },
    );
  });
});
