import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
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
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

it('the engine and its stores pass their tests under a newer Node, with node:sqlite', async () => {
  const node = await newerNode();
  const report = join(root, '.cache', 'newer-node.json');
  rmSync(report, { force: true });
  const args = ['run', '--project', 'unit', 'test/stores', 'test/tasks', 'test/executors'];
  const { output } = await run(node, [
    vitest,
    ...args,
    '--reporter=json',
    `--outputFile=${report}`,
  ]);
  // Without a report, the output says why.
  expect(existsSync(report), output).toBe(true);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed');
  expect(failed, output).toEqual([]);
  expect(testResults.filter(({ status }) => status === 'failed')).toEqual([]);
  const passed = tests.filter(({ status }) => status === 'passed');
  expect(passed.filter(({ fullName }) => fullName.includes('node:sqlite')).length).toBeGreaterThan(
    20,
  );
});

/** What a program printed, whether it succeeded or not: its report says what failed. */
async function run(program: string, args: readonly string[]): Promise<{ output: string }> {
  const options = { cwd: root, env: { ...process.env, NO_COLOR: '1' } };
  const { stdout, stderr } = await promisify(execFile)(program, args, options).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  return { output: `${stdout}${stderr}` };
}
