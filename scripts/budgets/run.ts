/**
 * `npm run budgets` measures the figures that must not grow, and writes those that fell into `test/budgets.json`. It
 * writes a higher one when a line of `docs/decisions/budgets.md` says what users get for it. With `--check` it writes nothing.
 * Exit code 4 when a figure rose without its line, or, with `--check`, when the file is out of date.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { measure } from './figures.js';
import { judge, raisesIn, REASONS, unexplained, type Figures } from './judge.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FILE = 'test/budgets.json';
const isCheck = process.argv.includes('--check');

const raises = raisesIn(readFileSync(ROOT + REASONS, 'utf8'));
const before = existsSync(ROOT + FILE) ? figuresIn(readFileSync(ROOT + FILE, 'utf8')) : {};
const { budgets, risen, moved } = judge(before, await measure(ROOT), raises);
if (!isCheck && moved.length > 0) {
  writeFileSync(ROOT + FILE, `${JSON.stringify(budgets, null, 2)}\n`);
  console.log(`Wrote ${FILE}:\n${list(moved)}`);
}

const unsaid = [...risen, ...unexplained(earlier(), before, raises)];
if (unsaid.length > 0) {
  console.error(
    `These figures rose. Lower them, or add these lines to ${REASONS}, with what users get at the end, and run npm run budgets:\n${list(unsaid)}`,
  );
  process.exitCode = 4;
}
if (isCheck && moved.length > 0) {
  console.error(`Out of date: ${FILE}. Run npm run budgets:\n${list(moved)}`);
  process.exitCode = 4;
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function figuresIn(text: string): Figures {
  return JSON.parse(text) as Figures;
}

/** The file as it was before its last change, committed or not. Without the history there is nothing to compare. */
function earlier(): Figures {
  const commits = git('log', '-2', '--format=%H', '--', FILE).trim().split('\n');
  const texts = commits.filter((hash) => hash !== '').map((hash) => git('show', `${hash}:${FILE}`));
  const other = texts
    .map(figuresIn)
    .find((each) => JSON.stringify(each) !== JSON.stringify(before));
  return other ?? {};
}

function git(...args: string[]): string {
  return spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout;
}
