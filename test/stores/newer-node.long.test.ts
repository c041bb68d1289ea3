import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { newerNode } from '../../scripts/newer-node.js';

/** The oldest Node that is supported has no `node:sqlite`; what has it uses it by default. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);

interface Report {
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

it('the engine and its stores pass their tests under a newer Node, with node:sqlite', async () => {
  const node = await newerNode();
  const report = join(root, '.cache', 'newer-node.json');
  const args = ['run', '--project', 'unit', 'test/stores', 'test/tasks', 'test/executors'];
  await promisify(execFile)(node, [vitest, ...args, '--reporter=json', `--outputFile=${report}`], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
  });
  const { numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const passed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed');
  expect(numFailedTests).toBe(0);
  expect(passed.filter(({ fullName }) => fullName.includes('node:sqlite')).length).toBeGreaterThan(
    20,
  );
});
