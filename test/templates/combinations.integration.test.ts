import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMBINATIONS } from './combinations.js';
import { checkTypes, lint } from './judge.js';
import { openWorkshop, programOf, runNode } from './workshop.js';
import type { Workshop } from './workshop.js';

const VITEST = programOf('vitest', 'vitest.mjs');
const live = fileURLToPath(new URL('../../templates/server', import.meta.url));

let workshop: Workshop;
beforeAll(async () => {
  workshop = openWorkshop();
});
afterAll(() => workshop.close());

describe('new server', () => {
  it.each(COMBINATIONS)('compiles and lints as $name', async (combination) => {
    const root = await workshop.make(combination);
    expect(checkTypes(root)).toEqual([]);
    expect(await lint(root)).toEqual([]);
  });

  // Each value of each option once; the rest in the long tests.
  it.each(['stdio-memory-none-core', 'http-sqlite-bearer-ext'])(
    'passes its own tests as %s',
    async (name) => {
      const { code, output } = await runNode([VITEST, 'run'], workshop.rootOf(name));
      expect(code, output).toBe(0);
    },
  );
});

describe('the template', () => {
  it('passes its own tests as it stands', async () => {
    const { code, output } = await runNode([VITEST, 'run'], live);
    expect(code, output).toBe(0);
  });
});
