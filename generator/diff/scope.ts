import {
  type Additional,
  type Definitions,
  type Node,
  type ObjectNode,
  type Property,
  resolve,
} from '../../json-schema/index.js';
import type { Scoped } from '../../json-schema/compare/index.js';
import type { Protocol } from '../ir/index.js';

export function definitionsIn({ definitions }: Protocol): Definitions {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}

const views = new WeakMap<Node, Node>();

/** A node with resolved references, and with an intersection of objects merged into one object. */
export function view({ node, definitions }: Scoped): Node {
  const target = resolve(node, definitions);
  if (target.kind !== 'intersection') return target;
  // Cached, because a chain of intersections would otherwise take time exponential in its length.
  const known = views.get(target);
  if (known) return known;
  views.set(target, target);
  const parts = target.members.map((member) => view({ node: member, definitions }));
  const objects = parts.filter((part) => part.kind === 'object');
  const isPlain = objects.length === parts.length && !objects.some(limitsKeys);
  const merged =
    parts.length === 1 ? (parts[0] ?? target) : isPlain ? mergeObjects(objects) : target;
  views.set(target, merged);
  return merged;
}

/** Whether rules for all keys would get lost in one object. */
function limitsKeys({ patterns, names, minProperties, maxProperties }: ObjectNode): boolean {
  return [patterns, names, minProperties, maxProperties].some((rule) => rule !== undefined);
}

function mergeObjects(parts: readonly ObjectNode[]): ObjectNode {
  const properties = new Map<string, Property>();
  for (const property of parts.flatMap((part) => part.properties)) {
    const other = properties.get(property.name);
    properties.set(property.name, other ? both(other, property) : property);
  }
  return {
    kind: 'object',
    properties: [...properties.values()],
    additional: strictest(parts.map(({ additional }) => additional)),
    hasProperties: parts.some(({ hasProperties }) => hasProperties),
  };
}

function both(a: Property, b: Property): Property {
  return {
    name: a.name,
    required: a.required || b.required,
    node: sameNode(a.node, b.node) ? a.node : { kind: 'intersection', members: [a.node, b.node] },
  };
}

const STRICTNESS: readonly Additional['kind'][] = ['closed', 'typed', 'open', 'unsaid'];

function strictest(all: readonly Additional[]): Additional {
  const sorted = [...all].sort((a, b) => STRICTNESS.indexOf(a.kind) - STRICTNESS.indexOf(b.kind));
  return sorted[0] ?? { kind: 'unsaid' };
}

/** Says nothing about which values are valid, or follows from the rest. */
const UNIMPORTANT = new Set(['description', 'pointer', 'discriminator']);
/** Lists whose order means nothing. */
const UNORDERED = new Set(['properties', 'values', 'patterns']);
const DATA = new Set(['value', 'default']);

/** Whether two nodes are equal except for descriptions and order. */
export function sameNode(a: Node, b: Node): boolean {
  return a === b || structure(a) === structure(b);
}

const structures = new WeakMap<object, string>();

/** The text of a node, or of a part of one, without its descriptions and places, and in one order. */
export function structure(node: object): string {
  const known = structures.get(node);
  if (known !== undefined) return known;
  const text = write(node);
  structures.set(node, text);
  return text;
}

/** `value` is a node or a part of one. */
function write(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(write).join()}]`;
  const fields = Object.entries(value)
    .filter(([key, inner]) => !UNIMPORTANT.has(key) && inner !== undefined)
    .map(([key, inner]: [string, unknown]) => {
      // Constants and defaults may have keys of these names.
      if (DATA.has(key)) return `${key}:${JSON.stringify(inner)}`;
      const unordered =
        Array.isArray(inner) && (UNORDERED.has(key) || (key === 'members' && isTypeList(inner)));
      return `${key}:${unordered ? `[${inner.map(write).sort().join()}]` : write(inner)}`;
    });
  return `{${fields.sort().join()}}`;
}

/** `"type": ["string", "null"]`, whose order means nothing; members of other unions are compared in order. */
function isTypeList(members: readonly unknown[]): boolean {
  return (members as readonly Node[]).every(({ kind }) => SCALARS.has(kind));
}

const SCALARS: ReadonlySet<Node['kind']> = new Set(['string', 'number', 'boolean', 'null']);
