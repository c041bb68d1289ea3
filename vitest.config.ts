import { defineConfig } from 'vitest/config';

/**
 * `unit` is quick and part of `npm run check`; `integration` starts processes and compilers and is
 * part of `npm test`; `long` is what only continuous integration has the patience for.
 */
export default defineConfig({
  test: {
    // Most tests wait for processes: all cores are busy no less for it.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          // Generous, for machines that do other things as well.
          testTimeout: 30_000,
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.integration.test.ts', 'test/**/*.long.test.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/**/*.integration.test.ts'],
          globalSetup: ['test/support/build.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
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
