import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRefusal, readPattern } from '../../json-schema/pattern/index.js';
import { modern } from '../../json-schema/pattern/legacy.js';
import { sized } from '../support/size.js';

it.each([
  ['^[\\w\\-.]+$', '^[\\w\\-.]+$'],
  ['^[\\w-.]+$', '^[\\w\\-.]+$'],
  ['^\\d{3}\\-\\d{4}$', '^\\d{3}-\\d{4}$'],
  ['^[\\d-a-z]$', '^[\\d\\-a\\-z]$'],
  ['^{id}$', '^\\{id\\}$'],
  ['^\\{id}$', '^\\{id\\}$'],
  ['^a{,5}$', '^a\\{,5\\}$'],
  ['^\\"[a-z]\\"$', '^"[a-z]"$'],
  ["^it\\'s \\@ \\#1\\!$", "^it's @ #1!$"],
  ['^a]$', '^a\\]$'],
  ['^\\_\\ \\%\\&\\~\\`$', '^_ %&~`$'],
  ['^\\a\\Z$', '^aZ$'],
  ['\\1', '\\x01'],
  ['\\101\\8', '\\x41\\x38'],
  ['(a)\\2', '(a)\\x02'],
  ['\\x4\\u00\\c', 'x4u00\\\\c'],
  ['[\\c1\\c_\\c]\\c1\\c_', '[\\x11\\x1f\\\\c]\\\\c1\\\\c_'],
  ['(?=a)*b', '(?:(?=a))*b'],
  ['^[\\p{L}\\-]\\-$', '^[\\p{L}\\-]-$'],
  ['[\\u{1f600}]\\-', '[\\u{1f600}]-'],
])('reads %s as %s', (written, expected) => {
  expect(modern(written)).toBe(expected);
  const read = readPattern(written);
  expect(isRefusal(read) || new RegExp(read.source, 'u')).toBeInstanceOf(RegExp);
});

it.each(['[', '(', 'a)', '\\', '*a', 'a{2,1}', '(?<n>a)\\k', '(?P<n>a)', '(?i)a', 'a++', '{1}'])(
  'refuses %s, which is no regular expression of ECMAScript',
  (pattern) => {
    expect(readPattern(pattern)).toEqual({
      kind: 'invalid',
      reason: 'it is not a regular expression',
    });
  },
);

const piece = fc.constantFrom(
  ...['a', 'b', '1', '-', ',', '.', '/', '|', '^', '$', '*', '+', '?', '{1}', '{1,2}'],
  ...['{', '}', ']', '[', '[^', '(', ')', '(?:', '(?=', '(?!', '(?<n>'],
  ...['\\-', '\\_', '\\d', '\\w', '\\1', '\\12', '\\8', '\\0', '\\08', '\\012', '\\a', '\\"'],
  ...[
    '\\k',
    '\\k<n>',
    '\\x',
    '\\x4',
    '\\u',
    '\\u00',
    '\\ ',
    '\\/',
    '\\c',
    '\\cA',
    '_',
    '\\b',
    '\\B',
    '\\',
  ],
);
const text = fc
  .array(
    fc.constantFrom(
      ...['a', 'b', '1', '-', '_', '{', '}', ']', '[', '8', 'k', '<n>', 'x', 'u', '"', ' ', '/'],
      ...['c', '\\', '\x01', '\b', ',', 'B', 'd', 'w', '\n', '\0'],
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));

/** `\u{…}` differs: the flag gives it a meaning that the rewritten pattern keeps. */
it('keeps the meaning that a pattern has without the flag u', () => {
  const patterns = fc
    .array(piece, { maxLength: 8 })
    .map((parts) => parts.join(''))
    .filter((source) => !source.includes('\\u{'));
  const texts = fc.array(text, { minLength: 10, maxLength: 10 });
  let compared = 0;
  fc.assert(
    fc.property(patterns, texts, (source, values) => {
      const [plain, rewritten] = [compile(source, ''), compile(modern(source), 'u')];
      expect(rewritten === undefined, source).toBe(plain === undefined);
      for (const value of values) {
        compared += Number(plain !== undefined);
        expect(rewritten?.test(value), JSON.stringify([source, value])).toBe(plain?.test(value));
      }
    }),
    { numRuns: sized(20_000) },
  );
  expect(compared).toBeGreaterThan(sized(20_000) / 2);
});

function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
