import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMBINATIONS } from './combinations.js';
import { openWorkshop, programOf, runNode } from './workshop.js';
import type { Workshop } from './workshop.js';

describe('new server, with this repository’s packages', () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = openWorkshop();
  });
  afterAll(() => workshop.close());

  it.each(COMBINATIONS)('passes its own tests as $name', async (combination) => {
    const root = await workshop.make(combination);
    const { code, output } = await runNode([programOf('vitest', 'vitest.mjs'), 'run'], root);
    expect(code, output).toBe(0);
  });
});
