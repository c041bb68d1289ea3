import { describe, expect, it } from 'vitest';
import { JsonDocument } from '../../generator/cli/document.js';
import { plain } from '../../generator/client/text.js';
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
