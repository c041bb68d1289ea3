import { RegExpParser } from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';
import type { Random } from '../read/variants.js';

/** Repetitions of one part beyond the fewest. */
const MORE = 2;
/** Repetitions of one part at most. */
const MOST = 100;
/** For classes that are told by what they leave out. */
const USUAL = [...'aZ09_-. /:~é', '\t', '😀'];

/**
 * A text that a regular expression should accept: assertions and back-references are left to chance. fast-check does the
 * same, and takes minutes for some negated classes.
 */
export function matching(pattern: string, random: Random): string {
  const tree = parsed(pattern);
  return tree === undefined ? 'text' : ofAlternatives(tree.alternatives, random);
}

function parsed(pattern: string): AST.Pattern | undefined {
  for (const unicode of [true, false]) {
    try {
      return new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode });
    } catch {
      // Some patterns have a meaning only without the flag.
    }
  }
  return undefined;
}

function ofAlternatives(alternatives: readonly AST.Alternative[], random: Random): string {
  const { elements = [] } = alternatives[random(alternatives.length)] ?? {};
  return elements.map((element) => ofElement(element, random)).join('');
}

function ofElement(element: AST.Element, random: Random): string {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return ofAlternatives(element.alternatives, random);
    case 'Quantifier': {
      const { min, max } = element;
      const count = Math.min(min + random(MORE + 1), max, MOST);
      return Array.from({ length: count }, () => ofElement(element.element, random)).join('');
    }
    case 'Character':
      return String.fromCodePoint(element.value);
    case 'CharacterSet':
      return oneIn(element.raw, random);
    case 'CharacterClass':
      return ofClass(element, random);
    default:
      return '';
  }
}

function ofClass({ negate, elements, raw }: AST.CharacterClass, random: Random): string {
  const element = elements[random(elements.length)];
  if (negate || element === undefined) return oneIn(raw, random);
  if (element.type === 'Character') return String.fromCodePoint(element.value);
  if (element.type !== 'CharacterClassRange') return oneIn(element.raw, random);
  const { min, max } = element;
  return String.fromCodePoint(min.value + random(max.value - min.value + 1));
}

/** A character of a class. */
function oneIn(set: string, random: Random): string {
  const fitting = USUAL.filter((each) => accepts(set, each));
  return fitting[random(fitting.length)] ?? 'a';
}

/** Whether a class of one character accepts it. */
function accepts(set: string, character: string): boolean {
  try {
    return new RegExp(`^${set}$`, 'u').test(character);
  } catch {
    return new RegExp(`^${set}$`).test(character);
  }
}
