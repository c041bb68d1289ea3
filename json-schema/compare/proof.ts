import type { Judge } from '../compile/compile.js';
import type { Definitions } from '../lookup.js';
import type { Node } from '../model.js';

/**
 * - `sent`: values of programs that were written for the inner schema. They use no key that only the outer one names.
 * - `all`: every value that the inner schema accepts.
 * - `named`: the same, and the inner schema names each key that the outer one names.
 */
export type Values = 'sent' | 'all' | 'named';

/** What the references of both schemas lead to, and what judges values. */
export interface Schemas {
  readonly definitions: Definitions;
  readonly acceptance: Judge;
  /** Pairs that count as proved, because the caller compares them elsewhere. */
  readonly isKnown?: Within;
}

/** Whether `outer` surely accepts every value of `inner`. */
export type Within = (outer: Node, inner: Node) => boolean;
