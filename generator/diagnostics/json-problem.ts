import { quote } from './diagnostic.js';

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

/** With the line and column, which Node 22 adds itself. */
function reasonOf(message: string, text: string): string {
  const [place, offset] =
    /(?<= at position (\d+))(?: \(line \d+ column \d+\))?$/.exec(message) ?? [];
  if (offset === undefined) return quote(message);
  const before = text.slice(0, Number(offset)).split('\n');
  const [line, column] = [before.length, (before.at(-1) ?? '').length + 1];
  const said = message.slice(0, message.length - (place ?? '').length);
  return `${quote(said)} (line ${String(line)}, column ${String(column)})`;
}
