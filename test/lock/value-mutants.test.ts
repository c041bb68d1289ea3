import { describe, expect, it } from 'vitest';
import { randomFrom } from '../read/variants.js';
import { sized } from '../support/size.js';
import { EXAMPLES } from './examples.js';
import { verdictsOnMutants } from './value-trial.js';

describe('mutants of schemas', () => {
  it('get the verdict that is known by construction, and each breaking one a witness that ajv confirms', () => {
    const { tried, wrong } = verdictsOnMutants(EXAMPLES, sized(250), randomFrom(1));
    expect(wrong).toEqual([]);
    expect(tried).toBe(sized(250));
  });
});
