import { remembered } from '../text.js';
import type { Part, Program } from './part.js';

/**
 * Whether JavaScript's own matching takes time that is linear in the text, and no stack that depends on it. True
 * only for patterns in which the next character decides each choice, so that a wrong way ends at once, apart from a few
 * choices. They start at the start of the text, or match a bounded number of characters, because a search begins
 * at every position. Only a single set is repeated without a limit: engines keep a place for each turn
 * of anything longer.
 */
export function isNative({ sets, part }: Program): boolean {
  const known = sets.map(charactersOf);
  const isBounded = longest(part) <= MOST_CHARACTERS;
  return (isBounded || startsAtStart(part)) && ways(part, NOTHING, known) <= MOST_WAYS;
}

const MOST_CHARACTERS = 200;

const MOST_WAYS = 100;

/** The most turns of a repetition of more than a single set. */
const MOST_TURNS = 1000;

/** What a part may begin with: a bit for each character of ASCII, and one for all others. */
type Characters = bigint;

const NOTHING: Characters = 0n;
const ASCII = String.fromCharCode(...Array(128).keys());
const OTHERS = 1n << BigInt(ASCII.length);
/** Sets that match nothing beyond ASCII. */
const PLAIN =
  /^(?:\\[dw]|\\[^dDsSwWpPuxc]|[^\\.[]|\[(?!\^)(?:\\[dw]|\\[^dDsSwWpPuxcB]|[^\\\]])*\])$/u;

const charactersOf = remembered((source): Characters => {
  let found = PLAIN.test(source) && /^[\0-\x7f]*$/.test(source) ? NOTHING : OTHERS;
  for (const { index } of ASCII.matchAll(new RegExp(source, 'gu'))) found |= 1n << BigInt(index);
  return found;
});

function startsAtStart(part: Part): boolean {
  if (typeof part !== 'object') return part === '^';
  if ('or' in part) return part.or.every(startsAtStart);
  return Array.isArray(part) && part.length > 0 && startsAtStart((part as readonly Part[])[0] ?? 0);
}

/** The most characters that a part matches. */
function longest(part: Part): number {
  if (typeof part === 'number') return 1;
  if (typeof part === 'string' || 'ahead' in part || 'behind' in part) return 0;
  if ('or' in part) return part.or.reduce<number>((most, each) => Math.max(most, longest(each)), 0);
  if (!('part' in part)) return part.reduce<number>((sum, each) => sum + longest(each), 0);
  const length = longest(part.part);
  return length === 0 ? 0 : length * (part.max ?? Infinity);
}

function isNullable(part: Part): boolean {
  if (typeof part === 'number') return false;
  if (typeof part === 'string' || 'ahead' in part || 'behind' in part) return true;
  if ('or' in part) return part.or.some(isNullable);
  if ('part' in part) return part.min === 0 || isNullable(part.part);
  return part.every(isNullable);
}

type Known = readonly Characters[];

function first(part: Part, after: Characters, known: Known): Characters {
  if (typeof part === 'number') return known[part] ?? NOTHING;
  if (typeof part === 'string' || 'ahead' in part || 'behind' in part) return after;
  if ('or' in part) return part.or.reduce((all, each) => all | first(each, after, known), NOTHING);
  if ('part' in part) {
    const inner = first(part.part, NOTHING, known);
    return isNullable(part) ? inner | after : inner;
  }
  return part.reduceRight<Characters>((rest, each) => first(each, rest, known), after);
}

/**
 * How many ways through the part may be tried to their end, when `after` is what may follow it. A choice that the next
 * character decides adds none, because the wrong way ends at once.
 */
function ways(part: Part, after: Characters, known: Known): number {
  if (typeof part !== 'object') return 1;
  if ('ahead' in part || 'behind' in part) return Infinity;
  if ('or' in part) return waysOfChoice(part.or, after, known);
  if ('part' in part) return waysOfRepetition(part, after, known);
  let [rest, count] = [after, 1];
  for (const each of [...part].reverse()) {
    count *= ways(each, rest, known);
    rest = first(each, rest, known);
  }
  return count;
}

function waysOfChoice(parts: readonly Part[], after: Characters, known: Known): number {
  const counts = parts.map((each) => ways(each, after, known));
  let earlier = NOTHING;
  for (const each of parts) {
    const start = first(each, after, known);
    if ((start & earlier) !== NOTHING) return counts.reduce((sum, count) => sum + count, 0);
    earlier = earlier | start;
  }
  const isDecided = parts.filter(isNullable).length <= 1;
  return isDecided ? counts.reduce((most, count) => Math.max(most, count), 1) : Infinity;
}

function waysOfRepetition(
  { part, min, max = Infinity }: Extract<Part, { readonly part: Part }>,
  after: Characters,
  known: Known,
): number {
  if (max === 0) return 1;
  if (isNullable(part) || (typeof part !== 'number' && max > MOST_TURNS)) return Infinity;
  const start = first(part, NOTHING, known);
  const inner = ways(part, max > 1 ? start | after : after, known);
  const turns = inner === 1 ? 1 : inner ** max;
  return min === max || (start & after) === NOTHING ? turns : turns * (max - min + 1);
}
