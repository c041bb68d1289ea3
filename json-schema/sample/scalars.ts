import type { JsonValue, NumberNode, StringNode } from '../model.js';
import { samplesOf } from './formats.js';
import type { Hints } from './hints.js';
import { textsMatching } from './matching.js';

/** A longer text would make reports unreadable, and costs memory. */
const LONGEST_TEXT = 5_000;

/** Texts that a node may accept, the simplest first; those at the limits of it and of the hints. */
export function texts(
  { format, pattern, minLength, maxLength }: StringNode,
  hints: Hints,
): string[] {
  const lengths = [minLength, maxLength, ...hints.lengths]
    .flatMap((length) => (length === undefined ? [] : [length, length - 1, length + 1]))
    .filter((length) => length >= 0 && length <= LONGEST_TEXT);
  const own = format === undefined ? [] : samplesOf(format);
  const matching = pattern === undefined ? [] : textsMatching(pattern, lengths);
  return [
    ...own,
    ...matching,
    'text',
    '',
    ...strings(hints.values),
    ...lengths.map((length) => 'a'.repeat(length)),
    ...[...hints.formats].flatMap(samplesOf),
    ...[...hints.patterns].flatMap((each) => textsMatching(each, [])),
    'two words',
    '0',
    'É😀',
  ];
}

function strings(values: Iterable<JsonValue>): string[] {
  return [...values]
    .filter((value) => typeof value === 'string')
    .flatMap((value) => [value, `${value}x`]);
}

/** Numbers that a node may accept, the simplest first; those at the limits of it and of the hints. */
export function numbers(node: NumberNode, hints: Hints): number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
  const own = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].filter(
    (each) => each !== undefined,
  );
  const listed = [...hints.values].filter((value) => typeof value === 'number');
  const limits = [...own, ...hints.numbers, ...listed];
  const divisors = [...(multipleOf === undefined ? [] : [multipleOf]), ...hints.divisors];
  return [
    1,
    0,
    ...limits.flatMap((each) => [each, ...beside(each)]),
    ...divisors.flatMap((each) => [each, 2 * each, -each, 1.5 * each, each + 1]),
    ...limits.flatMap((each) => divisors.flatMap((by) => multiplesAround(each, by))),
    ...limits.flatMap((each) => [each + 0.5, each - 0.5]),
    0.5,
    -1,
    1.5,
    7,
    1_000_000,
    -1_000_000,
  ].filter((each) => Number.isFinite(each));
}

/** A number beyond 2^53 has no neighbour at a distance of 1. */
function beside(limit: number): readonly number[] {
  return limit + 1 === limit ? [2 * limit, limit / 2] : [limit + 1, limit - 1];
}

function multiplesAround(value: number, by: number): number[] {
  const quotient = Math.floor(value / by);
  return [quotient - 1, quotient, quotient + 1, quotient + 2].map((times) => times * by);
}
