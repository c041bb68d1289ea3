import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { GROUPS, linesOf, sourcesOf } from '../scripts/budgets/figures.js';
import { judge, raisesIn, REASONS, unexplained, type Figures } from '../scripts/budgets/judge.js';

const root = join(import.meta.dirname, '..');
const LINES = 'lines of TypeScript, runtime/tasks';
const SIZE = 'kilobytes, mcp-codegen';
const raised = (line: string): ReturnType<typeof raisesIn> => raisesIn(`# Page\n\n${line}\n`);

describe('a budget', () => {
  it('is written when its figure fell, is new or is gone', () => {
    const found = judge({ a: 5, b: 6, gone: 1 }, { new: 3, b: 6, a: 4 }, []);
    expect(found).toEqual({
      budgets: { a: 4, b: 6, new: 3 },
      risen: [],
      moved: ['new: none → 3', 'a: 5 → 4', 'gone: gone'],
    });
  });

  it('stays when its figure rose, and the line to add is said', () => {
    const found = judge({ [LINES]: 5 }, { [LINES]: 6 }, []);
    expect(found).toEqual({
      budgets: { [LINES]: 5 },
      risen: [`${LINES}: 5 → 6: what users get`],
      moved: [],
    });
  });

  it.each([
    [`- ${LINES}: 5 → 6: tasks of several clients`, 6],
    [`- ${LINES}: 5 → 7: another value`, 5],
    [`- ${LINES}: 4 → 6: another rise`, 5],
    [`- ${LINES}, other: 5 → 6: another figure`, 5],
    [`- ${LINES}: 5 → 6: what users get`, 5],
    [`- ${LINES}: 5 → 6:`, 5],
  ])('with the line %j is %d', (line, budget) => {
    expect(judge({ [LINES]: 5 }, { [LINES]: 6 }, raised(line)).budgets).toEqual({
      [LINES]: budget,
    });
  });

  it.each([
    [1_010, 0],
    [990, 0],
    [1_011, 1],
  ])(
    'of 1,000 kilobytes takes %d, as another zlib writes it: %d has to be explained',
    (size, more) => {
      const { budgets, risen } = judge({ [SIZE]: 1_000 }, { [SIZE]: size }, []);
      expect(budgets).toEqual({ [SIZE]: 1_000 });
      expect(risen).toHaveLength(more);
    },
  );

  it('that was raised by hand needs its line too', () => {
    expect(unexplained({ [LINES]: 5 }, { [LINES]: 6, more: 1 }, [])).toEqual([
      `${LINES}: 5 → 6: what users get`,
    ]);
    expect(unexplained({ [LINES]: 5 }, { [LINES]: 6 }, raised(`- ${LINES}: 5 → 6: x`))).toEqual([]);
  });
});

describe('test/budgets.json', () => {
  const budgets = JSON.parse(readFileSync(join(root, 'test/budgets.json'), 'utf8')) as Figures;
  const of = (group: string): string[] =>
    Object.keys(budgets).flatMap((name) => (name.startsWith(`${group}, `) ? [name] : []));

  it('has every room, and every file with commands', () => {
    expect(of(GROUPS.lines)).toEqual(Object.keys(linesOf(sourcesOf(root))).sort());
    const files = readdirSync(join(root, 'cli/commands')).sort();
    const listed = (group: string): string[] =>
      of(group).map((name) => name.replace(/^.*, (.*)$/, '$1.ts'));
    expect(listed(GROUPS.start).sort()).toEqual(files);
    expect(listed(GROUPS.load).sort()).toEqual(files);
    const count = (group: string): number => of(group).length;
    expect([GROUPS.run, GROUPS.functions, GROUPS.size].map(count)).toEqual([4, 2, 3]);
  });

  it('counts each line once for its room, its part and all', () => {
    const lines = linesOf(
      new Map([
        ['runtime/tasks/a.ts', 'a\nb\n'],
        ['generator/x.ts', 'c\n'],
      ]),
    );
    expect(Object.values(lines).reduce((sum, count) => sum + count)).toBe(9);
    expect(lines).toMatchObject({ [LINES]: 2, [`${GROUPS.lines}, in all`]: 3 });
  });

  it('names the page with the lines', () => {
    expect(readFileSync(join(root, REASONS), 'utf8')).toContain('test/budgets.json');
  });
});
