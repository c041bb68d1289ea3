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
  const reason = quote(message) + placeIn(text, message);
  // In two steps, because a repetition of alternatives overflows the stack in a long string.
  const withoutStrings = text.replaceAll(/\\./g, '').replaceAll(/"[^"\n]*"/g, '""');
  if (/\/[/*]|,\s*[}\]]/.test(withoutStrings)) {
    return { reason, help: 'Remove comments, and commas before "}" and "]": JSON has neither.' };
  }
  return { reason, help: 'Is it complete, and JSON instead of TypeScript or YAML?' };
}

/** The line and column of an error whose message contains an offset; Node 22 adds them itself. */
function placeIn(text: string, message: string): string {
  const [, offset] = /at position (\d+)$/.exec(message) ?? [];
  if (offset === undefined) return '';
  const before = text.slice(0, Number(offset)).split('\n');
  return ` (line ${String(before.length)}, column ${String((before.at(-1) ?? '').length + 1)})`;
}
