import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMBINATIONS, MINIMAL, pairwise, TESTED } from './combinations.js';
import { openWorkshop, runNode, TEST } from './workshop.js';
import type { Workshop } from './workshop.js';

describe('new, with this repository’s packages', () => {
  let workshop: Workshop;
  beforeAll(() => {
    workshop = openWorkshop();
  });
  afterAll(() => workshop.close());

  // All combinations are compiled and linted; their tests take minutes.
  const chosen = [...pairwise(COMBINATIONS), ...pairwise(MINIMAL)];
  const combinations = chosen.filter((each) => !TESTED.includes(each));
  it.each(combinations)('passes its own tests as $name', async (combination) => {
    const root = await workshop.make(combination);
    const { code, output } = await runNode(TEST, root);
    expect(code, output).toBe(0);
  });
});
