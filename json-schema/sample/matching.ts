import { isRefusal, readPattern } from '../pattern/index.js';
import { parse } from '../pattern/parse.js';
import type { Part } from '../pattern/part.js';

/** Repetitions of one part at most. */
const MOST_REPEATED = 200;
/** Characters of a sample at most. */
const LONGEST = 5_000;
const WAYS = 4;
/** For sets that are described by what they leave out. */
const USUAL = [
  ...'aZ09_-. /:@é\t',
  ...Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)),
];

/**
 * Texts that a regular expression probably accepts: assertions are left to chance. Each way takes other
 * alternatives, characters and counts. `counts` are repetitions to try.
 */
export function textsMatching(pattern: string, counts: readonly number[]): string[] {
  const read = readPattern(pattern);
  if (isRefusal(read)) return [];
  const { sets, part } = read.program ?? parse(read.source);
  const characters = sets.map(charactersIn);
  const ways = Array.from({ length: WAYS }, (_, way) => way);
  const repeated = [undefined, 0, 1, 2, ...counts];
  return ways.flatMap((way) =>
    repeated.map((count) => new Writer(characters, way, count).text(part)),
  );
}

/** Writes one text. */
class Writer {
  #left = LONGEST;

  constructor(
    /** Some of each set. */
    private readonly characters: readonly (readonly string[])[],
    private readonly way: number,
    /** Repetitions beyond the fewest; by the way when undefined. */
    private readonly count: number | undefined,
  ) {}

  text(part: Part): string {
    if (this.#left <= 0 || typeof part === 'string') return '';
    if (typeof part === 'number') {
      this.#left -= 1;
      return pick(this.characters[part] ?? [], this.way) ?? 'a';
    }
    if ('ahead' in part || 'behind' in part) return '';
    if ('or' in part) return this.text(pick(part.or, this.way) ?? []);
    if (!('part' in part)) return part.map((each) => this.text(each)).join('');
    const { min, max = Infinity } = part;
    const count = Math.min(Math.max(this.count ?? min + this.way, min), max, MOST_REPEATED);
    let text = '';
    for (let turn = 0; turn < count && this.#left > 0; turn++) text += this.text(part.part);
    return text;
  }
}

function pick<T>(all: readonly T[], way: number): T | undefined {
  return all[way % Math.max(all.length, 1)];
}

/** Some characters of a set: those that its source has, and usual ones. */
function charactersIn(set: string): string[] {
  const expression = new RegExp(`^${set}$`, 'u');
  const own = set.slice(0, LONGEST).replace(CODE, (_, ...codes: (string | undefined)[]) => {
    const code = codes.find((each) => each !== undefined) ?? '';
    return String.fromCodePoint(Number.parseInt(code, 16));
  });
  const all = /^\[[^^]/.test(set) ? [...own, ...USUAL] : [...USUAL, ...own];
  return [...new Set(all)].filter((each) => expression.test(each)).slice(0, WAYS);
}

/** An escape with the number of a character. */
const CODE = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2}))/giu;
