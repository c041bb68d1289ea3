import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import tsconfig from './tsconfig.paths.json' with { type: 'json' };

/** Tests use the sources of the runtime package; processes that they start use its build. */
const alias = Object.entries(tsconfig.compilerOptions.paths).map(([find, [source = '']]) => ({
  find: new RegExp(`^${find}$`),
  replacement: fileURLToPath(new URL(source, import.meta.url)),
}));

/**
 * `unit` is quick and part of `npm run check`; `integration` starts processes and compilers and is
 * part of `npm test`; `long` is what only continuous integration has the patience for. There, the unit tests that draw
 * cases at random draw ten times as many.
 *
 * Files of unit and of integration tests share what they import, which takes longer than most of their tests.
 */
export default defineConfig({
  resolve: { alias },
  // Where `npm ci` keeps it: how long each file took, so that the longest start first.
  cacheDir: '.cache/vite',
  test: {
    // What files become is kept until they change: a second run takes a tenth less.
    experimental: { fsModuleCache: true },
    // Half of the time of most tests is spent waiting for processes.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // Pages apply some changes after a delay, and machines do other things as well.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/**/*.integration.test.ts',
            'test/**/*.long.test.ts',
            // Projects, not tests of this repository.
            'test/scaffold/old-projects/**',
          ],
          env: { TEST_SIZE: process.env['TEST_SIZE'] ?? '0.1', PROPERTY_MS: '270000' },
          globalSetup: ['test/support/pages.ts'],
          setupFiles: ['test/support/properties.ts'],
          isolate: false,
          // Generous, for machines that do other things as well, and for `TEST_SIZE=1`.
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.integration.test.ts'],
          globalSetup: ['test/support/build.ts'],
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: ['test/**/*.long.test.ts'],
          env: { PROPERTY_MS: '840000' },
          globalSetup: ['test/support/build.ts'],
          setupFiles: ['test/support/properties.ts'],
          testTimeout: 900_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
