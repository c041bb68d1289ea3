import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../generator/diagnostics/lines.js';
import { wordDiff } from '../../contracts/lock/words.js';

describe('the lines of a JSON text', () => {
  it('are those of each value, in whatever layout', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(0, 1, 2), (value, indent) => {
        const text = JSON.stringify({ a: [value, 1], '~/"': 'mark' }, null, indent);
        const line = linesOf(text)('/~0~1"');
        expect(text.split('\n')[line - 1]).toContain('"mark"');
      }),
    );
  });

  it('are that of the nearest place around a missing one', () => {
    const text = JSON.stringify({ a: { b: [1, 2] } }, null, 2);
    const lineOf = linesOf(text);
    expect(['/a/b/1', '/a/b/9', '/a/x/y', '/z', ''].map(lineOf)).toEqual([5, 3, 2, 1, 1]);
  });
});

describe('the difference of two texts', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ' ', '\n', 'word'), { maxLength: 12 })
    .map((all) => all.join(''));

  it('has both texts in it', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const pieces = wordDiff(before, after);
        const without = (kind: 'gone' | 'new'): string =>
          pieces
            .filter((piece) => piece.kind !== kind)
            .map((piece) => piece.text)
            .join('');
        expect([without('new'), without('gone')]).toEqual([before, after]);
        if (before === after) expect(pieces.every(({ kind }) => kind === 'same')).toBe(true);
      }),
    );
  });

  it('of two long texts ends', () => {
    const long = (word: string): string =>
      Array.from({ length: 30_000 }, (_, at) => `${word}${String(at)}`).join(' ');
    expect(wordDiff(long('a'), long('b')).some(({ kind }) => kind === 'gone')).toBe(true);
  });
});
