import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createImports, statementFrom } from '../../generator/emit/imports.js';
import {
  join,
  negate,
  parameter,
  refuseUnless,
  returns,
} from '../../generator/emit/validators/code.js';
import { createNames, pascalCase, pathName } from '../../generator/emit/validators/identifiers.js';
import { regularExpression } from '../../generator/emit/validators/pattern.js';

/** What code does with a value `v`, and with a function that says whether it is true. */
function run(code: string, v: unknown): unknown {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  return (new Function('v', 'f', code) as (v: unknown, f: typeof Boolean) => unknown)(v, Boolean);
}

const CONDITIONS = [
  ...['true', 'false', "typeof v === 'string'", 'f(v)', '(f(v) || v === 0)', 'f(v) && v !== 1'],
  ...['(f(v)) === (v === 1)', "typeof v === 'string' || f(v)", '(f(v) && v > 0)', '!f(v)'],
];
const VALUES = [0, 1, 2, '', 'a', null];

describe('a condition', () => {
  it.each(CONDITIONS)('%s is negated', (condition) => {
    for (const v of VALUES) {
      expect(run(`return ${negate(condition)}`, v)).toBe(!run(`return ${condition}`, v));
    }
  });

  it.each([1, 2, 9, 40])('of %i operands is returned, or refused', (count) => {
    const operands = fc.array(fc.constantFrom(...CONDITIONS), {
      minLength: count,
      maxLength: count,
    });
    fc.assert(
      fc.property(operands, fc.constantFrom(...VALUES), (all, v) => {
        // As operands of `&&`, conditions with `||` have brackets.
        const closed = all.map((each) => (each.includes(' || ') ? `(${each})` : each));
        const verdicts = closed.map((each) => run(`return ${each}`, v));
        expect(run(returns(closed, '&&'), v)).toBe(verdicts.every(Boolean));
        expect(run(returns(all, '||'), v)).toBe(verdicts.some(Boolean));
        expect(run(`${refuseUnless(closed)} return true`, v)).toBe(verdicts.every(Boolean));
      }),
      { numRuns: 20 },
    );
  });

  it('without operands is what every value, or none, meets', () => {
    expect([join([], '&&'), join([], '||')]).toEqual(['true', 'false']);
  });

  it('has one operand a line where a line would be longer than 100', () => {
    const operands = (length: number) => ['a', 'b'.repeat(length - '  return a && ;\n'.length)];
    expect(returns(operands(100), '&&')).toMatch(/^ {2}return a && b+;\n$/);
    expect(returns(operands(101), '&&')).toMatch(/^ {2}return \(\n {4}a &&\n {4}b+\n {2}\);\n$/);
    const refused = (length: number) => [
      'a',
      'b'.repeat(length - '  if (!(a && )) return false;\n'.length),
    ];
    expect(refuseUnless(refused(100))).toMatch(/^ {2}if \(!\(a && b+\)\) return false;\n$/);
    expect(refuseUnless(refused(101))).toMatch(
      /^ {2}if \(\n {4}!\(\n {6}a &&\n {6}b+\n {4}\)\n {2}\) \{\n {4}return false;\n {2}\}\n$/,
    );
  });
});

describe('a parameter', () => {
  it.each([
    ['c', 'f(v, c)', 'c'],
    ['c', 'f(v)', '_c'],
    ['c', "v === 'a c b'", '_c'],
    ['c', 'v === "c"', '_c'],
    ['c', "v === 'it\\'s c'", '_c'],
    ['c', "v === 'it\\'s' && c", 'c'],
    ['key', 'keys', '_key'],
  ])('%s of %s is %s', (name, code, expected) => {
    expect(parameter(name, code)).toBe(expected);
  });
});

describe('a name', () => {
  it('is taken once, and others get a number', () => {
    const names = createNames(['a', 'b2']);
    expect(['a', 'a', 'b', 'b', 'b', 'a2'].map((each) => names.take(each))).toEqual([
      ...['a2', 'a3', 'b', 'b3', 'b4', 'a22'],
    ]);
  });

  it.each([
    ['inputSchema', 'InputSchema'],
    ['io.example/a-b', 'IoExampleAB'],
    ['_meta$x', '_meta$x'],
    ['--', ''],
    ['é1', '1'],
  ])('made of %s is %s', (text, expected) => {
    expect(pascalCase(text)).toBe(expected);
  });

  it('is cut after 80 characters, between them', () => {
    expect(pascalCase('a'.repeat(90))).toHaveLength(80);
    expect(pathName('A', 'b'.repeat(90))).toBe(`A${'b'.repeat(79)}`);
    expect(pathName('', '\u{1f600}'.repeat(90))).toBe('\u{1f600}'.repeat(80));
  });
});

describe('a regular expression', () => {
  it('is ASCII without quotes, and matches the same', () => {
    for (const pattern of ['^[äöü"\'`]/$', '\u{1f600}', 'a\\/b', '[\u2028\n]', '\\p{L}+', '']) {
      const text = regularExpression(pattern);
      expect(text).toMatch(/^\/[^'"`]*\/u$/);
      expect(text).toMatch(/^[\x20-\x7e]*$/);
      const own = run(`return ${text}`, 0) as RegExp;
      const expected = new RegExp(pattern, 'u');
      for (const value of ['ä/', '"/', "'/", '`/', '\u{1f600}', 'a/b', '\u2028', '\n', 'x', '']) {
        expect(own.test(value), `${pattern} of ${value}`).toBe(expected.test(value));
      }
    }
  });
});

describe('the imports of a file', () => {
  it('are sorted, and each name is there once', () => {
    const imports = createImports();
    expect(imports.value('zod', 'b')).toBe('b');
    expect([imports.value('zod', 'a'), imports.value('zod', 'b')]).toEqual(['a', 'b']);
    expect([imports.type('zod', 'T'), imports.value('check', 'c')]).toEqual(['T', 'c']);
    expect(imports.text()).toBe(
      [
        "import { c } from '../support/check.js';",
        "import { a, b } from '../support/zod.js';",
        "import type { T } from '../support/zod.js';",
        '',
      ].join('\n'),
    );
  });

  it('have one name a line where a line would be longer than 100', () => {
    const statement = (length: number) => {
      const name = 'x'.repeat(length - "import { a,  } from './a.js';".length);
      return statementFrom('import', ['a', name], './a.js');
    };
    expect(statement(100)).toMatch(/^import \{ a, x+ \} from '\.\/a\.js';\n$/);
    expect(statement(101)).toMatch(/^import \{\n {2}a,\n {2}x+,\n\} from '\.\/a\.js';\n$/);
  });
});
