import { propertiesOf, resolve } from '../../ir/index.js';
import type { Definitions, Node, Property } from '../../ir/index.js';

/** The type that TypeScript reduces a union to: `string | 'a'` is `string`. */
type Kind = 'unknown' | 'never' | Wide | `${Wide} literal` | 'other';
type Wide = 'string' | 'number' | 'boolean';

const PLAIN = {
  any: 'z.ZodUnknown',
  string: 'z.ZodString',
  number: 'z.ZodNumber',
  boolean: 'z.ZodBoolean',
} as const;

/** The schema type of a node that is a plain string, number, boolean or unknown. */
export function plainType(node: Node): string | undefined {
  return node.kind in PLAIN ? PLAIN[node.kind as keyof typeof PLAIN] : undefined;
}

/**
 * The properties whose type is a plain string, number, boolean or unknown while their schema is not, as for
 * `anyOf: [string, const 'a']`, and those whose type is not known. `LooseObject` depends on types only, so it would expect
 * plain schemas. `typed` are the definitions as `types.ts` has them; `plain` is the type of a property's schema.
 */
export function awkwardProperties(
  properties: readonly Property[],
  type: Node,
  typed: Definitions,
  plain: (node: Node) => string | undefined,
): string[] {
  const types = new Map<string, Node[]>();
  for (const { name, node } of propertiesOf(type, typed)) {
    types.set(name, [...(types.get(name) ?? []), node]);
  }
  return properties
    .filter(({ name, node }) => {
      const [own, ...others] = types.get(name) ?? [];
      if (!own) return true;
      const kind = kindOf({ kind: 'intersection', members: [own, ...others] }, typed, new Map());
      return (kind === 'unknown' || isWide(kind)) && plain(node) !== PLAIN_TYPES[kind];
    })
    .map(({ name }) => name);
}

/** The plain schema type whose values have the type of a node of `types.ts`. */
export function plainTypeOf(type: Node, typed: Definitions): string | undefined {
  const kind = kindOf(type, typed, new Map());
  return kind === 'unknown' || isWide(kind) ? PLAIN_TYPES[kind] : undefined;
}

const PLAIN_TYPES = {
  unknown: PLAIN.any,
  string: PLAIN.string,
  number: PLAIN.number,
  boolean: PLAIN.boolean,
};

type Seen = Map<Node, Kind>;

/**
 * Visits each node once, because a chain of intersections that doubles at each step takes exponential
 * time.
 */
function kindOf(node: Node, definitions: Definitions, seen: Seen): Kind {
  const target = resolve(node, definitions);
  const known = seen.get(target);
  if (known !== undefined) return known;
  seen.set(target, 'other');
  const kind = kindOfTarget(target, definitions, seen);
  seen.set(target, kind);
  return kind;
}

function kindOfTarget(target: Node, definitions: Definitions, seen: Seen): Kind {
  switch (target.kind) {
    case 'any':
      return 'unknown';
    case 'never':
    case 'string':
    case 'number':
    case 'boolean':
      return target.kind;
    case 'literal':
      return literalKind(target.values);
    case 'union':
      return widest(target.members, definitions, seen);
    case 'intersection': {
      const kinds = target.members.map((each) => kindOf(each, definitions, seen));
      const known = new Set(kinds.filter((kind) => kind !== 'unknown'));
      return known.size === 1 ? ([...known][0] ?? 'other') : known.size === 0 ? 'unknown' : 'other';
    }
    default:
      return 'other';
  }
}

function literalKind(values: readonly unknown[]): Kind {
  if (values.includes(true) && values.includes(false) && values.length === 2) return 'boolean';
  const types = new Set(values.map((value) => typeof value));
  const [type = 'undefined'] = types;
  return types.size === 1 && isWide(type) ? `${type} literal` : 'other';
}

const WIDE: readonly Wide[] = ['string', 'number', 'boolean'];

function isWide(kind: string): kind is Wide {
  return WIDE.some((wide) => wide === kind);
}

/** A wide type absorbs its literals, and `unknown` everything. */
function widest(members: readonly Node[], definitions: Definitions, seen: Seen): Kind {
  const kinds = new Set(members.map((each) => kindOf(each, definitions, seen)));
  kinds.delete('never');
  if (kinds.has('unknown')) return 'unknown';
  for (const wide of WIDE) {
    const others = [...kinds].filter((kind) => kind !== wide && kind !== `${wide} literal`);
    if (others.length > 0 || kinds.size === 0) continue;
    // Two literals may be `true` and `false`, which are `boolean`.
    if (kinds.has(wide) || (wide === 'boolean' && members.length > 1)) return wide;
    return `${wide} literal`;
  }
  return kinds.size === 0 ? 'never' : 'other';
}
