import { resolve } from '../lookup.js';
import type { Definitions } from '../lookup.js';
import type { JsonValue, Node } from '../model.js';

/** The types of JSON values. */
export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

export const TYPE_NAMES: readonly TypeName[] = [
  ...(['null', 'boolean', 'number', 'string', 'array', 'object'] as const),
];

export function typeOf(value: JsonValue): TypeName;
export function typeOf(value: unknown): TypeName | undefined;
export function typeOf(value: unknown): TypeName | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return TYPE_NAMES.find((type) => typeof value === type);
}

const ALL: ReadonlySet<TypeName> = new Set(TYPE_NAMES);
/** Levels of nodes and references that are followed. */
const DEEPEST = 500;

const made = new WeakMap<Definitions, (node: Node) => ReadonlySet<TypeName>>();

/** The types of which a node may accept values: those of the others it refuses. Each node is read once. */
export function typesOf(node: Node, definitions: Definitions): ReadonlySet<TypeName> {
  let of = made.get(definitions);
  if (!of) made.set(definitions, (of = createTypes(definitions)));
  return of(node);
}

function createTypes(definitions: Definitions): (node: Node) => ReadonlySet<TypeName> {
  const known = new WeakMap<Node, ReadonlySet<TypeName>>();
  let depth = 0;
  const of = (inner: Node): ReadonlySet<TypeName> => {
    const before = known.get(inner);
    if (before) return before;
    // While a node is being read, and at the end of a chain that would exhaust the stack, it may accept values of all.
    known.set(inner, ALL);
    if (depth >= DEEPEST) return ALL;
    depth += 1;
    const found = new Set(direct(inner));
    depth -= 1;
    known.set(inner, found);
    return found;
  };
  function direct(inner: Node): Iterable<TypeName> {
    switch (inner.kind) {
      case 'never':
        return [];
      case 'null':
      case 'boolean':
      case 'number':
      case 'string':
      case 'array':
      case 'object':
        return [inner.kind];
      case 'literal':
        return types(inner.values);
      case 'constant':
        return types([inner.value]);
      case 'union':
      case 'exclusive':
        return inner.members.flatMap((member) => [...of(member)]);
      case 'intersection': {
        const all = inner.members.map(of);
        return TYPE_NAMES.filter((type) => all.every((each) => each.has(type)));
      }
      case 'conditional':
        return [...of(inner.then), ...of(inner.else)];
      case 'unevaluated':
        return of(inner.node);
      case 'ref':
        return of(resolve(inner, definitions));
      default:
        return ALL;
    }
  }
  return of;
}

function types(values: readonly JsonValue[]): TypeName[] {
  return [...new Set(values.map(typeOf))].filter((type) => type !== undefined);
}
