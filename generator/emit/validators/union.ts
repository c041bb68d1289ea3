import {
  type Definitions,
  literalsOf,
  type Node,
  propertiesOf,
  resolve,
  typesOf,
} from '../../../json-schema/index.js';

/** A union prepared for dispatch: the members that a value can match, by its type and properties. */
export interface UnionPlan {
  /** Members that are objects, if a property distinguishes them. */
  readonly dispatch: Dispatch | undefined;
  /** The other members, tried in order. */
  readonly rest: readonly Node[];
}

/** What a plan of all definitions knows about them. */
export interface UnionContext {
  readonly definitions: Definitions;
  readonly isRecursive: (name: string) => boolean;
}

export interface Dispatch {
  readonly property: string;
  /** In schema order. Several members may remain for one value. */
  readonly cases: readonly { readonly value: string; readonly members: readonly Node[] }[];
  /** The members to try when the property is missing. */
  readonly absent: readonly Node[];
}

export function planUnion(
  members: readonly Node[],
  { definitions, isRecursive }: UnionContext,
): UnionPlan {
  const leaves = flattenUnion(members, definitions, isRecursive, new Set());
  const objects = leaves.filter((leaf) => isObjectNode(leaf, definitions));
  const rest = leaves.filter((leaf) => !objects.includes(leaf));
  const dispatch = rest.every((leaf) => !typesOf(leaf, definitions).has('object'))
    ? dispatchOf(objects, definitions)
    : undefined;
  return dispatch ? { dispatch, rest } : { dispatch, rest: leaves };
}

/**
 * Leaves a recursive union whole, because its members contain it again. A union that occurs twice counts once,
 * because the number of leaves would double with every level.
 */
function flattenUnion(
  members: readonly Node[],
  definitions: Definitions,
  isRecursive: UnionContext['isRecursive'],
  seen: Set<Node>,
): Node[] {
  return members.flatMap((member) => {
    if (member.kind === 'ref' && isRecursive(member.name)) return [member];
    const target = resolve(member, definitions);
    if (target.kind !== 'union') return [member];
    if (seen.has(target)) return [];
    return flattenUnion(target.members, definitions, isRecursive, seen.add(target));
  });
}

function isObjectNode(node: Node, definitions: Definitions): boolean {
  const types = typesOf(node, definitions);
  return types.size === 1 && types.has('object');
}

/**
 * The property that leaves the fewest members to try. Every member restricts it to strings, or may lack
 * it. Unlike a discriminator, it may leave more than one member.
 */
function dispatchOf(members: readonly Node[], definitions: Definitions): Dispatch | undefined {
  if (members.length < 2) return undefined;
  const keys = members.map((member) => stringLiterals(member, definitions));
  const shared = [...(keys[0]?.keys() ?? [])].filter((name) =>
    keys.every((each) => each.has(name)),
  );
  const candidates = shared.map((property) => {
    const left = (value: string | undefined): Node[] =>
      members.filter((_, index) => keys[index]?.get(property)?.includes(value));
    const values = keys
      .flatMap((each) => each.get(property) ?? [])
      .filter((value) => value !== undefined);
    const cases = [...new Set(values)].map((value) => ({ value, members: left(value) }));
    return { property, cases, absent: left(undefined) };
  });
  const best = candidates.sort((a, b) => mostLeft(a) - mostLeft(b))[0];
  return best && mostLeft(best) < members.length ? best : undefined;
}

function mostLeft({ cases, absent }: Dispatch): number {
  return Math.max(absent.length, ...cases.map(({ members }) => members.length));
}

/**
 * The strings of each property that is restricted to strings, and `undefined` if the property is
 * optional.
 */
function stringLiterals(
  member: Node,
  definitions: Definitions,
): Map<string, readonly (string | undefined)[]> {
  const found = new Map<string, readonly (string | undefined)[]>();
  for (const { name, node, required } of propertiesOf(member, definitions)) {
    const values = literalsOf(node, definitions);
    if (!values?.every((value) => typeof value === 'string')) continue;
    found.set(name, required ? values : [...values, undefined]);
  }
  return found;
}

/**
 * A property that this member of a union requires and a later one does not, so that most values of the later one are told apart
 * by it. Not one that every object inherits.
 */
export function ownRequired(
  member: Node,
  members: readonly Node[],
  definitions: Definitions,
): string | undefined {
  const later = members
    .slice(members.indexOf(member) + 1)
    .filter((each) => typesOf(each, definitions).has('object'));
  if (later.length === 0) return undefined;
  const requiredIn = (node: Node): string[] =>
    propertiesOf(node, definitions).flatMap(({ name, required }) => (required ? [name] : []));
  const others = later.map((each) => new Set(requiredIn(each)));
  return requiredIn(member).find(
    (name) => !(name in Object.prototype) && others.some((each) => !each.has(name)),
  );
}

/** Whether no value matches two of the members, so that matching one of them is matching exactly one. */
export function areDisjoint(members: readonly Node[], definitions: Definitions): boolean {
  const types = members.map((member) => typesOf(member, definitions));
  const literals = members.map((member) => stringLiterals(member, definitions));
  return members.every((_, a) =>
    members.every((__, b) => {
      if (b <= a) return true;
      const shared = [...(types[a] ?? [])].filter((type) => types[b]?.has(type));
      if (shared.length === 0) return true;
      return shared.every((type) => type === 'object') && differ(literals[a], literals[b]);
    }),
  );
}

type Literals = ReadonlyMap<string, readonly (string | undefined)[]>;

/** Whether a property has different literals in two objects. */
function differ(a: Literals | undefined, b: Literals | undefined): boolean {
  return [...(a ?? [])].some(([name, values]) => {
    const others = b?.get(name);
    return others !== undefined && !values.some((value) => others.includes(value));
  });
}
