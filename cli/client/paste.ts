import { PassThrough } from 'node:stream';
import type { Readable, Writable } from 'node:stream';

const START = '\u001b[200~';
const END = '\u001b[201~';
/** Asks a terminal to mark what is pasted, and not to. */
const MARKED = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const;

/** A line end and a tab, as characters that a prompt of one line can show. */
const SYMBOLS = { '\n': '\u240a', '\t': '\u2409' } as const;

/** What a prompt gets of a pasted text, whose characters are bytes. */
export type Paste = (text: string) => string;

/** A terminal whose pastes end no prompt. */
export interface Typed {
  readonly input: Readable;
  readonly close: () => void;
}

/**
 * The keys of a terminal. Line ends of a text that is kept arrive as symbols, so that none sends an answer. Terminals
 * that do not mark a paste send its lines in one chunk. A chunk that is one whole line is no paste: programs that type
 * send one.
 */
export function openTyped(
  terminal: Readable & { isTTY?: boolean; setRawMode?: (mode: boolean) => unknown },
  output: Writable,
  paste: Paste,
): Typed {
  const input = Object.assign(new PassThrough(), {
    isTTY: terminal.isTTY,
    setRawMode: (mode: boolean) => void terminal.setRawMode?.(mode),
  });
  let held = '';
  const read = (chunk: Buffer | string): void => {
    // Each byte is a character, because a chunk may end inside a character.
    const text = held + Buffer.from(chunk).toString('latin1');
    const end = text.lastIndexOf(END);
    const start = text.indexOf(START, Math.max(0, end));
    const whole = start < 0 ? text : text.slice(0, start);
    held = text.slice(whole.length);
    if (whole !== '') input.write(Buffer.from(keysOf(whole, paste), 'latin1'));
  };
  output.write(MARKED.on);
  terminal.on('data', read).resume();
  return {
    input,
    close() {
      terminal.off('data', read).pause();
      output.write(MARKED.off);
    },
  };
}

/** The answer to a prompt, with the lines and tabs of what was pasted into it. */
export function withPasted(answer: string): string {
  return Object.entries(SYMBOLS).reduce(
    (text, [character, symbol]) => text.replaceAll(symbol, character),
    answer,
  );
}

function keysOf(text: string, paste: Paste): string {
  const marked = text.split(START);
  if (marked.length > 1) {
    const [before = '', ...pastes] = marked;
    const parts = pastes.map((each) => each.split(END));
    return before + parts.map(([inside = '', after = '']) => paste(inside) + after).join('');
  }
  // eslint-disable-next-line no-control-regex -- keys such as the arrows
  const written = text.replace(/\u001b\[[\d;]*[A-Za-z~]/g, '');
  return /[\r\n]/.test(written.replace(/(?:\r\n?|\n)$/, '')) && /\S/.test(written)
    ? paste(text)
    : text;
}

/** For prompts of choices, at which letters are keys. */
export const dropped: Paste = () => '';

/** For prompts of texts: without the line end after the last line, and without other characters that are keys. */
export const kept: Paste = (text) => {
  const symbol = (character: keyof typeof SYMBOLS): string =>
    Buffer.from(SYMBOLS[character]).toString('latin1');
  return (
    text
      .replace(/\r\n?/g, '\n')
      .replace(/\n$/, '')
      // eslint-disable-next-line no-control-regex -- these are keys
      .replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')
      .replace(/[\n\t]/g, (character) => symbol(character as keyof typeof SYMBOLS))
  );
};
