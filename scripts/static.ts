/**
 * `npm run static`: all checks that run no test, as many at a time as there are processors. What a check prints is shown
 * when it ends. Exit code 1 when one fails; the others still run.
 */
import { availableParallelism } from 'node:os';
import { ended } from './child.js';
import { npmCommand } from './npm.js';

/** The longest first, so that no processor waits for it at the end. */
const CHECKS: readonly (readonly string[])[] = [
  ['lint'],
  ['types'],
  ['packages', '--', '--check'],
  ['drift'],
  ['format:check'],
  ['docs', '--', '--check'],
  ['budgets', '--', '--check'],
  ['revisions', '--', '--check'],
  ['names', '--', '--check'],
  ['subjects'],
];

/** Whether a script of `package.json` succeeds. */
async function run(script: readonly string[]): Promise<boolean> {
  const { isGood, output, took } = await ended(...npmCommand(['run', '--silent', ...script]));
  process.stdout.write(output);
  console.log(`${isGood ? 'Passed' : 'Failed'}: npm run ${script.join(' ')} (${took})`);
  return isGood;
}

// Some examples are checked with the declarations of the built packages, which a build would replace meanwhile.
let isGood = await run(['build']);
const waiting = isGood ? [...CHECKS] : [];
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      isGood = (await run(next)) && isGood;
    }
  }),
);
process.exitCode = isGood ? 0 : 1;
