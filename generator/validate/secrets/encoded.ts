import { textInBase64 } from '../bytes.js';

/** How a text can stand in another text: runs of characters, and what they say. Each run is found in linear time. */
interface Encoding {
  readonly runs: RegExp;
  readonly decode: (run: string) => string;
}

/** Longer runs are bytes rather than texts. */
const LONGEST = 512_000;

const ENCODINGS: readonly Encoding[] = [
  // Lines as in mails and certificates.
  { runs: /(?:[\w+/-]{60,80}\r?\n)+[\w+/-]{1,80}={0,2}/g, decode: textInBase64 },
  { runs: /[\w+/-]{16,}={0,2}/g, decode: textInBase64 },
  // In a path, a slash ends it.
  { runs: /[\w-]{16,}={0,2}/g, decode: textInBase64 },
  { runs: /\b[\da-fA-F]{16,}\b/g, decode: (run) => decodeURIComponent(run.replace(/../g, '%$&')) },
  { runs: /[\w.~!*'()+%-]{12,}/g, decode: (run) => decodeURIComponent(withoutMarks(run)) },
];

const MARKS: ReadonlySet<string | undefined> = new Set("!'().");

/** Without the marks around it, by which a sentence goes on or ends. */
function withoutMarks(run: string): string {
  if (!run.includes('%')) return run;
  let [start, end] = [0, run.length];
  while (start < end && MARKS.has(run[start])) start += 1;
  while (start < end && MARKS.has(run[end - 1])) end -= 1;
  return run.slice(start, end);
}

/** The text of a run; undefined when it stands for bytes, as most words and numbers do. */
function textOf(run: string, { decode }: Encoding): string | undefined {
  if (run.length > LONGEST) return undefined;
  try {
    const text = decode(run);
    return text === run || /[^\P{C}\r\n\t]|\ufffd/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Masks the parts of a text that are another text with secrets: in base64, in hexadecimal, or as in a URL. */
export function maskEncoded(
  text: string,
  hasSecret: (decoded: string) => boolean,
  mark: (run: string) => string,
): string {
  return ENCODINGS.reduce(
    (rest, encoding) =>
      rest.replace(encoding.runs, (run) => {
        const decoded = textOf(run, encoding);
        return decoded !== undefined && hasSecret(decoded) ? mark(run) : run;
      }),
    text,
  );
}
