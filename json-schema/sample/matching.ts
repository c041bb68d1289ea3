import { RegExpParser } from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';
import { isRefusal, readPattern } from '../pattern/index.js';

/** Repetitions of one part at most. */
const MOST_REPEATED = 200;
/** Characters of a sample at most. */
const LONGEST = 5_000;
const WAYS = 4;
/** For classes that are described by what they leave out. */
const USUAL = [...'aZ09_-. /:@é', '\t'];

/**
 * Texts that a regular expression probably accepts: assertions and back-references are left to chance. Each way takes other
 * alternatives, characters and counts. `counts` are repetitions to try.
 */
export function textsMatching(pattern: string, counts: readonly number[]): string[] {
  const read = readPattern(pattern);
  if (isRefusal(read)) return [];
  const tree = new RegExpParser().parsePattern(read.source, 0, read.source.length, {
    unicode: true,
  });
  const ways = Array.from({ length: WAYS }, (_, way) => way);
  const repeated = [undefined, 0, 1, 2, ...counts];
  return ways.flatMap((way) =>
    repeated.map((count) => new Writer(way, count).alternatives(tree.alternatives)),
  );
}

/** Writes one text. */
class Writer {
  #left = LONGEST;

  constructor(
    private readonly way: number,
    /** Repetitions beyond the fewest; by the way when undefined. */
    private readonly count: number | undefined,
  ) {}

  alternatives(all: readonly AST.Alternative[]): string {
    return (pick(all, this.way)?.elements ?? []).map((each) => this.#element(each)).join('');
  }

  #element(element: AST.Element): string {
    if (this.#left <= 0) return '';
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.alternatives(element.alternatives);
      case 'Quantifier':
        return this.#repeated(element);
      case 'Character':
        return this.#written(String.fromCodePoint(element.value));
      case 'CharacterSet':
        return this.#written(oneIn(element.raw, this.way));
      case 'CharacterClass':
        return this.#written(this.#ofClass(element));
      default:
        return '';
    }
  }

  #repeated({ min, max, element }: AST.Quantifier): string {
    const wanted = this.count ?? min + this.way;
    const count = Math.min(Math.max(wanted, min), max, MOST_REPEATED);
    let text = '';
    for (let index = 0; index < count && this.#left > 0; index += 1) text += this.#element(element);
    return text;
  }

  #written(character: string): string {
    this.#left -= 1;
    return character;
  }

  #ofClass({ negate, elements, raw }: AST.CharacterClass): string {
    const element = pick(elements, this.way);
    if (negate || element === undefined) return oneIn(raw, this.way);
    if (element.type === 'Character') return String.fromCodePoint(element.value);
    if (element.type !== 'CharacterClassRange') return oneIn(element.raw, this.way);
    const { min, max } = element;
    return String.fromCodePoint(Math.min(min.value + this.way, max.value));
  }
}

function pick<T>(all: readonly T[], way: number): T | undefined {
  return all[way % Math.max(all.length, 1)];
}

/** A character of a class. */
function oneIn(set: string, way: number): string {
  return (
    pick(
      USUAL.filter((each) => isIn(set, each)),
      way,
    ) ?? 'a'
  );
}

function isIn(set: string, character: string): boolean {
  try {
    return new RegExp(`^${set}$`, 'u').test(character);
  } catch {
    return false;
  }
}
