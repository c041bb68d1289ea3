import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMBINATIONS, MINIMAL } from './combinations.js';
import { openWorkshop, runNode, TEST, type Workshop } from './workshop.js';

const live = fileURLToPath(new URL('../../templates/server', import.meta.url));

let workshop: Workshop;
beforeAll(() => {
  workshop = openWorkshop();
});
afterAll(() => workshop.close());

describe('new server', () => {
  // Each value of each option once; the rest in the long tests.
  it.each([
    'stdio-memory-none-core',
    'http-sqlite-bearer-ext',
    'http-postgres-bearer-core-ext',
    'stdio-memory-none-ext-minimal',
    'http-sqlite-bearer-core-minimal',
  ])(
    'passes its own tests as %s',
    async (name) => {
      const combination = [...COMBINATIONS, ...MINIMAL].find((each) => each.name === name);
      const root = await workshop.make(combination ?? expect.unreachable());
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
