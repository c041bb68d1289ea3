import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'prettier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  COMBINATIONS,
  MINIMAL,
  MOST_LINES,
  MOST_MINIMAL_LINES,
  MOST_SOURCE_LINES,
} from './combinations.js';
import { judge, type Judge } from './judge.js';
import { filesOf, openWorkshop, type Workshop } from './workshop.js';

let workshop: Workshop;
let judged: Judge;
beforeAll(async () => {
  workshop = openWorkshop();
  const roots: string[] = [];
  for (const each of [...COMBINATIONS, ...MINIMAL]) roots.push(await workshop.make(each));
  judged = await judge(roots);
});
afterAll(() => workshop.close());

const BUDGETS = 'The budgets are in test/templates/combinations.ts';
const linesOf = (text: string): number => text.split('\n').length - 1;

/** The files of a project, which is correct and formatted as it was written. */
async function goodFilesOf(root: string): Promise<Map<string, string>> {
  expect(judged.checkTypes(root)).toEqual([]);
  expect(judged.lint(root)).toEqual([]);
  const files = filesOf(root).filter((path) => !path.startsWith('vendor/'));
  const texts = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  for (const [path, text] of texts) {
    expect(text, path).not.toMatch(
      /\n\n\n|\n\n$|^\s*(?:\/\/|\*)\s*$|@when|feature\.|my-mcp-server/m,
    );
    if (!/\.(?:[jt]s|json|md|ya?ml)$/.test(path)) continue;
    const options = { filepath: path, singleQuote: true, printWidth: 100 };
    expect(await check(text, options), path).toBe(true);
  }
  return texts;
}

describe('new server', () => {
  it.each(COMBINATIONS)(
    'compiles, lints and keeps its budgets as $name, in $most files',
    async ({ name, most }) => {
      const files = await goodFilesOf(workshop.rootOf(name));
      expect(files.size, `${BUDGETS}.\n${[...files.keys()].join('\n')}\n`).toBeLessThanOrEqual(
        most,
      );
      for (const [path, lines] of Object.entries(MOST_LINES)) {
        expect(linesOf(files.get(path) ?? ''), `${BUDGETS}. ${path}`).toBeLessThanOrEqual(lines);
      }
      const sources = [...files].filter(
        ([path]) => path.startsWith('src/') && !path.startsWith('src/tools/'),
      );
      const lines = sources.reduce((sum, [, text]) => sum + linesOf(text), 0);
      expect(lines, BUDGETS).toBeLessThanOrEqual(MOST_SOURCE_LINES);
    },
  );

  it.each(MINIMAL)(
    'compiles, lints and keeps its budgets as $name, in $most files',
    async ({ name, most }) => {
      const files = await goodFilesOf(workshop.rootOf(name));
      expect(files.size, `${BUDGETS}.\n${[...files.keys()].join('\n')}\n`).toBeLessThanOrEqual(
        most,
      );
      expect([...files.keys()].filter((path) => path.endsWith('.ts'))).toEqual(['src/main.ts']);
      expect(linesOf(files.get('src/main.ts') ?? ''), BUDGETS).toBeLessThanOrEqual(
        MOST_MINIMAL_LINES,
      );
    },
  );
});
