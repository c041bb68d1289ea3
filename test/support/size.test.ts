import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { scaled, spread } from './size.js';

const tests = fileURLToPath(new URL('..', import.meta.url));

it.each([
  [1, 200, 200],
  [0.1, 200, 20],
  [0.1, 50, 10],
  [0.1, 3, 3],
  [10, 3, 30],
])('at the factor %d a test draws of %i cases %i', (factor, count, expected) => {
  expect(scaled(factor)(count)).toBe(expected);
});

it.each([0, -1, Number('many')])('the factor %d is refused', (factor) => {
  expect(() => scaled(factor)).toThrow('TEST_SIZE');
});

it.each([
  [7, 2, [3, 6]],
  [5, 2, [2, 4]],
  [5, 1, [4]],
  [2, 3, [0, 1]],
])('of %i entries, %i are sampled: %j', (length, count, expected) => {
  expect(spread([...Array(length).keys()], count)).toEqual(expected);
});

/** Other draws would be slow in the unit set, and would not grow in the long set. */
it('unit tests that draw a hundred cases or more take their number from sized', () => {
  const found = readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !/\.(?:integration|long)\.test\.ts$/.test(path))
    .filter((path) => /numRuns: [\d_]{3,}/.test(readFileSync(`${tests}/${path}`, 'utf8')));
  expect(found).toEqual([]);
});
