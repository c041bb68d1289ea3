import {
  type Definitions,
  type JsonPrimitive,
  type Node,
  propertiesOf,
  type Property,
  resolve,
} from '../../../json-schema/index.js';

/** What the members of a union are that TypeScript reduces a type to. It absorbs literals of a type that is there. */
type Kind = 'unknown' | Wide | `${Wide} literal` | 'true' | 'false' | 'other';
type Wide = 'string' | 'number';
type Kinds = ReadonlySet<Kind>;

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
      const type = plainTypeOf({ kind: 'intersection', members: [own, ...others] }, typed);
      return type !== undefined && plain(node) !== type;
    })
    .map(({ name }) => name);
}

/** The plain schema type whose values have the type of a node of `types.ts`. */
export function plainTypeOf(type: Node, typed: Definitions): string | undefined {
  const kinds = kindsOf(type, typed, new Map());
  if (kinds.has('unknown')) return PLAIN.any;
  if (kinds.size === 2 && kinds.has('true') && kinds.has('false')) return PLAIN.boolean;
  const wide = WIDE.find((each) => kinds.has(each));
  const isPlain = [...kinds].every((kind) => kind === wide || kind === `${wide} literal`);
  return wide && isPlain ? PLAIN[wide] : undefined;
}

const WIDE: readonly Wide[] = ['string', 'number'];

/**
 * Visits each node once, because a chain of intersections that doubles at each step takes exponential
 * time.
 */
function kindsOf(node: Node, definitions: Definitions, seen: Map<Node, Kinds>): Kinds {
  const target = resolve(node, definitions);
  const known = seen.get(target);
  if (known !== undefined) return known;
  seen.set(target, OTHER);
  const kinds = kindsOfTarget(target, (each) => kindsOf(each, definitions, seen));
  seen.set(target, kinds);
  return kinds;
}

const OTHER: Kinds = new Set(['other']);
const UNKNOWN: Kinds = new Set(['unknown']);

function kindsOfTarget(target: Node, kindsOf: (node: Node) => Kinds): Kinds {
  switch (target.kind) {
    case 'any':
      return UNKNOWN;
    case 'never':
      return new Set();
    case 'string':
    case 'number':
      return new Set([target.kind]);
    case 'boolean':
      return new Set(['true', 'false']);
    case 'literal':
      return new Set(target.values.map(literalKind));
    case 'union':
      return new Set(target.members.flatMap((each) => [...kindsOf(each)]));
    case 'intersection':
      return target.members.map(kindsOf).reduce(both, UNKNOWN);
    default:
      return OTHER;
  }
}

function literalKind(value: JsonPrimitive): Kind {
  if (typeof value === 'boolean') return `${value}`;
  return value === null ? 'other' : `${typeof value as Wide} literal`;
}

/** What two types have in common. */
function both(some: Kinds, others: Kinds): Kinds {
  return new Set([...some].flatMap((one) => [...others].flatMap((other) => common(one, other))));
}

function common(one: Kind, other: Kind): readonly Kind[] {
  if (one === 'unknown' || one === other) return [other];
  if (other === 'unknown') return [one];
  if (one === 'other' || other === 'other') return ['other'];
  if (one === `${other} literal`) return [one];
  return other === `${one} literal` ? [other] : [];
}
