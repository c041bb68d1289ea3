import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMBINATIONS, MINIMAL } from './combinations.js';
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

describe('new server', () => {
  it.each(COMBINATIONS)('compiles and lints as $name, in $most files', ({ name, most }) => {
    const root = workshop.rootOf(name);
    expect(judged.checkTypes(root)).toEqual([]);
    expect(judged.lint(root)).toEqual([]);
    const files = filesOf(root);
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(most);
  });

  it.each(MINIMAL)('compiles and lints as $name, in $most files', ({ name, most }) => {
    const root = workshop.rootOf(name);
    expect(judged.checkTypes(root)).toEqual([]);
    expect(judged.lint(root)).toEqual([]);
    const files = filesOf(root);
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(most);
    expect(files.filter((each) => each.startsWith('src/tools/'))).toHaveLength(2);
    expect(files.filter((each) => each.startsWith('test/'))).toHaveLength(1);
  });
});
