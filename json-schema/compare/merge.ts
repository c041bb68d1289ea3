import { resolve } from '../lookup.js';
import type { Definitions } from '../lookup.js';
import type { Additional, Node, ObjectNode, Property } from '../model.js';

/**
 * An object that accepts at least what all members accept together. Members that are no objects are left out. Undefined when
 * fewer than two are left.
 */
export function mergedObject(
  members: readonly Node[],
  definitions: Definitions,
): ObjectNode | undefined {
  const parts = objectsIn(members, definitions);
  if (parts.length < 2) return undefined;
  const properties = new Map<string, Property>();
  for (const property of parts.flatMap((part) => part.properties)) {
    const other = properties.get(property.name);
    properties.set(property.name, other ? both(other, property) : property);
  }
  const [names] = parts.flatMap((part) => part.names ?? []);
  const patterns = parts.flatMap((part) => part.patterns ?? []);
  return {
    kind: 'object',
    properties: [...properties.values()],
    // A key that only another part names may be present there: the merged object names it.
    additional: strictest(parts.map(({ additional }) => additional)),
    hasProperties: true,
    ...(patterns.length > 0 && { patterns }),
    ...(names && { names }),
    minProperties: Math.max(...parts.map(({ minProperties = 0 }) => minProperties)),
    ...mostOf(parts),
  };
}

function mostOf(parts: readonly ObjectNode[]): { maxProperties?: number } {
  const most = Math.min(...parts.map(({ maxProperties = Infinity }) => maxProperties));
  return most === Infinity ? {} : { maxProperties: most };
}

/** The objects among the members, and among those of nested intersections. */
function objectsIn(members: readonly Node[], definitions: Definitions): ObjectNode[] {
  const found: ObjectNode[] = [];
  const seen = new Set<Node>();
  const waiting = [...members];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const target = resolve(next, definitions);
    if (seen.has(target)) continue;
    seen.add(target);
    if (target.kind === 'object') found.push(target);
    if (target.kind === 'intersection') waiting.push(...target.members);
  }
  return found;
}

function both(a: Property, b: Property): Property {
  const unlisted = a.unlisted === true && b.unlisted === true;
  return {
    name: a.name,
    required: a.required || b.required,
    node: { kind: 'intersection', members: [a.node, b.node] },
    ...(unlisted && { unlisted }),
  };
}

const STRICTNESS: readonly Additional['kind'][] = ['closed', 'typed', 'open', 'unsaid'];

function strictest(all: readonly Additional[]): Additional {
  const sorted = [...all].sort((a, b) => STRICTNESS.indexOf(a.kind) - STRICTNESS.indexOf(b.kind));
  return sorted[0] ?? { kind: 'unsaid' };
}
