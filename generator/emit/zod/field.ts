import { resolve } from '../../ir/index.js';
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
 * Whether a property's type is a plain string, number, boolean or unknown while its schema is not, as for
 * `anyOf: [string, const 'a']`. `LooseObject` depends on types only, so it would expect a plain schema. An optional
 * property that every object inherits (`constructor`) has the type `unknown` in `types.ts`.
 */
export function isAwkward({ name, required, node }: Property, definitions: Definitions): boolean {
  if (name in {} && !required) return node.kind !== 'any';
  const kind = kindOf(node, definitions, new Map());
  if (kind !== 'unknown' && !isWide(kind)) return false;
  return plainType(resolve(node, definitions)) === undefined;
}

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
