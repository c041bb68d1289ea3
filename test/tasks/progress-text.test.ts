import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseProgressText, progressText } from '../../runtime/tasks/index.js';

const finite = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  // A text has no negative zero.
  .map((number) => number + 0);

describe('progress in a status message', () => {
  it.each([
    [{ progress: 450, total: 1000, message: 'Counting' }, '45% (450/1000): Counting'],
    [{ progress: 0, total: 3 }, '0% (0/3)'],
    [{ progress: 2, total: 3 }, '66% (2/3)'],
    [{ progress: 29, total: 100 }, '29% (29/100)'],
    [{ progress: 12, total: 10 }, '100% (12/10)'],
    [{ progress: 5, message: '' }, 'Progress: 5'],
    [{ progress: -1, total: 10, message: '' }, '0% (-1/10)'],
    [{ progress: 1e300, total: 1e-7 }, '100% (1e+300/1e-7)'],
    [{ progress: 5, message: 'Counting' }, 'Counting'],
    [{ progress: 5 }, 'Progress: 5'],
    [{ progress: 5, total: 0 }, 'Progress: 5'],
  ])('%o is written as %s', (progress, text) => {
    expect(progressText(progress)).toBe(text);
  });

  it('is read as it was written', () => {
    const messages = fc.option(fc.string({ minLength: 1, unit: 'binary' }), { nil: undefined });
    const totals = finite.filter((total) => total > 0);
    fc.assert(
      fc.property(finite, totals, messages, (progress, total, message) => {
        const written = { progress, total, ...(message !== undefined && { message }) };
        expect(parseProgressText(progressText(written))).toEqual(written);
      }),
    );
  });

  it.each([
    '',
    'Step fetch is finished',
    'Progress: 450',
    '45%',
    '45% (450/1000) Counting',
    '44% (450/1000)',
    '100% (1/0)',
    '100% (1/Infinity)',
    'NaN% (x/1)',
    '0% (./1)',
    ' 45% (450/1000)',
  ])('%j is no progress', (text) => {
    expect(parseProgressText(text)).toBeUndefined();
  });
});
