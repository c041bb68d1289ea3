import { describe, expect, it } from 'vitest';
import { nearest } from '../../json-schema/index.js';

describe('nearest', () => {
  it.each([
    ['revison', 'revisions'],
    ['emti', 'emit'],
    ['OUT', 'out'],
    ['rev', 'revisions'],
    ['xyz', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('suggests %s for %s', (written, meant) => {
    expect(nearest(written, ['revisions', 'emit', 'out'])).toBe(meant);
  });
});
