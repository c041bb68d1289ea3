import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const ID = /\b(?:CORE|EXT|SEC)-(?:[A-Z]+-)?\d+\b/g;

const required = Array.from(
  readFileSync(join(root, 'docs', 'requirements.md'), 'utf8').matchAll(
    /^\| ([A-Z]+-[A-Z\d-]+) *\|/gm,
  ),
  ([, id]) => String(id),
);

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
});
