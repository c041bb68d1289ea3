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

/** The types of which a node may accept values: those of the others it refuses. */
export function typesOf(node: Node, definitions: Definitions): ReadonlySet<TypeName> {
  const entered = new Set<Node>();
  const of = (inner: Node): TypeName[] => {
    if (entered.has(inner)) return [...ALL];
    entered.add(inner);
    const found = direct(inner);
    entered.delete(inner);
    return found;
  };
  function direct(inner: Node): TypeName[] {
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
        return [...new Set(inner.members.flatMap(of))];
      case 'intersection': {
        const all = inner.members.map((member) => new Set(of(member)));
        return ALL.filter((type) => all.every((each) => each.has(type)));
      }
      case 'conditional':
        return [...new Set([...of(inner.then), ...of(inner.else)])];
      case 'unevaluated':
        return of(inner.node);
      case 'ref':
        return of(resolve(inner, definitions));
      default:
        return [...ALL];
    }
  }
  return new Set(of(node));
}

function types(values: readonly JsonValue[]): TypeName[] {
  return [...new Set(values.map(typeOf))].filter((type) => type !== undefined);
}
