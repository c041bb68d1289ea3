import { describe, expect, it } from 'vitest';
import { JsonDocument } from '../../cli/main.js';
import { plain, table } from '../../cli/client/text.js';
import { openTerminal } from './terminal.js';

/** Controls, and characters that are invisible or change the direction of text. */
const INVISIBLE = [
  ...[0x00, 0x07, 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x61c, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e],
  ...[0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0xfeff, 0xe0041],
].map((code) => [code.toString(16), String.fromCodePoint(code)] as const);

describe.each(INVISIBLE)('U+%s', (code, character) => {
  it('is escaped in text', () => {
    expect(plain(`a${character}b`)).toBe(`a\\u{${code}}b`);
  });

  it('is escaped in JSON, which still means the same', () => {
    const { io, output } = openTerminal({ person: false });
    new JsonDocument(io.out).end({ said: character });
    expect(output()).not.toContain(character);
    expect(JSON.parse(output())).toMatchObject({ said: character });
  });
});

it('keeps letters of every script, line ends and tabs', () => {
  const text = 'Zoë\tŽ\n日本語 العربية हिन्दी 🎉';
  expect(plain(text)).toBe(text);
});

describe('a table', () => {
  const WORDS =
    'Finds the rooms that are free at a time and books one of them for as long as you say. '
      .repeat(8)
      .trim();
  const ROWS = [
    ['book', 'room [seats] [from] [until] [equipment]', WORDS],
    ['https://rooms.example/a/name/that/is/longer/than/its/share', '', 'Short.'],
  ];

  it('is written whole to a file', () => {
    const text = table(ROWS, { out: { canRedraw: false, width: 80 } });
    expect(text.split('\n')).toHaveLength(3);
    for (const cell of ROWS.flat()) expect(text).toContain(cell);
  });

  it.each([80, 100, 120, 200])(
    'has every word on a terminal of %i columns, none of them cut',
    (width) => {
      const text = table(ROWS, { out: { canRedraw: true, width } });
      const sorted = (words: string): string[] => words.split(/\s+/).filter(Boolean).toSorted();
      expect(sorted(text)).toEqual(sorted(ROWS.flat().join(' ')));
      if (width < 100) return; // The name and half of the arguments are wider.
      for (const each of text.split('\n')) expect(each.length).toBeLessThanOrEqual(width);
    },
  );

  it('does not pad rows to a cell of any length', () => {
    const rows = Array.from({ length: 1_000 }, () => ['name', 'text']);
    const text = table([['x'.repeat(1_000_000), 'text'], ...rows], {
      out: { canRedraw: false, width: 80 },
    });
    expect(text.length).toBeLessThan(1_200_000);
  });
});
