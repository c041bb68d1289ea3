import type { Judge } from '../compile/compile.js';
import type { Definitions } from '../lookup.js';
import type { Node } from '../model.js';

/**
 * - `sent`: values of programs that were written for the inner schema. They use no key that only the outer one names.
 * - `all`: every value that the inner schema accepts.
 */
export type Values = 'sent' | 'all';

/** What the references of both schemas lead to, and what judges values. */
export interface Schemas {
  readonly definitions: Definitions;
  readonly acceptance: Judge;
}

/** Whether `outer` surely accepts every value of `inner`. */
export type Within = (outer: Node, inner: Node) => boolean;
