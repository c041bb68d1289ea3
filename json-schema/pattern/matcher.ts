import { linear } from '../portable/pattern.js';
import { isRefusal, readPattern } from './index.js';

export interface Matcher {
  test(text: string): boolean;
}

/** A pattern that cannot be matched in linear time is not applied, as by the generated checks. */
const ANYTHING: Matcher = { test: () => true };

const matchers = new Map<string, Matcher>();
/** Kept matchers; a stranger's schemas may have any number of patterns. */
const MOST = 1_000;

/** Matches a pattern of a schema, in time linear in the text. */
export function matcherOf(pattern: string): Matcher {
  const known = matchers.get(pattern);
  if (known) return known;
  if (matchers.size >= MOST) matchers.clear();
  const made = newMatcher(pattern);
  matchers.set(pattern, made);
  return made;
}

function newMatcher(text: string): Matcher {
  const pattern = readPattern(text);
  if (isRefusal(pattern)) return ANYTHING;
  const { source, program } = pattern;
  if (program === undefined) return new RegExp(source, 'u');
  return linear(
    program.sets.map((set) => new RegExp(set, 'u')),
    program.part,
  );
}
