import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../support/size.js';
import { call, type Outcome, validatePieces, validateText } from './support.js';

/** What logs write before messages and texts: process ids, times, levels, directions and names, in brackets or not. */
const word = fc.constantFrom(
  ...['526630', '-1', '0', '1,2', '1, 2', 'true', 'null', '12:00:00.123', '2026-01-31T12:00:00Z'],
  ...['info', 'INFO ', 'pid 12', 'pid=12', 'main', 'Local->Remote', 'Local→Remote', '-->', '<--'],
  ...['"a"', "'a'", '', ' ', 'x.y', 'a/b', '#1'],
);
const brackets = fc.constantFrom('[]', '{}', '()', '<>', '[[]]', '{{}}', '[{}]', '{[]}');
const inBrackets = fc
  .tuple(word, brackets)
  .map(([text, pair]) => pair.slice(0, pair.length / 2) + text + pair.slice(pair.length / 2))
  // An object is a value, which is counted by itself.
  .filter((each) => !/\{\s*\}/.test(each));
const plain = fc.constantFrom(
  '12:00:00',
  'INFO:',
  '-->',
  '<--',
  '→',
  '=>',
  '|',
  'pid=12',
  '--',
  '#',
);
const prefix = fc
  .tuple(
    inBrackets,
    fc.array(fc.oneof(inBrackets, plain), { maxLength: 3 }),
    fc.constantFrom(' ', ': '),
  )
  .map(([first, more, between]) => [first, ...more].join(between));
const text = fc.constantFrom(
  'tools/call',
  'ready',
  'at foo (bar.js:1:2)',
  'got 3 results',
  'x = {',
  'list [',
);

/** A line of a log: with a message, with the beginning of one, or without. */
interface Line {
  readonly kind: 'message' | 'cut' | 'text';
  readonly text: string;
}
const message = (id: number): string => JSON.stringify(call(id));
const kinds = fc.constantFrom<Line['kind']>('message', 'text', 'text', 'text');
const lineOf = (kind: fc.Arbitrary<Line['kind']>) =>
  fc.tuple(kind, prefix, text, fc.nat()).map(([each, before, words, id]): Line => {
    const after = { message: message(id), text: words, cut: message(id).slice(0, 30) };
    return { kind: each, text: `${before} ${after[each]}` };
  });
const log = fc.array(lineOf(kinds), { minLength: 1, maxLength: 8 });

const textOf = (lines: readonly Line[]): string => lines.map((line) => `${line.text}\n`).join('');
/** Findings about lines that cannot be read. An arrow may also give a message the wrong sender. */
const unread = ({ findings }: Outcome): string[] =>
  findings
    .filter(({ code }) => ['not-json', 'too-large', 'bad-batch'].includes(code))
    .map(({ line, code }) => `${line} ${code}`);
const options = { revision: '2025-11-25' };

describe('a log', () => {
  it('has its messages checked and its other lines counted, whatever is before them', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.nat(40), async (lines, size) => {
        const whole = textOf(lines);
        const outcome = await validateText(whole, options);
        expect(unread(outcome), whole).toEqual([]);
        const messages = lines.filter(({ kind }) => kind === 'message');
        expect(outcome.counts.messages, whole).toBe(messages.length);
        const skipped = outcome.skipped.reduce((sum, { count }) => sum + count, 0);
        expect(skipped, whole).toBe(lines.length - messages.length);
        const bytes = Buffer.from(whole);
        const pieces = Array.from({ length: Math.ceil(bytes.length / (size + 1)) }, (_, index) =>
          bytes.subarray(index * (size + 1), (index + 1) * (size + 1)),
        );
        expect(await validatePieces(pieces, options)).toEqual(outcome);
      }),
      { numRuns: sized(3000) },
    );
  });

  it.each(['{"level":30}', '{"a": [1]} main:'])(
    'may begin its texts with the object %s',
    async (begin) => {
      const outcome = await validateText(
        `${begin} ready\n${message(1)}\n${begin} ready\n`,
        options,
      );
      expect(unread(outcome)).toEqual([]);
      expect(outcome.skipped.map(({ count }) => count)).toEqual([2]);
    },
  );

  it('has a finding for each message that was cut off', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(lineOf(fc.constantFrom<Line['kind']>('message', 'cut', 'text')), {
          minLength: 1,
          maxLength: 6,
        }),
        async (lines) => {
          const found = unread(await validateText(textOf(lines), options));
          const cut = lines.flatMap(({ kind }, index) => (kind === 'cut' ? [index + 1] : []));
          expect(found, textOf(lines)).toEqual(cut.map((line) => `${line} not-json`));
        },
      ),
      { numRuns: sized(2000) },
    );
  });
});
