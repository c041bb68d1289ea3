import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import type { Rule } from '../contracts/validate/codes/rule.js';
import { FINDINGS } from '../contracts/validate/index.js';

const root = join(import.meta.dirname, '..');
/** Those that tests prove by their names. */
const ID = /\b(?:CORE|EXT|SEC)-(?:[A-Z]+-)?\d+\b/g;

const [lists = '', hidden = ''] = readFileSync(join(root, 'docs', 'requirements.md'), 'utf8').split(
  '## What a recording cannot show',
);

/** The cells of the rows that begin with an id. */
function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => /^\| [A-Z]+-[A-Z\d-]+ *\|/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1));
}

const rows = rowsOf(lists);
const all = rows.map(([id = '']) => id);
/** Requirements on our servers and clients, which tests prove. Those of the base protocol are for recordings. */
const required = all.filter((id) => !id.startsWith('BASE-'));

/** For each test that runs, the ids in its title. */
const titles = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => titlesIn(readFileSync(join(root, 'test', file), 'utf8')))
  .map((title) => title.match(ID) ?? []);
const tested = new Set(titles.flat());
/** Ids that are the only one in some title. */
const alone = new Set(titles.filter(({ length }) => length === 1).flat());

function titlesIn(text: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(it|test)\b/.test(node.expression.getText())) {
      const [title] = node.arguments;
      const skipped = /\.(skip|todo)\b/.test(node.expression.getText());
      if (title !== undefined && !skipped && ts.isStringLiteralLike(title)) titles.push(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('', text, ts.ScriptTarget.Latest, true));
  return titles;
}

describe('requirements', () => {
  it('each id is in the name of a test', () => {
    expect(required.length).toBeGreaterThan(60);
    const missing = required.filter((id) => !tested.has(id));
    expect(missing).toEqual([]);
  });

  it('each id is the only one in the name of some test, which shows what proves it', () => {
    expect(required.filter((id) => !alone.has(id))).toEqual([]);
  });

  it('each id in a test name exists', () => {
    expect([...tested].filter((id) => !required.includes(id))).toEqual([]);
  });

  it('each id has its rules of validate, or a reason why a recording cannot show it', () => {
    const rules: readonly (readonly [string, Rule])[] = Object.entries(FINDINGS);
    const rulesOf = (id: string): string[] =>
      rules
        .filter(([, { requirements }]) => requirements.includes(id))
        .map(([code]) => `\`${code}\``);
    expect(rows.map(([id = '', , , cell]) => [id, cell])).toEqual(
      all.map((id) => [id, rulesOf(id).join(', ')]),
    );
    const excused = rowsOf(hidden);
    expect(excused.filter(([, reason]) => !reason)).toEqual([]);
    expect(excused.map(([id = '']) => id).toSorted()).toEqual(
      all.filter((id) => rulesOf(id).length === 0).toSorted(),
    );
  });

  it('each id is written once, and each id of a rule exists', () => {
    expect(all.filter((id, index) => all.indexOf(id) !== index)).toEqual([]);
    const named = Object.values(FINDINGS).flatMap(
      ({ requirements }): readonly string[] => requirements,
    );
    expect(named.filter((id) => !all.includes(id))).toEqual([]);
  });
});
