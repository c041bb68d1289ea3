import { describe, expect, it } from 'vitest';
import { randomFrom } from '../read/variants.js';
import { sized } from '../support/size.js';
import { EXAMPLES } from './examples.js';
import { compareSchemas } from '../../contracts/lock/compat/index.js';
import { verdictsOnMutants, witnessesOfSeveral } from './value-trial.js';

describe('mutants of schemas', () => {
  it('get the verdict that is known by construction, and each breaking one a witness that ajv confirms', () => {
    const { tried, wrong } = verdictsOnMutants(EXAMPLES, sized(250), randomFrom(1));
    expect(wrong).toEqual([]);
    expect(tried).toBe(sized(250));
  });

  it('show each of several changes with a value that this change alone refuses', () => {
    expect(witnessesOfSeveral(EXAMPLES, sized(100), randomFrom(5))).toEqual([]);
  });
});

describe('properties that are new and required', () => {
  it('are each missing in the value that shows it, and the refusal names that property', () => {
    const before = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const [b, c] = [{ type: 'string' }, { type: 'number' }];
    const after = {
      type: 'object',
      properties: { a: { type: 'integer' }, b, c },
      required: ['a', 'b', 'c'],
    };
    const changes = compareSchemas(before, after, 'input');
    expect(
      changes.map((change) => [
        change.path,
        change.verdict === 'breaking' && change.witness.refusal,
      ]),
    ).toEqual([
      ['a', { pointer: '/a', reason: 'must be an integer' }],
      ['b', { pointer: '', reason: 'must have the property "b"' }],
      ['c', { pointer: '', reason: 'must have the property "c"' }],
    ]);
  });
});
