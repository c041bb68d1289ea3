import { resolve } from './lookup.js';
import type { Definitions } from './lookup.js';
import { discriminatorOf } from './discriminator.js';
import type { Additional, IntersectionNode, Node, ObjectNode, Property } from './model.js';

/** The largest number of alternatives of an intersection. */
const MOST_ALTERNATIVES = 16;

/** Cached results by node, because definitions share nodes and chains of them double. */
export type Flattened = Map<Node, readonly ObjectNode[] | undefined>;

/**
 * An intersection as an equivalent object or union of objects, so that there is one list of properties;
 * `undefined` when there is none.
 */
export function flatten(
  node: IntersectionNode,
  definitions: Definitions,
  seen: Flattened = new Map(),
): ObjectNode | Extract<Node, { kind: 'union' }> | undefined {
  const [only, ...others] = alternatives(node, definitions, seen) ?? [];
  if (!only) return undefined;
  if (others.length === 0) return only;
  const members = [only, ...others];
  const discriminator = discriminatorOf(members, definitions);
  return { kind: 'union', members, ...(discriminator && { discriminator }) };
}

/** The objects that a node accepts; `undefined` if it accepts other values, or is recursive. */
function alternatives(
  node: Node,
  definitions: Definitions,
  seen: Flattened,
): readonly ObjectNode[] | undefined {
  const target = resolve(node, definitions);
  if (!seen.has(target)) {
    seen.set(target, undefined);
    seen.set(target, alternativesOf(target, definitions, seen));
  }
  return seen.get(target);
}

function alternativesOf(
  target: Node,
  definitions: Definitions,
  seen: Flattened,
): readonly ObjectNode[] | undefined {
  if (target.kind === 'object') return isOpen(target) ? [target] : undefined;
  if (target.kind !== 'union' && target.kind !== 'intersection') return undefined;
  const lists: (readonly ObjectNode[])[] = [];
  for (const member of target.members) {
    const list = alternatives(member, definitions, seen);
    if (!list) return undefined;
    lists.push(list);
  }
  if (target.kind === 'union') return atMost(lists.flat());
  return lists.reduce<readonly ObjectNode[] | undefined>(
    (merged, list) =>
      merged &&
      atMost(
        merged.flatMap((left) => list.map((right) => mergeObjects(left, right, definitions, seen))),
      ),
    [EMPTY],
  );
}

const EMPTY: ObjectNode = {
  kind: 'object',
  properties: [],
  additional: { kind: 'unsaid' },
  hasProperties: false,
};

function isOpen({ additional }: ObjectNode): boolean {
  return additional.kind === 'unsaid' || additional.kind === 'open';
}

function atMost(objects: readonly ObjectNode[]): readonly ObjectNode[] | undefined {
  return objects.length <= MOST_ALTERNATIVES ? objects : undefined;
}

function mergeObjects(
  left: ObjectNode,
  right: ObjectNode,
  definitions: Definitions,
  seen: Flattened,
): ObjectNode {
  const properties = new Map(left.properties.map((property) => [property.name, property]));
  for (const property of right.properties) {
    const same = properties.get(property.name);
    properties.set(
      property.name,
      same ? mergeProperty(same, property, definitions, seen) : property,
    );
  }
  const additional: Additional =
    left.additional.kind === 'open' ? left.additional : right.additional;
  return {
    kind: 'object',
    properties: [...properties.values()],
    additional,
    hasProperties: left.hasProperties || right.hasProperties,
  };
}

function mergeProperty(
  left: Property,
  right: Property,
  definitions: Definitions,
  seen: Flattened,
): Property {
  return {
    name: left.name,
    required: left.required || right.required,
    node: both(left.node, right.node, definitions, seen),
  };
}

/** A simple node that accepts the values that both accept. */
function both(left: Node, right: Node, definitions: Definitions, seen: Flattened): Node {
  const [a, b] = [resolve(left, definitions), resolve(right, definitions)];
  if (a.kind === 'any' || a === b) return right;
  if (b.kind === 'any') return left;
  if (a.kind === 'literal' && accepts(b, a.values)) return left;
  if (b.kind === 'literal' && accepts(a, b.values)) return right;
  const description = right.description ?? left.description;
  const node: IntersectionNode = { kind: 'intersection', members: [left, right] };
  return { ...(flatten(node, definitions, seen) ?? node), ...(description && { description }) };
}

function accepts(node: Node, values: readonly unknown[]): boolean {
  switch (node.kind) {
    case 'string':
      return node.format === undefined && node.pattern === undefined && all(values, 'string');
    case 'boolean':
      return all(values, 'boolean');
    case 'number':
      return (
        all(values, 'number') &&
        node.minimum === undefined &&
        node.maximum === undefined &&
        (!node.integer || values.every(Number.isInteger))
      );
    case 'literal':
      return values.every((value) => node.values.some((known) => known === value));
    default:
      return false;
  }
}

function all(values: readonly unknown[], type: string): boolean {
  return values.every((value) => typeof value === type);
}
