/** Why a text is not JSON, and what to do about it. */
export interface JsonProblem {
  /** Without the full stop. */
  readonly reason: string;
  readonly help: string;
}

/** What a text that is not JSON most likely is; the error is the one of `JSON.parse`. */
export function jsonProblem(text: string, error: unknown): JsonProblem {
  if (text.trim() === '') return { reason: 'it is empty', help: 'Was it saved or copied whole?' };
  if (/^\s*</.test(text)) {
    return {
      reason: 'it is a page or XML',
      help: 'Give the address of the file itself, not of a page that shows it.',
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  const reason = reasonOf(message, text);
  // In two steps, because a repetition of alternatives overflows the stack in a long string.
  const withoutStrings = text.replaceAll(/\\./g, '').replaceAll(/"[^"\n]*"/g, '""');
  if (/\/[/*]|,\s*[}\]]/.test(withoutStrings)) {
    return { reason, help: 'Remove comments, and commas before "}" and "]": JSON has neither.' };
  }
  return { reason, help: 'Is it complete, and JSON instead of TypeScript or YAML?' };
}

/**
 * With the line and column, and without the excerpt that the message may contain: the text may be any file of the user, in a
 * log that others read.
 */
function reasonOf(message: string, text: string): string {
  const [, said = message, place] =
    /^(.*?)(?: in JSON)?(?: at position (\d+).*|, ?(?:"|\.\.\.).*|$)/s.exec(message) ?? [];
  const isToken = /is not valid JSON$/.test(message);
  const offset = place === undefined && isToken ? firstRefused(text) : Number(place ?? text.length);
  const before = text.slice(0, offset).split('\n');
  const [line, column] = [before.length, (before.at(-1) ?? '').length + 1];
  const what = isToken
    ? 'unexpected character'
    : said.replace(/^./, (first) => first.toLowerCase());
  return `${what} (line ${String(line)}, column ${String(column)})`;
}

/** Where the parser refuses a character: every shorter text only ends too early. */
function firstRefused(text: string): number {
  let [least, most] = [0, text.length];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (isRefused(text.slice(0, middle + 1))) most = middle;
    else least = middle + 1;
  }
  return least;
}

function isRefused(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return / is not valid JSON$/.test((error as Error).message);
  }
}
