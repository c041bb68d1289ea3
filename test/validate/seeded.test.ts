import { describe, expect, it } from 'vitest';

import { FINDINGS } from '../../contracts/validate/index.js';
import { MUTATIONS } from './seeded/mutations.js';
import { batchTape, sessionTape } from './seeded/session.js';
import { statelessTape } from './seeded/stateless.js';
import { validatePieces, validateText } from './support.js';

it.each([
  ['with a session', sessionTape],
  ['with batches', batchTape],
  ['without a session', statelessTape],
])('a conversation %s that breaks no rule has no finding', async (_, make) => {
  const { findings } = await validateText(make().text());
  expect(findings).toEqual([]);
});

describe('a conversation with one change', () => {
  const cases = Object.entries(MUTATIONS).flatMap(([code, all]) =>
    all.map((make, index) => ({ code, number: index + 1, make })),
  );

  it.each(cases)('has a finding of $code alone ($number)', async ({ code, make }) => {
    const { findings } = await validatePieces([Buffer.from(make())]);
    const told = findings.map((finding) => `${finding.code}: ${finding.message}`);
    expect(told.length).toBeGreaterThan(0);
    expect(told.filter((each) => !each.startsWith(`${code}: `))).toEqual([]);
  });

  it('exists for each rule', () => {
    const missing = Object.keys(FINDINGS).filter(
      (code) => MUTATIONS[code as keyof typeof MUTATIONS].length === 0,
    );
    expect(missing).toEqual([]);
    expect(Object.keys(MUTATIONS).toSorted()).toEqual(Object.keys(FINDINGS).toSorted());
  });
});
