import { Ajv2019 } from 'ajv/dist/2019.js';
import { describe, expect, it } from 'vitest';

import { argumentsRoot, wrappedSchema } from '../../runtime/schemas/index.js';

const $schema = 'https://json-schema.org/draft/2019-09/schema';
/** A tree of numbers. */
const tree = {
  $schema,
  anyOf: [{ type: 'number' }, { required: ['a'] }],
  properties: { a: { $recursiveRef: '#' } },
};

const verdict = (schema: object) => new Ajv2019({ strict: false }).compile(schema);

describe('a schema of 2019-09 that contains itself', () => {
  it('accepts the same values as arguments', () => {
    const accepts = verdict(argumentsRoot(structuredClone(tree)));
    expect(accepts({ a: { a: 1 } })).toBe(true);
    expect(accepts({ a: {} })).toBe(false);
    expect(accepts(1)).toBe(false);
  });

  it('accepts the same values within a result', () => {
    const accepts = verdict(wrappedSchema(tree));
    expect(accepts({ result: 1 })).toBe(true);
    expect(accepts({ result: { a: { a: 1 } } })).toBe(true);
    expect(accepts({ result: { a: { result: 1 } } })).toBe(false);
  });
});
