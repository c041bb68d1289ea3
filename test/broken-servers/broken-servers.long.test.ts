import { expect, it } from 'vitest';

import { cli, type Drive, ours } from './clients.js';
import { eachOf, runCase } from './run.js';
import type { Case } from './way.js';
import { CASES, ONE_EACH } from './ways.js';

async function problemsOf(cases: readonly Case[], drive: Drive): Promise<unknown[]> {
  const problems: unknown[] = [];
  await eachOf(cases, 8, async (each) => {
    const run = await runCase(each, drive);
    if (run !== undefined && run.verdict !== 'said') problems.push([each.name, run.outcome]);
  });
  return problems;
}

it('the client names what is wrong, in every case', async () => {
  expect(await problemsOf(CASES, ours)).toEqual([]);
});

it('the command line names what is wrong, in one case of each way', async () => {
  expect(await problemsOf(ONE_EACH, cli)).toEqual([]);
});
