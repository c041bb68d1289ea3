import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMBINATIONS, MINIMAL, pairwise } from './combinations.js';
import { checkTypes, lint } from './judge.js';
import { filesOf, openWorkshop, runNode, TEST } from './workshop.js';
import type { Workshop } from './workshop.js';

const live = fileURLToPath(new URL('../../templates/server', import.meta.url));

let workshop: Workshop;
beforeAll(() => {
  workshop = openWorkshop();
});
afterAll(() => workshop.close());

describe('new server', () => {
  // The linter takes longer than the compiler.
  const linted = new Set([...pairwise(COMBINATIONS), ...pairwise(MINIMAL)]);

  it.each(COMBINATIONS)('compiles as $name, in $most files', async (combination) => {
    const root = await workshop.make(combination);
    expect(checkTypes(root)).toEqual([]);
    if (linted.has(combination)) expect(await lint(root)).toEqual([]);
    const files = filesOf(root);
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(combination.most);
  });

  it.each(MINIMAL)('compiles as $name, in $most files', async (combination) => {
    const root = await workshop.make(combination);
    expect(checkTypes(root)).toEqual([]);
    const files = filesOf(root);
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(combination.most);
    expect(files.filter((each) => each.startsWith('src/tools/'))).toHaveLength(2);
    expect(files.filter((each) => each.startsWith('test/'))).toHaveLength(1);
    if (!linted.has(combination)) return;
    // It has no settings for a linter of its own.
    copyFileSync(join(live, 'eslint.config.js'), join(root, 'eslint.config.js'));
    expect(await lint(root)).toEqual([]);
  });

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
      const { code, output } = await runNode(TEST, workshop.rootOf(name));
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
