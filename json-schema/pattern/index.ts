import { remembered } from '../text.js';
import { modern } from './legacy.js';
import { isNative } from './native.js';
import { assertBounded, BackReference, lookArounds, parse, Unmatchable } from './parse.js';
import type { Program } from './part.js';

export type { Part, Program } from './part.js';

/** A regular expression of a schema. */
export interface Pattern {
  /** With the same meaning, in the grammar of the flag `u`. */
  readonly source: string;
  /** Given when JavaScript's own matching may take longer than linear in the text. */
  readonly program?: Program;
  /** Letters that were escaped without a meaning: `\Z` ends the text in other languages, and is a Z here. */
  readonly letters?: readonly string[];
}

/** Why a pattern cannot be used. */
export interface PatternRefusal {
  readonly kind: 'invalid' | 'unmatchable';
  /** A clause, to follow "because". */
  readonly reason: string;
}

/** Reads a pattern as strangers write it. */
export const readPattern = remembered((text): Pattern | PatternRefusal => {
  const source = inGrammar(text);
  if (source === undefined) return { kind: 'invalid', reason: 'it is not a regular expression' };
  const letters = source === text ? [] : meaninglessEscapes(text);
  const pattern = { source, ...(letters.length > 0 && { letters }) };
  try {
    const program = parse(source);
    if (isNative(program) && canRun(source)) return pattern;
    assertBounded(program.part);
    return { ...pattern, program };
  } catch (error) {
    if (error instanceof Unmatchable) return { kind: 'unmatchable', reason: error.message };
    if (error instanceof RangeError) return { kind: 'unmatchable', reason: 'it nests too deeply' };
    throw error;
  }
});

export function isRefusal(pattern: Pattern | PatternRefusal): pattern is PatternRefusal {
  return 'reason' in pattern;
}

function meaninglessEscapes(text: string): string[] {
  const escaped = [...text.matchAll(/\\(.)/gsu)].map(([, character = '']) => character);
  return [...new Set(escaped)].filter((each) => /[A-Za-z]/.test(each) && !MEANINGFUL.test(each));
}

const MEANINGFUL = /[bBdDsSwWfnrtvuxcpPk]/;

/** Engines refuse a pattern that is too large when it is first used. */
function canRun(source: string): boolean {
  try {
    new RegExp(source, 'u').test('');
    return true;
  } catch {
    return false;
  }
}

/** Whether engines without look-arounds and back-references, such as RE2, miss something in a regular expression. */
export function isBeyondRe2(text: string): boolean {
  const source = inGrammar(text);
  if (source === undefined) return false;
  try {
    return lookArounds(parse(source).part) > 0;
  } catch (error) {
    return error instanceof BackReference;
  }
}

/** Whether a text is a regular expression of ECMAScript, with the flag `u` or without. */
export function isPattern(text: string): boolean {
  const pattern = readPattern(text);
  return !isRefusal(pattern) || pattern.kind !== 'invalid';
}

function inGrammar(text: string): string | undefined {
  if (isValid(text)) return text;
  const rewritten = modern(text);
  return isValid(rewritten) ? rewritten : undefined;
}

function isValid(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}
