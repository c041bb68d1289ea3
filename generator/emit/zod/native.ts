import { type Definitions, mapNode, type Node, type Property } from '../../../json-schema/index.js';
import { ALL, typesOf } from '../validators/union.js';
import type { JsonType } from '../validators/union.js';

/** Zod nests intersections of two: a longer one exhausts the stack, and its text grows with the square of it. */
const MOST_PARTS = 100;

/**
 * Nodes in each other, references not counted. The compiler gives up (TS2589) on the types of Zod's schemas from about
 * 15 on, where each has two or three levels of its own.
 */
const MOST_LEVELS = 10;

/** Nodes in one schema, references not counted. From about 5,000 on the compiler gives up (TS2589, TS2859). */
const MOST_NODES = 1_500;

/** Whether a schema of Zod for the node can be compiled, wherever its references lead. */
export function isSmall(node: Node): boolean {
  let nodes = 0;
  mapNode(node, (inner) => {
    nodes += 1;
    return inner;
  });
  return nodes <= MOST_NODES && isShallow(node, MOST_LEVELS);
}

/** Whether Zod has a schema that accepts exactly what the node accepts, wherever its references lead. */
export function isExact(node: Node, definitions: Definitions): boolean {
  let exact = true;
  mapNode(node, (inner) => {
    exact &&= isExactItself(inner, definitions);
    return inner;
  });
  return exact;
}

/** The same, its parts aside. */
export function isExactItself(node: Node, definitions: Definitions): boolean {
  switch (node.kind) {
    case 'constant':
    case 'exclusive':
    case 'not':
    case 'conditional':
    case 'unevaluated':
      return false;
    case 'array':
      // Zod's tuples may lack items that accept every value.
      return !node.contains && !node.prefix;
    case 'object': {
      const { patterns, names, minProperties, maxProperties, properties } = node;
      const counted = minProperties !== undefined || maxProperties !== undefined;
      return !patterns && !names && !counted && !properties.some(isInherited);
    }
    case 'intersection':
      return node.members.length <= MOST_PARTS && haveOneType(node.members, definitions);
    default:
      return true;
  }
}

/** Whether every object inherits a property of the name, so that Zod finds it where it is not. */
export const isInherited = ({ name }: Property): boolean => name in {};

/**
 * Whether the parts of an intersection have the same single type, and no object is among them: Zod accepts a key that one
 * of two closed objects knows. The compiler does not reduce the type of Zod's schema
 * of others, such as `string & unknown[]`, to the part that is possible, as `types.ts` does.
 */
function haveOneType(members: readonly Node[], definitions: Definitions): boolean {
  const types = new Set<JsonType>();
  for (const each of members) {
    const own = typesOf(each, definitions);
    if (own.size === ALL.length) continue;
    if (own.size !== 1) return false;
    own.forEach((type) => types.add(type));
  }
  return types.size <= 1 && !types.has('object');
}

function isShallow(node: Node, levels: number): boolean {
  return childrenOf(node).every((child) => levels > 0 && isShallow(child, levels - 1));
}

/** Of the kinds that Zod has. */
function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'array':
      return [...(node.prefix ?? []), node.items];
    case 'object': {
      const { properties, additional } = node;
      const own = properties.map((property) => property.node);
      return additional.kind === 'typed' ? [...own, additional.node] : own;
    }
    case 'union':
    case 'intersection':
      return node.members;
    default:
      return [];
  }
}
