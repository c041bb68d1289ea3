import type { Definition, JsonPrimitive, Node, ObjectNode, Property } from './model.js';

/** Finds definitions by name. */
export type Definitions = ReadonlyMap<string, Definition>;

/** Resolves references; a cycle of references only is `any`. */
export function resolve(node: Node, definitions: Definitions): Node {
  const seen = new Set<string>();
  let current = node;
  while (current.kind === 'ref' && !seen.has(current.name)) {
    seen.add(current.name);
    const target = definitions.get(current.name);
    if (!target) break;
    current = target.node;
  }
  return current.kind === 'ref' ? { kind: 'any' } : current;
}

/**
 * The properties of a node, through references and intersections. A property that two parts declare
 * appears twice, because both apply. A part that is reached twice counts once, because a chain of
 * intersections would otherwise take exponential time.
 */
export function propertiesOf(node: Node, definitions: Definitions): Property[] {
  return objectsOf(node, definitions).flatMap(({ properties }) => properties);
}

/** The objects that a node consists of, in the order of the schema. */
function objectsOf(node: Node, definitions: Definitions): ObjectNode[] {
  const found: ObjectNode[] = [];
  const seen = new Set<Node>();
  // An explicit stack, because an untrusted schema decides the length of a chain of intersections.
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const target = resolve(next, definitions);
    if (seen.has(target)) continue;
    seen.add(target);
    if (target.kind === 'object') found.push(target);
    if (target.kind !== 'intersection') continue;
    for (const member of target.members.toReversed()) waiting.push(member);
  }
  return found;
}

/** The most specific declaration of a property: a literal before others. */
export function findProperty(
  node: Node,
  name: string,
  definitions: Definitions,
): Property | undefined {
  const found = objectsOf(node, definitions).flatMap(({ properties }) =>
    properties.filter((property) => property.name === name),
  );
  return found.find((property) => literalsOf(property.node, definitions)) ?? found.at(-1);
}

/** The literals that a node accepts, when it accepts only literals. */
export function literalsOf(node: Node, definitions: Definitions): JsonPrimitive[] | undefined {
  const target = resolve(node, definitions);
  if (target.kind === 'literal') return [...target.values];
  if (target.kind !== 'union') return undefined;
  const lists = target.members.map((member) =>
    member.kind === 'literal' ? member.values : undefined,
  );
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

/** The alternatives of a union of either kind, also of unions inside it; of another node, the node. */
export function alternativesOf(node: Node): Node[] {
  const isUnion = node.kind === 'union' || node.kind === 'exclusive';
  return isUnion ? node.members.flatMap(alternativesOf) : [node];
}

/** Applies `change` to every node below and including `node`, leaves first. */
export function mapNode(node: Node, change: (node: Node) => Node): Node {
  return change(mapParts(node, (part) => mapNode(part, change)));
}

/** The names of the definitions that a node refers to, in their order. */
export function referencesOf(node: Node): Set<string> {
  const names = new Set<string>();
  eachNode(node, (inner) => {
    if (inner.kind === 'ref') names.add(inner.name);
  });
  return names;
}

/** Visits every node below and including `node`, outermost first. */
export function eachNode(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const part of partsOf(node)) eachNode(part, visit);
}

const NONE: readonly Node[] = [];

/** The direct parts of a node. */
function partsOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'array':
      return [
        ...(node.prefix ?? NONE),
        node.items,
        ...(node.contains ? [node.contains.node] : NONE),
      ];
    case 'object': {
      const { properties, additional, patterns = [], names } = node;
      return [
        ...properties.map((each) => each.node),
        ...(additional.kind === 'typed' ? [additional.node] : NONE),
        ...patterns.map((each) => each.node),
        ...(names ? [names] : NONE),
      ];
    }
    case 'unevaluated':
      return [
        node.node,
        ...(node.properties ? [node.properties] : NONE),
        ...(node.items ? [node.items] : NONE),
      ];
    default:
      return partsForSameValue(node);
  }
}

/** The direct parts that look at the same value, and not at a part of it. */
export function partsForSameValue(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'union':
    case 'intersection':
    case 'exclusive':
      return node.members;
    case 'not':
    case 'unevaluated':
      return [node.node];
    case 'conditional':
      return [node.if, node.then, node.else];
    default:
      return NONE;
  }
}

/** The node with its direct parts changed. */
export function mapParts(node: Node, change: (part: Node) => Node): Node {
  switch (node.kind) {
    case 'array':
      return {
        ...node,
        items: change(node.items),
        ...(node.prefix && { prefix: node.prefix.map(change) }),
        ...(node.contains && {
          contains: { ...node.contains, node: change(node.contains.node) },
        }),
      };
    case 'object':
      return mapObject(node, change);
    case 'union':
    case 'intersection':
    case 'exclusive':
      return { ...node, members: node.members.map(change) };
    case 'not':
      return { ...node, node: change(node.node) };
    case 'conditional':
      return { ...node, if: change(node.if), then: change(node.then), else: change(node.else) };
    case 'unevaluated':
      return {
        ...node,
        node: change(node.node),
        ...(node.properties && { properties: change(node.properties) }),
        ...(node.items && { items: change(node.items) }),
      };
    default:
      return node;
  }
}

function mapObject(node: ObjectNode, change: (part: Node) => Node): ObjectNode {
  const { properties, additional, patterns, names } = node;
  return {
    ...node,
    properties: properties.map((property) => ({ ...property, node: change(property.node) })),
    additional:
      additional.kind === 'typed' ? { kind: 'typed', node: change(additional.node) } : additional,
    ...(patterns && { patterns: patterns.map((each) => ({ ...each, node: change(each.node) })) }),
    ...(names && { names: change(names) }),
  };
}
