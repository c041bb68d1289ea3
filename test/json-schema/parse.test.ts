import { type AST, RegExpParser } from '@eslint-community/regexpp';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPattern } from '../../json-schema/index.js';
import { parse, Unmatchable } from '../../json-schema/pattern/parse.js';
import type { Part, Program } from '../../json-schema/pattern/part.js';
import { textsMatching } from '../../json-schema/sample/index.js';
import { DRAFTS, SUITE, suiteGroups } from '../read/suite.js';
import { sized } from '../support/size.js';

/** The parts by another reader of regular expressions, or why there are none. */
function expected(source: string): Program | string {
  const sets = new Map<string, number>();
  const any = (alternatives: readonly AST.Alternative[]): Part => {
    const parts = alternatives.map(({ elements }) => {
      const all = elements.map(one);
      return all.length === 1 ? (all[0] ?? []) : all;
    });
    return parts.length === 1 ? (parts[0] ?? []) : { or: parts };
  };
  const one = (element: AST.Element): Part => {
    switch (element.type) {
      case 'Group':
        if (element.modifiers) throw new Unmatchable('it has modifiers');
        return any(element.alternatives);
      case 'CapturingGroup':
        return [any(element.alternatives)];
      case 'Quantifier': {
        const { min, max } = element;
        return { part: one(element.element), min, ...(max !== Infinity && { max }) };
      }
      case 'Backreference':
        throw new Unmatchable('it has a back-reference');
      case 'Assertion':
        return assertion(element);
      default: {
        const index = sets.get(element.raw) ?? sets.size;
        sets.set(element.raw, index);
        return index;
      }
    }
  };
  const assertion = (element: AST.Assertion): Part => {
    const not = 'negate' in element && element.negate && ({ not: true } as const);
    switch (element.kind) {
      case 'start':
        return '^';
      case 'end':
        return '$';
      case 'word':
        return not ? 'B' : 'b';
      case 'lookahead':
        return { ahead: any(element.alternatives), ...not };
      case 'lookbehind':
        return { behind: any(element.alternatives), ...not };
    }
  };
  return orReason(() => {
    const parser = new RegExpParser({ ecmaVersion: 2025 });
    const tree = parser.parsePattern(source, 0, source.length, { unicode: true });
    return { part: any(tree.alternatives), sets: [...sets.keys()] };
  });
}

function orReason(make: () => Program): Program | string {
  try {
    return make();
  } catch (error) {
    if (error instanceof Unmatchable) return error.message;
    throw error;
  }
}

function isValid(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

const PIECES = [
  ...['a', 'é', '\u{1f600}', '\ud83d', '\ude00', '-', ':', '=', '!', '<', '>', ',', '\n', '^', '$'],
  ...['.', '|', '(', ')', '[', '[^', ']', '*', '+', '?', '{2}', '{0,}', '{12,345}', '{0}'],
  ...['(?:', '(?=', '(?!', '(?<=', '(?<!', '(?<name>', '(?i:', '(?i-ms:', '(?-s:'],
  ...['\\b', '\\B', '\\1', '\\0', '\\k<name>', '\\d', '\\W', '\\p{L}', '\\P{Script=Greek}'],
  ...['\\u{1f600}', '\\uD83D\\uDE00', '\\ud83d', '\\ude00', '\\u0041', '\\xe9', '\\cX', '\\n'],
  ...['\\\\', '\\]', '\\[', '\\(', '\\|', '\\/', '\\-', '\\{', 'a-z', '\\d', '0-9'],
];
const close = (text: string): string => {
  const opened = (text.match(/(?<!\\)\(/g) ?? []).length - (text.match(/(?<!\\)\)/g) ?? []).length;
  return text + ')'.repeat(Math.max(opened, 0));
};
const { tree } = fc.letrec<{ tree: string; item: string }>((tie) => ({
  item: fc.oneof(
    fc.constantFrom(...PIECES),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 4 }).map((all) => `[${all.join('')}]`),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?=', '(?<!', '(?<n>', '(?i:'), tie('tree'))
      .map(([open, inner]) => `${open}${inner})`),
    fc
      .tuple(tie('item'), fc.constantFrom('*', '+?', '??', '{3}', '{2,}?', '{1,4}'))
      .map(([part, count]) => `${part}${count}`),
  ),
  tree: fc.array(tie('item'), { maxLength: 4 }).map((all) => all.join('')),
}));

it.each([
  ...[
    '^a{2,5}(?:b|c+)?$',
    '^[α-ω]{3}$',
    '^\\uD83D\\uDE00$',
    '^\\u{1f600}\\u0041b\\xe9$',
    '^[^a-z]+$',
  ],
  ...[
    '^\\cA\\n\\0$',
    '^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$',
    '^\\d{4}-\\d\\d$',
    '^[\\]\\\\]+$',
    '^.\\.\\/$',
    '',
  ],
  ...['^(?:(?:a{9}){9}){9}$'],
])('draws texts that %j accepts', (source) => {
  const texts = textsMatching(source, [3, 7]);
  expect(texts).not.toEqual([]);
  for (const text of texts) expect(text).toMatch(new RegExp(source, 'u'));
});

it('draws no longer texts than a sample may be', () => {
  const texts = textsMatching('^(?:(?:(?:a{200}){200}){200}){200}$', []);
  expect(Math.max(...texts.map((text) => text.length))).toBe(5_000);
});

describe('the reader of patterns', () => {
  it('reads drawn patterns as another reader does', () => {
    let count = 0;
    fc.assert(
      fc.property(tree.map(close), (source) => {
        fc.pre(isValid(source));
        count++;
        expect(orReason(() => parse(source))).toEqual(expected(source));
      }),
      { numRuns: sized(20_000), maxSkipsPerRun: 1_000 },
    );
    expect(count).toBeGreaterThanOrEqual(sized(20_000));
  });

  it.skipIf(SUITE === undefined)('reads the patterns of the official suite alike', () => {
    const patterns = DRAFTS.flatMap(([, folder]) =>
      [...suiteGroups(folder), ...suiteGroups(folder, 'optional')].flatMap(([, groups]) =>
        groups.flatMap(({ schema }) => patternsIn(schema)),
      ),
    ).filter(isValid);
    expect(patterns.length).toBeGreaterThan(100);
    for (const source of patterns) {
      expect(
        orReason(() => parse(source)),
        source,
      ).toEqual(expected(source));
    }
  });

  it.each(['(?i:a)', '(?-i:a)', '(?i-ms:a)b', 'x(?ims:a|(b))*'])(
    'follows no modifiers, as in %s',
    (source) => {
      expect(() => parse(source)).toThrow(new Unmatchable('it has modifiers'));
    },
  );

  it.each([
    ['nested groups', '(?:'.repeat(500_000) + ')'.repeat(500_000)],
    ['nested groups that engines take', '('.repeat(3_000) + ')'.repeat(3_000)],
    ['a large class', `[${'\\u{1f600}a'.repeat(300_000)}]`],
    ['an open class', `[${'a'.repeat(3_000_000)}`],
    ['many alternatives', 'a|'.repeat(500_000)],
    ['a long text', 'abc'.repeat(1_000_000)],
    ['many look-arounds', '(?=a)'.repeat(200_000)],
    ['a long name', `(?<${'n'.repeat(1_000_000)}>a)`],
    ['open groups', '(?<a'.repeat(300_000)],
    ['a large count', `a{${'9'.repeat(100_000)}}`],
  ])('ends for %s', (_, source) => {
    expect(readPattern(source)).toBeTypeOf('object');
  });
});

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === 'pattern' && typeof inner === 'string' ? [inner] : []),
    ...(key === 'patternProperties' ? Object.keys(inner as object) : []),
    ...patternsIn(inner),
  ]);
}
