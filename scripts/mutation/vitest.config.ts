import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import config from '../../vitest.config.js';
import { applied } from './mutants.js';
import type { Mutant } from './mutants.js';

/** What one run tests: the order of its files, and the fault, if there is one. */
export interface Trial {
  readonly tests: readonly string[];
  readonly mutant?: Mutant;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const { tests, mutant } = JSON.parse(process.env['MUTATION_TRIAL'] ?? '{"tests":[]}') as Trial;

const isMutated = (id: string): boolean => mutant !== undefined && id === root + mutant.file;

/** The order of the trial, because a fault is most often found by the first test. */
class InOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      tests.indexOf(moduleId.slice(root.length));
    return Promise.resolve([...files].sort((a, b) => place(a) - place(b)));
  }
}

export default defineConfig({
  root,
  resolve: config.resolve ?? {},
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      // The cache takes the file on the disk for what is loaded.
      configureVitest(context) {
        context.experimental_defineCacheKeyGenerator(({ id }) =>
          isMutated(id) ? false : undefined,
        );
      },
      load(id) {
        return mutant && isMutated(id) ? applied(readFileSync(id, 'utf8'), mutant) : undefined;
      },
    },
  ],
  test: {
    include: [...tests],
    isolate: false,
    maxWorkers: 1,
    bail: 1,
    // For a busy machine; a test that waits in vain is ended by the time limit of the run.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['dot'],
    sequence: { sequencer: InOrder },
    experimental: { fsModuleCache: true, fsModuleCachePath: `${root}.cache/mutation` },
    // The same draws for each mutant are too few to depend on; see `test/support/size.ts`.
    env: { TEST_SIZE: '0.1' },
  },
});
