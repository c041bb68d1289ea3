import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMBINATIONS, pairwise, TESTED } from './combinations.js';
import { openWorkshop, runNode, TEST } from './workshop.js';
import type { Workshop } from './workshop.js';

describe('new, with this repository’s packages', () => {
  let workshop: Workshop;
  beforeAll(() => {
    workshop = openWorkshop();
  });
  afterAll(() => workshop.close());

  // All combinations are compiled and linted; their tests take minutes.
  const combinations = pairwise(COMBINATIONS).filter((each) => !TESTED.includes(each));
  it.each(combinations)('passes its own tests as $name', async (combination) => {
    const root = await workshop.make(combination);
    const { code, output } = await runNode(TEST, root);
    expect(code, output).toBe(0);
  });
});
