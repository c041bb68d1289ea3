import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import tsconfig from './tsconfig.paths.json' with { type: 'json' };

/** Tests use the sources of the runtime package; processes that they start use its build. */
const alias = Object.entries(tsconfig.compilerOptions.paths).map(([find, [source = '']]) => ({
  find: new RegExp(`^${find}$`),
  replacement: fileURLToPath(new URL(source, import.meta.url)),
}));

const UNIT = {
  globalSetup: ['test/support/pages.ts'],
  // Files share what they import, which takes longer than most of their tests.
  isolate: false,
  // Generous, for machines that do other things as well.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  exclude: [
    'test/**/*.integration.test.ts',
    'test/**/*.long.test.ts',
    // Projects, not tests of this repository.
    'test/scaffold/old-projects/**',
  ],
};

/** `TEST_SIZE` of the environment, or else this one: see `test/support/size.ts`. */
const size = (factor: number) => ({ TEST_SIZE: process.env['TEST_SIZE'] ?? String(factor) });

/** The test files that draw their cases at random. `UNIT.exclude` applies to them too. */
const drawn = readdirSync(new URL('test', import.meta.url), { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.test.ts'))
  .filter((path) => /\bsized\(/.test(readFileSync(new URL(path, import.meta.url), 'utf8')));

/**
 * `unit` is quick and part of `npm run check`; `integration` starts processes and compilers and is
 * part of `npm test`; `long` is what only continuous integration has the patience for. `drawn` is part
 * of the long set: the unit tests that draw cases at random, with ten times as many.
 */
export default defineConfig({
  resolve: { alias },
  // Where `npm ci` keeps it: how long each file took, so that the longest start first.
  cacheDir: '.cache/vite',
  test: {
    // Half of the time of most tests is spent waiting for processes.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    projects: [
      {
        extends: true,
        test: { ...UNIT, name: 'unit', include: ['test/**/*.test.ts'], env: size(0.1) },
      },
      {
        extends: true,
        test: { ...UNIT, name: 'drawn', include: drawn, env: size(1), testTimeout: 900_000 },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.integration.test.ts'],
          globalSetup: ['test/support/build.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: ['test/**/*.long.test.ts'],
          globalSetup: ['test/support/build.ts'],
          testTimeout: 900_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
