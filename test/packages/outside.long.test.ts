import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { snippetsIn } from '../docs/snippets.js';
import { newProject, root, runtimeTarball, type Project } from './packed.js';

const PAGES = ['docs/stores.md', 'docs/executors.md'];
const FILES = [
  ...['log-store.ts', 'log-store.process.ts', 'log-store.test.ts'],
  ...['minimal.ts', 'minimal.test.ts'],
];

/** The block of the pages that begins with a file's name. */
function textOf(file: string): string {
  const snippets = PAGES.flatMap((page) => snippetsIn(page));
  const found = snippets.find(({ text }) => text.startsWith(`// ${file}\n`));
  if (!found) throw new Error(`No page has ${file}`);
  return found.text;
}

/** What the package is developed with. */
const TOOLS = ['typescript', '@types/node', 'undici-types'];

const COMPILER_OPTIONS = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false,
  types: ['node'],
  outDir: 'dist',
};

describe('a store and an executor in a package of their own, by the pages alone', () => {
  let project: Project;
  /** The kit starts some thirty processes. */
  const PATIENCE_MS = 600_000;
  beforeAll(() => {
    project = newProject();
    project.install(runtimeTarball());
    for (const name of TOOLS) {
      const link = join(project.folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), link);
    }
    project.write('package.json', '{ "name": "log-store", "private": true, "type": "module" }');
    const config = { compilerOptions: COMPILER_OPTIONS, files: FILES };
    project.write('tsconfig.json', JSON.stringify(config));
    for (const file of FILES) project.write(file, textOf(file));
  });
  afterAll(() => project.remove());

  /** Runs the tests of the store, and returns the names of those that fail. */
  function runTests(): { readonly passed: number; readonly failed: readonly string[] } {
    const { output } = project.node('--test', '--test-reporter=tap', 'dist/');
    const passed = Number(/^# pass (\d+)$/m.exec(output)?.[1]);
    const names = [...output.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, name = '']) => name);
    return { passed, failed: names };
  }

  it(
    'compiles with every declaration of the package checked, and passes the kit',
    () => {
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      expect(project.node(tsc, '--pretty', 'false')).toEqual({ code: 0, output: '' });
      const { passed, failed } = runTests();
      expect(failed).toEqual([]);
      expect(passed).toBeGreaterThan(70);
    },
    PATIENCE_MS,
  );

  it(
    'does not pass the kit when it acknowledges before it writes',
    () => {
      const file = join(project.folder, 'dist/log-store.js');
      const good = readFileSync(file, 'utf8');
      const early = good.replace('append(change);', 'setTimeout(() => append(change), 20);');
      expect(early).not.toBe(good);
      project.write('dist/log-store.js', early);
      expect(runTests().failed).toContain(
        'has an insertion in a copy of the place that is made when it is acknowledged',
      );
    },
    PATIENCE_MS,
  );

  it.each(['testkit/log-store.ts', 'testkit/log-store.process.ts', 'executors/minimal.ts'])(
    '%s is what our own tests try',
    (file) => {
      expect(textOf(basename(file))).toBe(readFileSync(join(root, 'test', file), 'utf8'));
    },
  );
});
