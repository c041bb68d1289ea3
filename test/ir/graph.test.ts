import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leadingTo, recursiveNames } from '../../json-schema/index.js';
import { sized } from '../support/size.js';

/** All names that each name reaches in one step or more, found by trying every path. */
function reachable(references: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  return new Map(
    [...references].map(([name, direct]) => {
      const seen = new Set(direct);
      for (const each of seen) for (const next of references.get(each) ?? []) seen.add(next);
      return [name, seen];
    }),
  );
}

const NAMES = [...'abcdefgh'];
const graphs = fc
  .dictionary(
    fc.constantFrom(...NAMES),
    fc.array(fc.constantFrom(...NAMES, 'unknown'), { maxLength: 4 }),
  )
  .map((object) => new Map(Object.entries(object)));

describe('references between names', () => {
  it('lead back to the recursive names and no others', () => {
    fc.assert(
      fc.property(graphs, (references) => {
        const reach = reachable(references);
        const expected = [...reach].filter(([name, names]) => names.has(name));
        expect([...recursiveNames(references)].sort()).toEqual(
          expected.map(([name]) => name).sort(),
        );
      }),
      { numRuns: sized(2_000) },
    );
  });

  it('lead to some names from those that reach one', () => {
    fc.assert(
      fc.property(graphs, fc.subarray(NAMES), (references, goals) => {
        const expected = [...reachable(references)]
          .filter(([, names]) => goals.some((goal) => names.has(goal)))
          .map(([name]) => name);
        expect(leadingTo(goals, references)).toEqual(new Set([...goals, ...expected]));
      }),
      { numRuns: sized(2_000) },
    );
  });

  it('take one step each, however long a chain is', () => {
    const length = 20_000;
    let steps = 0;
    const chain = new Map(
      Array.from({ length }, (_, index) => [
        String(index),
        {
          *[Symbol.iterator]() {
            steps += 1;
            yield String((index + 1) % length);
          },
        },
      ]),
    );
    expect(recursiveNames(chain).size).toBe(length);
    expect(leadingTo(['0'], chain).size).toBe(length);
    expect(steps).toBe(2 * length);
  });
});
