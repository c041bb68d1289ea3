import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linear } from '../../json-schema/portable/pattern.js';
import { isRefusal, readPattern } from '../../json-schema/pattern/index.js';
import { parse } from '../../json-schema/pattern/parse.js';
import { sized } from '../support/size.js';

const atom = fc.constantFrom(
  ...['a', 'b', '-', '.', '1', '[ab]', '[^a]', '\\w', '\\d', '\\s', '\\p{L}', '[^\\w-]'],
  ...['\u{1f600}', '\\u{1f600}', '\ud83d'],
);
const quantifier = fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{2,}', '*?', '{0}');
const opening = fc.constantFrom('(?=', '(?!', '(?<=', '(?<!', '(');

const { drawn } = fc.letrec<{ drawn: string }>((tie) => ({
  drawn: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    atom,
    fc.constantFrom('^', '$', '\\b', '\\B'),
    fc.array(tie('drawn'), { maxLength: 4 }).map((all) => all.join('')),
    fc.tuple(tie('drawn'), tie('drawn')).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie('drawn'), quantifier).map(([a, q]) => `(?:${a})${q}`),
    fc.tuple(opening, tie('drawn')).map(([o, a]) => `${o}${a})`),
  ),
}));
const text = fc
  .array(fc.constantFrom('a', 'b', '-', '1', ' ', '\n', 'é', '\u{1f600}', '\ud83d', '\ude00'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

/** By the standard: V8 also searches from the middle of a surrogate pair. */
function matches(source: string, value: string): boolean {
  const sticky = new RegExp(source, 'uy');
  for (let at = 0; at <= value.length; at += (value.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
    sticky.lastIndex = at;
    if (sticky.test(value)) return true;
  }
  return false;
}

function linearly(source: string): (value: string) => boolean {
  const { sets, part } = parse(source);
  return linear(
    sets.map((set) => new RegExp(set, 'u')),
    part,
  ).test;
}

it('gives the verdict of RegExp on drawn patterns and texts', () => {
  let accepted = 0;
  fc.assert(
    fc.property(drawn, fc.array(text, { minLength: 4, maxLength: 4 }), (source, texts) => {
      const test = linearly(source);
      for (const value of texts) {
        const expected = matches(source, value);
        accepted += Number(expected);
        expect(test(value), JSON.stringify([source, value])).toBe(expected);
      }
    }),
    { numRuns: sized(5_000) },
  );
  expect(accepted).toBeGreaterThan(sized(5_000) / 5);
});

it('gives the same verdict when it keeps no sets of states', () => {
  const source = 'a[ab]{12}b[ab]{3}$';
  const test = linearly(source);
  const pieces = fc.array(fc.constantFrom('a', 'b'), { minLength: 20_000, maxLength: 20_000 });
  for (const drawnText of fc.sample(pieces, { numRuns: 3, seed: 7 })) {
    const value = drawnText.join('');
    expect(test(value)).toBe(new RegExp(source, 'u').test(value));
    expect(test(value.slice(0, 30))).toBe(new RegExp(source, 'u').test(value.slice(0, 30)));
  }
});

/** Too long to backtrack on also at a tenth. */
const LONG = sized(1_000_000);
const a = 'a'.repeat(LONG);

/** A pattern, a text on which backtracking takes too long or too much stack, and the verdict. */
const HOSTILE: readonly [pattern: string, text: string, verdict: boolean][] = [
  ['^(a+)+$', `${a}!`, false],
  ['^(a+)+$', a, true],
  ['^(a|a)*$', `${a}!`, false],
  ['^(a|aa)+$', `${a}!`, false],
  ['^(a*)*$', `${a}!`, false],
  ['^(?:a?){30}a{30}$', 'a'.repeat(29), false],
  ['(a*)*b', a, false],
  ['(.*)*x', a, false],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', a, false],
  ['[a-z]+$', `${a}!`, false],
  ['\\s+$', `${' '.repeat(LONG)}x`, false],
  ['^\\s+|\\s+$', `x${' '.repeat(LONG)}x`, false],
  ['a.*b.*c.*d', a, false],
  ['(x+x+)+y', 'x'.repeat(LONG), false],
  [
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    a,
    false,
  ],
  ['^(?:[a-z0-9]+-?)+$', `${a}!`, false],
  ['^(ab|ac)*$', 'ab'.repeat(LONG), true],
  ['^([a-z])+$', a, true],
  ['^(?=.*\\d)(?=.*[a-z]).{8,}$', a, false],
  ['^(?=.*\\d)(?=.*[a-z]).{8,}$', `${a}1`, true],
  ['^(?!.*foo)', a, true],
  ['^(?!.*foo)', `${a}foo`, false],
  ['^(?:(?!ab).)*$', `${a}b`, false],
  ['(?<=^a*)b', `${a}c`, false],
  ['(?<!a)b$', `${a}b`, false],
  ['a(?=a*b)', a, false],
  ['^(?=(a+)+$)(?=(a|aa)+$)', `${a}!`, false],
  ['(\\p{L}+\\s?)+!', 'é'.repeat(LONG), false],
  ['(a?){0,50}(a?){0,50}b', a, false],
  ['(?:a|[ab]{0,2400})*c', 'ab'.repeat(50_000), false],
];

describe('patterns that backtrack', () => {
  it.each(HOSTILE.map(([pattern, value, verdict]) => [pattern, verdict, value] as const))(
    '%s ends, with %s',
    (pattern, verdict, value) => {
      const read = readPattern(pattern);
      if (isRefusal(read)) throw new Error(read.reason);
      expect(read.program).toBeDefined();
      expect(linearly(read.source)(value)).toBe(verdict);
    },
  );
});

it.each([
  '^[a-z]+$',
  '^[\\w.-]+$',
  '^[^@]+@[^@]+$',
  '^.*$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^#[0-9a-f]{6}$',
  '^(?:get|put|post)$',
  '^v?\\d+\\.\\d+$',
  '^.{0,100000}$',
  '^x-',
  'abc',
  '',
  '^[A-Za-z_$][\\w$]{0,63}$',
  '^(?:https?|ftp):',
  '^(?:a|ab)c*$',
  '^\\w+$|^$',
])('leaves %s to RegExp, because the next character decides each choice', (pattern) => {
  expect(readPattern(pattern)).toEqual({ source: pattern });
});

it.each([
  ['^(a)\\1$', 'it has a back-reference'],
  ['(?<q>["\']).*\\k<q>', 'it has a back-reference'],
  ['a{100000}b*b', 'it has more than 5000 parts with its repetitions written out'],
  ['(?:a{0,1000}){1000}', 'it has more than 5000 parts with its repetitions written out'],
  [`${'(?!a)'.repeat(17)}b`, 'it has more than 16 look-arounds'],
])('refuses %s', (pattern, reason) => {
  expect(readPattern(pattern)).toEqual({ kind: 'unmatchable', reason });
});

it('ends for patterns of any size and depth', () => {
  for (const pattern of [
    '('.repeat(100_000),
    '(?:'.repeat(3_000) + 'a' + ')*'.repeat(3_000),
    'a|'.repeat(20_000),
    'ab*'.repeat(50_000),
    '[a-z]'.repeat(50_000),
    `^${'(a|b)?'.repeat(2_000)}$`,
  ]) {
    const read = readPattern(pattern);
    if (isRefusal(read)) expect(read.reason).not.toBe('');
    else expect(typeof new RegExp(read.source, 'u')).toBe('object');
  }
});
