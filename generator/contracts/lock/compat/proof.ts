import type { Definitions, Node } from '../../../../json-schema/index.js';
import type { Acceptance } from './acceptance.js';

/**
 * - `sent`: values of programs that were written for the inner schema. They use no key that only the outer one names.
 * - `all`: every value that the inner schema accepts.
 */
export type Values = 'sent' | 'all';

/** What the references of both schemas lead to, and what judges values. */
export interface Schemas {
  readonly definitions: Definitions;
  readonly acceptance: Acceptance;
}

/** Whether `outer` surely accepts every value of `inner`. */
export type Within = (outer: Node, inner: Node) => boolean;
