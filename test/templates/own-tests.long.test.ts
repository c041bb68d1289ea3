import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TESTED } from './combinations.js';
import { openWorkshop, runNode, TEST, type Workshop } from './workshop.js';

const live = fileURLToPath(new URL('../../templates/server', import.meta.url));

let workshop: Workshop;
beforeAll(() => {
  workshop = openWorkshop();
});
afterAll(() => workshop.close());

describe('new server', () => {
  it.each(TESTED)(
    'passes its own tests as $name',
    async (combination) => {
      const root = await workshop.make(combination);
      const { code, output } = await runNode(TEST, root);
      expect(code, output).toBe(0);
      // Those of PostgreSQL start a server for each file.
    },
    300_000,
  );
});

describe('the template', () => {
  it('passes its own tests as it stands', async () => {
    const { code, output } = await runNode(TEST, live);
    expect(code, output).toBe(0);
  });
});
