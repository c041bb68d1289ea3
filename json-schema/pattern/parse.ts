import { RegExpParser } from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';
import type { Part, Program } from './part.js';

/** Why a pattern cannot be matched in time that is linear in the text. A clause, to follow "because". */
export class Unmatchable extends Error {}

/** The most look-arounds; each needs a bit for every character of the text. */
const LOOKS = 16;

/** The most states, after repetitions with a count are written out. */
const STATES = 5000;

/**
 * The parts of a pattern that the flag `u` accepts.
 *
 * @throws {Unmatchable}
 */
export function parse(source: string): Program {
  const sets = new Map<string, number>();
  const { alternatives } = new RegExpParser({ ecmaVersion: 2024 }).parsePattern(
    source,
    undefined,
    undefined,
    { unicode: true },
  );
  const part = anyOf(alternatives, (raw) => {
    const index = sets.get(raw) ?? sets.size;
    sets.set(raw, index);
    return index;
  });
  return { sets: [...sets.keys()], part };
}

/** @throws {Unmatchable} for more than `pattern.ts` of the support modules can follow at the same time. */
export function assertBounded(part: Part): void {
  if (lookArounds(part) > LOOKS) throw new Unmatchable(`it has more than ${LOOKS} look-arounds`);
  if (size(part) > STATES) {
    throw new Unmatchable(`it has more than ${STATES} parts with its repetitions written out`);
  }
}

type SetOf = (raw: string) => number;

function anyOf(alternatives: readonly AST.Alternative[], setOf: SetOf): Part {
  const parts = alternatives.map(({ elements }) => sequence(elements, setOf));
  return parts.length === 1 ? (parts[0] ?? []) : { or: parts };
}

function sequence(elements: readonly AST.Element[], setOf: SetOf): Part {
  const parts = elements.map((each) => partOf(each, setOf));
  return parts.length === 1 ? (parts[0] ?? []) : parts;
}

function partOf(element: AST.Element, setOf: SetOf): Part {
  switch (element.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return setOf(element.raw);
    case 'Group':
      return anyOf(element.alternatives, setOf);
    case 'CapturingGroup':
      // A list, because `isNative` tells it from a single set: engines note where each turn matched.
      return [anyOf(element.alternatives, setOf)];
    case 'Quantifier': {
      const { min, max } = element;
      const part = partOf(element.element, setOf);
      return { part, min, ...(max !== Infinity && { max }) };
    }
    case 'Assertion':
      return assertion(element, setOf);
    case 'Backreference':
      throw new Unmatchable('it has a back-reference');
  }
}

function assertion(element: AST.Assertion, setOf: SetOf): Part {
  switch (element.kind) {
    case 'start':
      return '^';
    case 'end':
      return '$';
    case 'word':
      return element.negate ? 'B' : 'b';
    case 'lookahead':
      return { ahead: anyOf(element.alternatives, setOf), ...(element.negate && { not: true }) };
    case 'lookbehind':
      return { behind: anyOf(element.alternatives, setOf), ...(element.negate && { not: true }) };
  }
}

function lookArounds(part: Part): number {
  if (typeof part !== 'object') return 0;
  if ('ahead' in part) return 1 + lookArounds(part.ahead);
  if ('behind' in part) return 1 + lookArounds(part.behind);
  if ('part' in part) return lookArounds(part.part);
  return total('or' in part ? part.or : part, lookArounds);
}

/** The number of states of the part, as `pattern.ts` of the support modules makes them. */
function size(part: Part): number {
  if (typeof part !== 'object') return 1;
  if ('ahead' in part) return 1 + size(part.ahead);
  if ('behind' in part) return 1 + size(part.behind);
  if ('or' in part) return part.or.length + total(part.or, size);
  if (!('part' in part)) return total(part, size);
  const { min, max } = part;
  return (max === undefined ? min + 1 : max) * (1 + size(part.part));
}

const total = (parts: readonly Part[], of: (part: Part) => number): number =>
  parts.reduce<number>((sum, each) => sum + of(each), 0);
