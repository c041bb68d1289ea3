import { resolve } from './lookup.js';
import type { Definitions } from './lookup.js';
import { discriminatorOf } from './discriminator.js';
import type { Additional, IntersectionNode, Node, ObjectNode, Property } from './model.js';

/** An intersection never grows to more than this many alternatives. */
const MOST_ALTERNATIVES = 16;

/**
 * An intersection as one object, or as a union of objects, where it can be said so: what accepts
 * the same values, but with one list of properties to look at. `undefined` where it cannot.
 */
export function flatten(
  node: IntersectionNode,
  definitions: Definitions,
): ObjectNode | Extract<Node, { kind: 'union' }> | undefined {
  const lists = node.members.map((member) => alternatives(member, definitions, new Set()));
  if (lists.some((list) => list === undefined)) return undefined;
  let merged: ObjectNode[] | undefined;
  for (const list of lists as ObjectNode[][]) {
    merged = merged
      ? merged.flatMap((left) => list.map((right) => mergeObjects(left, right, definitions)))
      : list;
    if (merged.length > MOST_ALTERNATIVES) return undefined;
  }
  const [only, ...others] = merged ?? [];
  if (!only) return undefined;
  if (others.length === 0) return only;
  const members = [only, ...others];
  const discriminator = discriminatorOf(members, definitions);
  return { kind: 'union', members, ...(discriminator && { discriminator }) };
}

/** The objects that a value may be; `undefined` if it may be something else, or is recursive. */
function alternatives(
  node: Node,
  definitions: Definitions,
  path: ReadonlySet<Node>,
): ObjectNode[] | undefined {
  const target = resolve(node, definitions);
  if (path.has(target)) return undefined;
  const inside = new Set(path).add(target);
  switch (target.kind) {
    case 'object':
      return target.additional.kind === 'unsaid' || target.additional.kind === 'open'
        ? [target]
        : undefined;
    case 'union': {
      const lists = target.members.map((member) => alternatives(member, definitions, inside));
      return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
    }
    case 'intersection': {
      const flat = flatten(target, definitions);
      return flat && alternatives(flat, definitions, inside);
    }
    default:
      return undefined;
  }
}

function mergeObjects(left: ObjectNode, right: ObjectNode, definitions: Definitions): ObjectNode {
  const properties = new Map(left.properties.map((property) => [property.name, property]));
  for (const property of right.properties) {
    const same = properties.get(property.name);
    properties.set(property.name, same ? mergeProperty(same, property, definitions) : property);
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

function mergeProperty(left: Property, right: Property, definitions: Definitions): Property {
  return {
    name: left.name,
    required: left.required || right.required,
    node: both(left.node, right.node, definitions),
  };
}

/** What accepts the values that both accept, said as plainly as may be. */
function both(left: Node, right: Node, definitions: Definitions): Node {
  const [a, b] = [resolve(left, definitions), resolve(right, definitions)];
  if (a.kind === 'any' || a === b) return right;
  if (b.kind === 'any') return left;
  if (a.kind === 'literal' && accepts(b, a.values)) return left;
  if (b.kind === 'literal' && accepts(a, b.values)) return right;
  const description = right.description ?? left.description;
  const node: IntersectionNode = { kind: 'intersection', members: [left, right] };
  return { ...(flatten(node, definitions) ?? node), ...(description && { description }) };
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
