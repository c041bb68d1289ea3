import { resolve } from '../lookup.js';
import type { Definitions } from '../lookup.js';
import type { JsonValue, Node } from '../model.js';

/** The types of JSON values. */
export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

const ALL: readonly TypeName[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

export function typeOf(value: unknown): TypeName | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return ALL.find((type) => typeof value === type);
}

/** Finds the types of which a node may accept values: those of the others it refuses. Each node is read once. */
export function createTypes(definitions: Definitions): (node: Node) => ReadonlySet<TypeName> {
  /** While a node is being read, it may accept values of all. */
  const known = new Map<Node, ReadonlySet<TypeName>>();
  const of = (inner: Node): ReadonlySet<TypeName> => {
    const before = known.get(inner);
    if (before) return before;
    known.set(inner, new Set(ALL));
    const found = new Set(direct(inner));
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
        return ALL.filter((type) => all.every((each) => each.has(type)));
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
