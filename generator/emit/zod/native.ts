import { mapNode } from '../../ir/index.js';
import type { Node } from '../../ir/index.js';

/** Zod nests intersections of two: a longer one exhausts the stack, and its text grows with the square of it. */
const MOST_PARTS = 100;

/** Whether Zod has a schema that accepts exactly what the node accepts, wherever its references lead. */
export function isNative(node: Node): boolean {
  let native = true;
  mapNode(node, (inner) => {
    native &&= isNativeItself(inner);
    return inner;
  });
  return native;
}

function isNativeItself(node: Node): boolean {
  switch (node.kind) {
    case 'constant':
    case 'exclusive':
    case 'not':
    case 'conditional':
    case 'unevaluated':
      return false;
    case 'number':
      // Zod divides, which rounds.
      return node.multipleOf === undefined;
    case 'array':
      return !node.prefix && !node.contains && !node.uniqueItems;
    case 'object': {
      const { patterns, names, minProperties, maxProperties, properties } = node;
      const counted = minProperties !== undefined || maxProperties !== undefined;
      return (
        !patterns && !names && !counted && properties.every(({ name }) => name !== '__proto__')
      );
    }
    case 'intersection':
      return node.members.length <= MOST_PARTS;
    default:
      return true;
  }
}
