import { linear } from '../portable/pattern.js';
import { remembered } from '../text.js';
import { isRefusal, readPattern } from './index.js';
import { size } from './parse.js';

export interface Matcher {
  readonly test: (text: string) => boolean;
  /** What the test is, when it is JavaScript's own. */
  readonly native?: RegExp;
  /** How much longer it takes than to read the text. */
  readonly cost: number;
}

/** A pattern that cannot be matched in linear time is not applied, as by the generated checks. */
const ANYTHING: Matcher = { test: () => true, cost: 0 };

/** The cost of each state of a program, all of which may be followed at the same time. */
const STATE = 4;

/** Matches a pattern of a schema, in time linear in the text. */
export const matcherOf = remembered((text): Matcher => {
  const pattern = readPattern(text);
  if (isRefusal(pattern)) return ANYTHING;
  const { source, program } = pattern;
  if (program === undefined) {
    const native = new RegExp(source, 'u');
    return { native, test: (given) => native.test(given), cost: 1 };
  }
  const sets = program.sets.map((set) => new RegExp(set, 'u'));
  return { ...linear(sets, program.part), cost: STATE * size(program.part) };
});
