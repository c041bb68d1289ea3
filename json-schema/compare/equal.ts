import type { Node } from '../model.js';
import { contains } from './contains.js';
import type { Schemas, Values } from './proof.js';

/**
 * Whether two nodes surely accept the same values, however each is written: the order of alternatives and names, `const` or
 * `enum`, a list of types or `anyOf`, a reference or its target. Annotations do not count. False when it is unclear.
 */
export function equal(one: Node, other: Node, schemas: Schemas, values: Values = 'all'): boolean {
  return contains(one, other, schemas, values) && contains(other, one, schemas, values);
}
