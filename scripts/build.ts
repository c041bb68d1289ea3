/**
 * `npm run build` builds both packages, and then their tarballs. It shows what runs and for how long, because
 * compilers print nothing until they end. It does nothing when nothing changed since the last build, and begins with
 * empty folders otherwise: compilers leave what they made of files that are gone, and the tarballs would contain it.
 */
import { rmSync } from 'node:fs';

import { ended, secondsSince } from './child.js';
import { hashOfInputs, isUpToDate, markUpToDate } from './up-to-date.js';

/** The native compiler takes a fifth of the time. Linters and tests use the API of `typescript`, which it does not have. */
const TSC = ['node_modules/typescript-7/bin/tsc'];
const TSX = ['--import', 'tsx'];

const FOLDERS = ['dist', 'runtime/dist'];

type Part = readonly [name: string, args: readonly string[]];

/** Parts of a list run at the same time; the lists run one after the other. */
const STEPS: readonly (readonly Part[])[] = [
  // The runtime's modules contain the board's page.
  [['the pages', [...TSX, 'scripts/pages.ts']]],
  [
    ['the tool', [...TSC, '-p', 'tsconfig.build.json']],
    ['the declarations of contracts', [...TSC, '-p', 'tsconfig.contracts.json']],
    ['the runtime', [...TSC, '-b', 'runtime/tsconfig.build.json']],
    ["the runtime's modules", [...TSX, 'scripts/packages/bundle.ts']],
    ['the command line', [...TSX, 'scripts/bundle-cli.ts']],
    ['the playground', [...TSX, 'scripts/bundle-playground.ts']],
  ],
  [['the tarballs', [...TSX, 'scripts/packages/pack.ts']]],
];

const isTerminal = process.stdout.isTTY && process.env['TERM'] !== 'dumb';
const running = new Map<string, number>();

/** Shows the parts that run in one line of a terminal. */
function redraw(): void {
  const parts = [...running].map(([name, since]) => `${name} (${secondsSince(since)})`);
  process.stdout.write(`\r\u001b[KBuilding ${parts.join(', ')}`);
}

function clear(): void {
  if (isTerminal) process.stdout.write('\r\u001b[K');
}

async function run([name, args]: Part): Promise<boolean> {
  running.set(name, performance.now());
  if (!isTerminal) console.log(`Building ${name}`);
  const { isGood, output, took } = await ended(process.execPath, args);
  running.delete(name);
  clear();
  process.stdout.write(output);
  console.log(isGood ? `Built ${name} in ${took}` : `Cannot build ${name}`);
  return isGood;
}

async function build(): Promise<void> {
  const inputs = hashOfInputs();
  if (isUpToDate(inputs)) {
    console.log('The build is up to date');
    return;
  }
  const timer = isTerminal ? setInterval(redraw, 200) : undefined;
  for (const folder of FOLDERS) rmSync(folder, { recursive: true, force: true });
  for (const parts of STEPS) {
    const built = await Promise.all(parts.map(run));
    if (built.includes(false)) {
      process.exitCode = 1;
      break;
    }
  }
  clearInterval(timer);
  if (process.exitCode === undefined) markUpToDate(inputs);
}

await build();
