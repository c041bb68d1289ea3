import { describe, expect, it } from 'vitest';

import { sampled } from '../support/size.js';
import { ours } from './clients.js';
import { judge } from './judge.js';
import { eachOf, runCase } from './run.js';
import { CASES, ONE_EACH } from './ways.js';

const QUICK = 60;

describe('a server that is wrong', () => {
  it('is so in many ways, each with a name of its own', () => {
    expect(ONE_EACH.length).toBeGreaterThan(120);
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  });

  it('has its fault named by the client, or its right answer taken', async () => {
    const problems: unknown[] = [];
    await eachOf(sampled(ONE_EACH, QUICK), 8, async (each) => {
      const run = await runCase(each, ours);
      if (run?.verdict !== 'said') problems.push([each.name, run?.outcome]);
    });
    expect(problems).toEqual([]);
  });
});

describe('the judge', () => {
  const fault = { says: /version/ };
  it.each([
    ['said', { error: 'Unknown version' }, fault],
    ['silent', { error: 'The request timed out' }, fault],
    ['silent', 'hangs', fault],
    ['wrong', { error: 'Not found' }, fault],
    ['wrong', { result: 'done' }, fault],
    ['said', { result: 'done' }, { ...fault, orTakes: true }],
    ['said', { result: 'done' }, { says: 'result' }],
    ['wrong', { error: 'Unknown version' }, { says: 'result' }],
    ['wrong', { result: '{}' }, { says: 'result' }],
  ] as const)('finds %s', (verdict, outcome, each) => {
    expect(judge(outcome, each)).toBe(verdict);
  });
});
