import {
  type Definitions,
  mapNode,
  type Node,
  type Property,
  TYPE_NAMES,
  type TypeName,
  typesOf,
} from '../../../json-schema/index.js';

/** Zod nests intersections of two: a longer one exhausts the stack, and its text grows with the square of it. */
const MOST_PARTS = 100;

/**
 * Nodes in each other. The compiler gives up (TS2589) on the types of Zod's schemas from about 15 on, where each has two or
 * three levels of its own.
 */
const MOST_LEVELS = 10;

/** The same, through references to declared schemas, each of which is a type already. */
export const MOST_LEVELS_IN_ALL = 12;

/** From about 5,000 on the compiler gives up (TS2589, TS2859). */
const MOST_NODES = 1_500;

/** The nodes of the type of a schema. */
export interface Size {
  readonly nodes: number;
  readonly levels: number;
}

/** Of a node without parts. */
export const LEAF: Size = { nodes: 1, levels: 0 };

/** Whether the compiler finishes with the type of a schema. */
export const isSmall = ({ nodes, levels }: Size, most = MOST_LEVELS): boolean =>
  nodes <= MOST_NODES && levels <= most;

/** The size of a node; each reference in it counts as one node, or as much as `target` says. */
export function sizeOf(node: Node, target: (name: string) => Size = () => LEAF): Size {
  if (node.kind === 'ref') return target(node.name);
  return childrenOf(node).reduce((size, child) => {
    const { nodes, levels } = sizeOf(child, target);
    return { nodes: size.nodes + nodes, levels: Math.max(size.levels, levels + 1) };
  }, LEAF);
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
  const types = new Set<TypeName>();
  for (const each of members) {
    const own = typesOf(each, definitions);
    if (own.size === TYPE_NAMES.length) continue;
    if (own.size !== 1) return false;
    own.forEach((type) => types.add(type));
  }
  return types.size <= 1 && !types.has('object');
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
