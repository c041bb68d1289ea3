import { bytesOf, textIn } from './bytes.js';
import { senderFromPrefix } from './direction.js';
import type { Party } from './direction.js';
import type { RecordedWith } from './exchange.js';
import { piecesIn } from './pieces.js';
import { CONTAINERS } from './scanner.js';

/** Why a text is no message, as `docs/validating.md` lists it. */
export type Skipped = 'text' | 'no-envelope' | 'beside' | 'body';

/** A part of a line: a message, a text that was meant to be one, or something else. */
export type Part =
  | {
      readonly value: unknown;
      readonly from: Party | undefined;
      readonly record?: RecordedWith | undefined;
    }
  | { readonly code: 'not-json' | 'too-large'; readonly problem: string }
  | { readonly skipped: Skipped };

/** The longest prefix of a line that may contain a time, in characters. */
const PREFIX = 80;

/**
 * What begins, ends or continues JSON: an object up to its first key or without an end, in arrays or not. Other lines are text, also those that
 * begin with a bracket or a brace, such as `[526630] ready` or `{main} ready`.
 */
const LIKE_JSON = /^(?:[}\]",]|[[\s]*(?:$|\{(?:[^}]*$|\s*"(?:[^"\\]|\\.)*(?:\\?$|"\s*(?:$|:)))))/;

/** How much of a value shows whether it is like JSON, in bytes. A longer key counts as one that is cut off. */
const BEGINNING = 200;

/** What may stand between two values that are not in a list. U+001E is the separator of RFC 7464. */
// eslint-disable-next-line no-control-regex -- as above
const SEPARATORS = /^[\s,\u001e\u0085]*$/;

/** A line, trimmed: one message or several, with text before, between and after them, as logs have it. */
export function partsOf(line: string): readonly Part[] {
  // Logs are text: this is a damaged file, or no recording at all.
  if (line.includes('\0')) return [broken('it contains zero bytes')];
  if (!line.includes('{')) return [wordOf(line)];
  return single(line) ?? several(line);
}

/** A line that is one value, perhaps after a prefix; `undefined` for another. Most lines are such. */
function single(line: string): readonly Part[] | undefined {
  if (LIKE_JSON.test(line)) {
    const value = parse(line);
    if (value !== undefined || line.startsWith('{'))
      return value && [{ ...value, from: undefined }];
  }
  const opening = line.indexOf('{');
  const start = /\[\s*$/.exec(line.slice(0, opening))?.index ?? opening;
  const value = parse(line.slice(start));
  if (!value) return undefined;
  const prefix = line.slice(0, start);
  const from = senderIn(prefix);
  const isMessage = from !== undefined || line.includes('"jsonrpc"');
  return [isMessage ? { ...value, from, record: recordOf(prefix) } : { skipped: 'no-envelope' }];
}

/** A line with several objects, or with text after one. */
function several(line: string): readonly Part[] {
  const bytes = bytesOf(line);
  const pieces = piecesIn(bytes);
  const ends = [0, ...pieces.map(({ end }) => end)];
  const gaps = ends.map((end, index) => textIn(bytes, end, pieces[index]?.start));
  const onlyValues = gaps.every((gap) => SEPARATORS.test(gap));
  let adjoins = true;
  /** One for the line, because it may have thousands of brackets. */
  let problem: Part | undefined;
  const parts = pieces.flatMap((piece, index): Part[] => {
    const gap = gaps[index] ?? '';
    const text = textIn(bytes, piece.start, piece.end);
    const from = senderIn(gap);
    adjoins &&= SEPARATORS.test(gap);
    const isMeant = from !== undefined || onlyValues || text.includes('"jsonrpc"');
    if (piece.containers > CONTAINERS) return [TOO_MANY];
    if (piece.state !== 'whole') {
      // From its beginning: it may be broken behind its first brace.
      const isLike = LIKE_JSON.test(textIn(bytes, piece.start, piece.start + BEGINNING));
      const isBroken = text.includes('"jsonrpc"') || (isLike && (isMeant || adjoins));
      if (isBroken) problem ??= problemOf(text);
      return [];
    }
    return [isMeant ? valueOf(text, from, gaps[0] ?? '') : { skipped: 'beside' }];
  });
  if (gaps.some((gap) => gap.includes('"jsonrpc"'))) {
    problem ??= broken('a message has no beginning');
  }
  if (problem) parts.push(problem);
  if (parts.some((part) => !('skipped' in part))) return parts;
  if (parts.length === 0 && LIKE_JSON.test(line)) return [problemOf(line)];
  return [{ skipped: parts.length > 0 ? 'no-envelope' : 'text' }];
}

function valueOf(text: string, from: Party | undefined, prefix: string): Part {
  const value = parse(text);
  return value ? { ...value, from, record: recordOf(prefix) } : problemOf(text);
}

export const TOO_MANY = {
  code: 'too-large',
  problem: 'it holds too many objects and arrays',
} as const;

/** A line without objects: a number, a word or another value of JSON. All other words are text. */
function wordOf(line: string): Part {
  const value = parse(line);
  if (value) return { ...value, from: undefined };
  return LIKE_JSON.test(line) ? problemOf(line) : { skipped: 'text' };
}

function senderIn(prefix: string): Party | undefined {
  return /^data: *$/.test(prefix) ? 'server' : senderFromPrefix(prefix);
}

function recordOf(prefix: string): RecordedWith | undefined {
  return prefix === '' ? undefined : { time: prefix.slice(0, PREFIX) };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function problemOf(text: string): Part {
  try {
    JSON.parse(text);
  } catch (error) {
    return broken(error instanceof Error ? error.message : String(error));
  }
  return broken('its numbers or words are not JSON');
}

function broken(problem: string): Part {
  return { code: 'not-json', problem };
}
