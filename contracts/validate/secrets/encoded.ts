import { textInBase64 } from '../bytes.js';

/** How a text can stand in another text: a run of characters, and what it says. */
interface Encoding {
  /** 1 for each ASCII character of a run. */
  readonly characters: Uint8Array;
  /** Characters of a shorter run say too little. */
  readonly fewest: number;
  /** Undefined, or an error, for a run that says nothing. */
  readonly decode: (run: string) => string | undefined;
}

const encoding = (characters: RegExp, fewest: number, decode: Encoding['decode']): Encoding => ({
  characters: Uint8Array.from({ length: 128 }, (_, code) =>
    Number(characters.test(String.fromCharCode(code))),
  ),
  fewest,
  decode,
});

const ENCODINGS: readonly Encoding[] = [
  encoding(/[\w+/\r\n-]/, 61, inLines),
  encoding(/[\w+/-]/, 16, textInBase64),
  // In a path, a slash ends it.
  encoding(/[\w-]/, 16, textInBase64),
  encoding(/[\da-fA-F]/, 16, (run) => decodeURIComponent(run.replace(/../g, '%$&'))),
  encoding(/[\w.~!*'()+%-]/, 12, inUrl),
];

/** Longer runs are bytes rather than texts. */
const LONGEST = 512_000;
/** The beginning of a run shows most bytes that are no text. A multiple of four and of two. */
const BEGINNING = 64;
/** A character may be cut at the end of a beginning. */
const CUT = 4;

/** Of any encoding. */
const ANY = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(...ENCODINGS.map(({ characters }) => characters[code] ?? 0)),
);
const FEWEST = Math.min(...ENCODINGS.map(({ fewest }) => fewest));

/** Masks the parts of a text that are another text with secrets: in base64, in hexadecimal, or as in a URL. In linear time. */
export function maskEncoded(
  text: string,
  hasSecret: (decoded: string) => boolean,
  mark: (run: string) => string,
): string {
  return withRuns(text, ANY, FEWEST, (part) => {
    const read = new Set<string>();
    return ENCODINGS.reduce(
      (rest, each) =>
        withRuns(rest, each.characters, each.fewest, (run) => {
          // A run of one encoding is often one of another.
          const decoded = run.length > LONGEST || read.has(run) ? undefined : textOf(run, each);
          if (decoded === undefined) return run;
          if (each.decode === textInBase64) read.add(run);
          return hasSecret(decoded) ? mark(run) : run;
        }),
      part,
    );
  });
}

/** Replaces the runs of some characters, with the `=` at their ends. No regular expression: one overflows at long runs. */
function withRuns(
  text: string,
  characters: Uint8Array,
  fewest: number,
  replaced: (run: string) => string,
): string {
  let masked = '';
  let copied = 0;
  let next = 0;
  while (next < text.length) {
    const start = next;
    const end = endOfRun(text, start, characters);
    next = Math.max(end, start + 1);
    if (end - start < fewest) continue;
    const run = text.slice(start, end);
    const shown = replaced(run);
    if (shown === run) continue;
    masked += text.slice(copied, start) + shown;
    copied = end;
  }
  return copied === 0 ? text : masked + text.slice(copied);
}

function endOfRun(text: string, start: number, characters: Uint8Array): number {
  let end = start;
  while (end < text.length && characters[text.charCodeAt(end)] === 1) end += 1;
  for (let left = 2; left > 0 && end > start && text[end] === '='; left -= 1) end += 1;
  return end;
}

/** The text of a run; undefined when it stands for bytes, as most words and numbers do. */
function textOf(run: string, { decode }: Encoding): string | undefined {
  try {
    if (decode === textInBase64 && run.length > BEGINNING) {
      const beginning = decode(run.slice(0, BEGINNING)) ?? '';
      if (NO_TEXT.test(beginning.slice(0, -CUT))) return undefined;
    }
    const text = decode(run);
    return text === run || text === undefined || NO_TEXT.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

const NO_TEXT = /[^\P{C}\r\n\t]|\ufffd/u;

/** Base64 in lines of one length, as in mails and certificates, behind lines that are shorter. */
function inLines(run: string): string | undefined {
  const lines = run.trim().split(/\r?\n/);
  const first = lines.findIndex(({ length }) => length >= 60);
  const [width = 0, ...others] = lines.slice(Math.max(0, first)).map(({ length }) => length);
  const isEven =
    others.length > 0 && others.every((length, at) => length === width || at === others.length - 1);
  return isEven && width >= 60 && width <= 80
    ? textInBase64(lines.slice(first).join(''))
    : undefined;
}

const MARKS: ReadonlySet<string | undefined> = new Set("!'().");

/** Without the marks around it, by which a sentence goes on or ends. */
function inUrl(run: string): string | undefined {
  if (!run.includes('%')) return undefined;
  let [start, end] = [0, run.length];
  while (start < end && MARKS.has(run[start])) start += 1;
  while (start < end && MARKS.has(run[end - 1])) end -= 1;
  return decodeURIComponent(run.slice(start, end));
}
