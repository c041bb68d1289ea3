import type { Part, Program } from './part.js';

/** Why a pattern cannot be matched in time that is linear in the text. A clause, to follow "because". */
export class Unmatchable extends Error {}

/** No automaton finds what a group has matched before. */
export class BackReference extends Unmatchable {}

/** The most look-arounds; each needs a bit for every character of the text. */
const LOOKS = 16;

/** The most states, after repetitions with a count are written out. */
const STATES = 5000;

/**
 * The parts of a pattern that the flag `u` accepts. Of another pattern it may read anything, or not end.
 *
 * @throws {Unmatchable}
 * @throws {RangeError} for groups that nest too deeply
 */
export function parse(source: string): Program {
  const reader = new Reader(source);
  const part = reader.alternatives();
  return { sets: [...reader.sets.keys()], part };
}

/** @throws {Unmatchable} for more than `pattern.ts` of the support modules can follow at the same time. */
export function assertBounded(part: Part): void {
  if (lookArounds(part) > LOOKS) throw new Unmatchable(`it has more than ${LOOKS} look-arounds`);
  if (size(part) > STATES) {
    throw new Unmatchable(`it has more than ${STATES} parts with its repetitions written out`);
  }
}

/** A character, a set or an assertion of one token. Two escaped surrogates are one character. */
const ATOM =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|[1-9]\d*|.)|[^\\]/suy;

const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/uy;

const GROUP = /\((?:\?(?:<?[=!]|<[^>]*>|[^:)]*:)?)?/uy;

const ASSERTIONS: Readonly<Record<string, Part>> = { '^': '^', $: '$', '\\b': 'b', '\\B': 'B' };

class Reader {
  /** The sources of sets, with their indices. */
  readonly sets = new Map<string, number>();
  #at = 0;

  constructor(private readonly source: string) {}

  /** Up to the end of the group or of the source. */
  alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.source[this.#at] === '|') {
      this.#at++;
      parts.push(this.#sequence());
    }
    return parts.length === 1 ? (parts[0] ?? []) : { or: parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.source.length && !/[|)]/.test(this.source[this.#at] ?? '')) {
      parts.push(this.#repeated(this.#one()));
    }
    return parts.length === 1 ? (parts[0] ?? []) : parts;
  }

  #one(): Part {
    if (this.source[this.#at] === '(') return this.#group();
    const atom = this.source[this.#at] === '[' ? this.#class() : (this.#next(ATOM)?.[0] ?? '');
    if (/^\\[k1-9]/.test(atom)) throw new BackReference('it has a back-reference');
    const index = this.sets.get(atom) ?? this.sets.size;
    const assertion = ASSERTIONS[atom];
    if (assertion === undefined) this.sets.set(atom, index);
    return assertion ?? index;
  }

  #class(): string {
    const start = this.#at;
    while (this.source[this.#at] !== ']') this.#at += this.source[this.#at] === '\\' ? 2 : 1;
    this.#at++;
    return this.source.slice(start, this.#at);
  }

  #group(): Part {
    const opening = this.#next(GROUP)?.[0] ?? '';
    if (/^\(\?(?:$|[^:<=!])/.test(opening)) throw new Unmatchable('it has modifiers');
    const inner = this.alternatives();
    this.#at++;
    if (opening === '(?:') return inner;
    const not = opening.endsWith('!') && ({ not: true } as const);
    if (/^\(\?<[=!]/.test(opening)) return { behind: inner, ...not };
    if (/^\(\?[=!]/.test(opening)) return { ahead: inner, ...not };
    // A list, because `isNative` tells it from a single set: engines note where each turn matched.
    return [inner];
  }

  #repeated(part: Part): Part {
    const match = this.#next(QUANTIFIER);
    if (match === null) return part;
    const [text, least, comma, most] = match;
    if (least === undefined) {
      return { part, min: text.startsWith('+') ? 1 : 0, ...(text.startsWith('?') && { max: 1 }) };
    }
    const max = comma === '' ? Number(least) : most === '' ? Infinity : Number(most);
    return { part, min: Number(least), ...(max !== Infinity && { max }) };
  }

  /** Reads what the expression, which is sticky, matches here. */
  #next(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.source);
    this.#at += match?.[0].length ?? 0;
    return match;
  }
}

/** How many look-arounds a part has. */
export function lookArounds(part: Part): number {
  if (typeof part !== 'object') return 0;
  if ('ahead' in part) return 1 + lookArounds(part.ahead);
  if ('behind' in part) return 1 + lookArounds(part.behind);
  if ('part' in part) return lookArounds(part.part);
  return total('or' in part ? part.or : part, lookArounds);
}

/** The number of states of the part, as `pattern.ts` of the support modules makes them. */
export function size(part: Part): number {
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
