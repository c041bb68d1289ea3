/**
 * `npm run static`: all checks that run no test, as many at a time as there are processors. What a check prints is shown
 * when it ends. Exit code 1 when one fails; the others still run.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** The longest first, so that no processor waits for it at the end. */
const CHECKS: readonly (readonly string[])[] = [
  ['lint'],
  ['types'],
  ['packages', '--', '--check'],
  ['drift'],
  ['format:check'],
  ['docs', '--', '--check'],
  ['revisions', '--', '--check'],
  ['names', '--', '--check'],
  ['subjects'],
];

/** Whether a script of `package.json` succeeds. */
function run(script: readonly string[]): Promise<boolean> {
  const started = performance.now();
  const child = spawn(NPM, ['run', '--silent', ...script], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      console.log(
        `${code === 0 ? 'Passed' : 'Failed'}: npm run ${script.join(' ')} (${seconds} s)`,
      );
      resolve(code === 0);
    });
  });
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
