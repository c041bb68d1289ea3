import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { importersIn, sources, testsOf } from '../../scripts/mutation/covering.js';
import { drawn } from '../../scripts/mutation/drawn.js';
import { applied, mutantsOf } from '../../scripts/mutation/mutants.js';

const mutated = (text: string): string[] =>
  mutantsOf('it.ts', text).map((mutant) => applied(text, mutant));

describe('the mutants of a file', () => {
  it.each([
    [
      'if (a < 1) b();',
      ['if (!(a < 1)) b();', 'if (a <= 1) b();', 'if (a < (1 + 1)) b();', 'if (a < 1) ;'],
    ],
    ['const a = (b: number) => b;', ['const a = (b: number) => undefined;']],
    ['const a = () => { return b(); };', ['const a = () => { return undefined; };']],
    ['const a = () => false;', ['const a = () => true;']],
    ['const a = b ? c : d;', ['const a = !(b) ? c : d;']],
    [
      "const a = ['', 'b', true, `${c}`];",
      [
        "const a = ['mutant', 'b', true, `${c}`];",
        "const a = ['', '', true, `${c}`];",
        "const a = ['', 'b', false, `${c}`];",
        "const a = ['', 'b', true, ''];",
      ],
    ],
    ['const a = b && c;', ['const a = b || c;']],
  ])('%s', (text, expected) => {
    expect(mutated(text)).toEqual(expected);
  });

  it.each([
    "import { a } from 'b';",
    "export * from 'b';",
    "type A = 'b' | 1;",
    "interface A { readonly b: 'c' }",
    "const a = { 'b-c': d, 1: e };",
    "const a = new RangeError('b');",
    'const a = () => { return undefined; };',
  ])('are none: %s', (text) => {
    expect(mutated(text)).toEqual([]);
  });

  it('say where they are', () => {
    const [mutant] = mutantsOf('it.ts', '\n\nconst a = true;');
    expect(mutant).toMatchObject({ file: 'it.ts', line: 3, kind: 'literal' });
  });
});

describe('the sample', () => {
  const all = Array.from({ length: 500 }, (_, index) => index);

  it('is the same for the same seed and differs for another', () => {
    expect(drawn(all, 50, 1)).toEqual(drawn(all, 50, 1));
    expect(drawn(all, 50, 1)).not.toEqual(drawn(all, 50, 2));
  });

  it('has each element once, from all parts of the whole', () => {
    const chosen = drawn(all, 100, 3);
    expect(new Set(chosen).size).toBe(100);
    const tenths = new Set(chosen.map((each) => Math.floor(each / 50)));
    expect(tenths.size).toBe(10);
    expect(drawn(all, 1_000, 3).sort((a, b) => a - b)).toEqual(all);
  });
});

describe('the tests of a file', () => {
  const importers = new Map([
    ['runtime/a/it.ts', ['runtime/a/index.ts', 'test/b/near.test.ts']],
    ['runtime/a/index.ts', ['test/a/own.test.ts', 'test/a/own.long.test.ts', 'test/support/it.ts']],
    ['test/support/it.ts', ['test/b/far.test.ts', 'runtime/a/it.ts']],
  ]);

  it('are those of its room, then those that import it by the fewest steps', () => {
    expect(testsOf('runtime/a/it.ts', 'runtime/a', importers)).toEqual([
      ...['test/a/own.test.ts', 'test/b/near.test.ts', 'test/b/far.test.ts'],
    ]);
  });

  it('are all of its room, the namesake first, and others up to 15, or five', () => {
    const named = (room: string, count: number): string[] =>
      Array.from(
        { length: count },
        (_, at) => `test/${room}/${String.fromCharCode(97 + at)}.test.ts`,
      );
    const of = (own: number, others: number): string[] => {
      const importing = [...named('other', others), ...named('a', own)];
      return testsOf('runtime/a/c.ts', 'runtime/a', new Map([['runtime/a/c.ts', importing]]));
    };
    expect(of(20, 20)).toHaveLength(25);
    expect(of(4, 20)).toEqual([
      ...['c', 'a', 'b', 'd'].map((name) => `test/a/${name}.test.ts`),
      ...named('other', 11),
    ]);
  });

  it('are none where no test imports it', () => {
    expect(testsOf('runtime/b/it.ts', 'runtime/b', importers)).toEqual([]);
  });

  it('reach components through the components that import them', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const room = 'pages';
    const component = `${room}/report/tasks.tsx`;
    expect(sources(root, room)).toContain(component);
    expect(testsOf(component, room, importersIn(root))).toContain('test/report/page.test.ts');
  });
});
