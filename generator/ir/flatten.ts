import {
  type Definitions,
  discriminatorOf,
  type IntersectionNode,
  type Node,
  type ObjectNode,
  type Property,
  resolve,
  type UnionNode,
} from '../../json-schema/index.js';

/** The largest number of alternatives of an intersection. */
const MOST_ALTERNATIVES = 16;

/** Levels of nodes and references that are followed, because an untrusted schema decides their number. */
const DEEPEST = 200;

/**
 * Properties of all merged objects of a protocol. Definitions that extend each other have as many as the
 * square of their number.
 */
const MOST_PROPERTIES = 100_000;

/**
 * Merges intersections of objects, so that there is one list of properties. What is larger than the limits
 * stays an intersection.
 */
export class Flattener {
  readonly #definitions: Definitions;
  /** By node, because definitions share nodes and chains of them double. */
  readonly #known = new Map<Node, readonly ObjectNode[] | undefined>();
  #depth = 0;
  #properties = 0;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** An equivalent object or union of objects; `undefined` when there is none. */
  flatten(node: IntersectionNode): ObjectNode | UnionNode | undefined {
    const [only, ...others] = this.#alternatives(node) ?? [];
    if (!only) return undefined;
    if (others.length === 0) return only;
    const members = [only, ...others];
    const discriminator = discriminatorOf(members, this.#definitions);
    return { kind: 'union', members, ...(discriminator && { discriminator }) };
  }

  /** The objects that a node accepts; `undefined` if it accepts other values, or is recursive. */
  #alternatives(node: Node): readonly ObjectNode[] | undefined {
    const target = resolve(node, this.#definitions);
    if (this.#known.has(target) || this.#depth >= DEEPEST) return this.#known.get(target);
    this.#known.set(target, undefined);
    this.#depth += 1;
    this.#known.set(target, this.#alternativesOf(target));
    this.#depth -= 1;
    return this.#known.get(target);
  }

  #alternativesOf(target: Node): readonly ObjectNode[] | undefined {
    if (target.kind === 'object') return isPlain(target) ? [target] : undefined;
    if (target.kind !== 'union' && target.kind !== 'intersection') return undefined;
    const lists: (readonly ObjectNode[])[] = [];
    for (const member of target.members) {
      const list = this.#alternatives(member);
      if (!list) return undefined;
      lists.push(list);
    }
    if (target.kind === 'intersection') return this.#mergeEach(combinations(lists));
    const objects = lists.flat();
    return objects.length <= MOST_ALTERNATIVES ? objects : undefined;
  }

  #mergeEach(combined: readonly (readonly ObjectNode[])[] = []): ObjectNode[] | undefined {
    for (const { properties } of combined.flat()) this.#properties += properties.length;
    if (this.#properties > MOST_PROPERTIES || !combined.every(isMergeable)) return undefined;
    return combined.map((objects) => this.#merge(objects));
  }

  #merge(objects: readonly ObjectNode[]): ObjectNode {
    const byName = new Map<string, Property[]>();
    for (const property of objects.flatMap(({ properties }) => properties)) {
      const same = byName.get(property.name);
      if (same) same.push(property);
      else byName.set(property.name, [property]);
    }
    const kinds = new Set(objects.map(({ additional }) => additional.kind));
    return {
      kind: 'object',
      properties: [...byName.values()].flatMap((same) => this.#together(same)),
      additional: { kind: kinds.has('closed') ? 'closed' : kinds.has('open') ? 'open' : 'unsaid' },
      hasProperties: objects.some(({ hasProperties }) => hasProperties),
    };
  }

  /** The declarations of one property as one. */
  #together(same: readonly Property[]): readonly Property[] {
    const [first, ...others] = same;
    if (!first || others.length === 0) return same;
    const required = same.some((each) => each.required);
    return [{ name: first.name, required, node: this.#all(same.map(({ node }) => node)) }];
  }

  /** A simple node that accepts the values that all accept. */
  #all(nodes: readonly Node[]): Node {
    const [first = nodes.at(-1) ?? { kind: 'any' }, ...others] = this.#narrowest(nodes);
    if (others.length === 0) return first;
    const node: IntersectionNode = { kind: 'intersection', members: [first, ...others] };
    const { description } = node.members.findLast((each) => each.description) ?? {};
    return { ...(this.flatten(node) ?? node), ...(description && { description }) };
  }

  /** Those of the nodes that are enough to say what all accept. */
  #narrowest(nodes: readonly Node[]): Node[] {
    const byTarget = new Map(nodes.map((node) => [resolve(node, this.#definitions), node]));
    const kept = [...byTarget].filter(([{ kind }]) => kind !== 'any');
    const literals = kept.flatMap(([target, node]) =>
      target.kind === 'literal' ? [{ node, values: target.values }] : [],
    );
    const fewest = literals.sort((a, b) => a.values.length - b.values.length)[0];
    const isEnough = fewest && kept.every(([target]) => accepts(target, fewest.values));
    return isEnough ? [fewest.node] : kept.map(([, node]) => node);
  }
}

/** The ways to take one object of each list; `undefined` if there are too many. */
function combinations(lists: readonly (readonly ObjectNode[])[]): ObjectNode[][] | undefined {
  let taken: ObjectNode[][] = [[]];
  for (const list of lists) {
    if (taken.length * list.length > MOST_ALTERNATIVES) return undefined;
    const [only, ...others] = list;
    if (only && others.length === 0) for (const each of taken) each.push(only);
    else taken = taken.flatMap((each) => list.map((object) => [...each, object]));
  }
  return taken;
}

/** Whether objects that are closed have all properties of the others, so that merging loses nothing. */
function isMergeable(objects: readonly ObjectNode[]): boolean {
  const closed = objects.filter(({ additional }) => additional.kind === 'closed');
  return closed.every(({ properties }) => {
    const listed = new Set(properties.map(({ name, unlisted }) => (unlisted ? undefined : name)));
    return objects.every((each) => each.properties.every(({ name }) => listed.has(name)));
  });
}

/** Whether an object says no more than what its properties are. */
function isPlain(node: ObjectNode): boolean {
  const { additional, patterns, names, minProperties, maxProperties } = node;
  if (additional.kind === 'typed') return false;
  return !patterns && !names && minProperties === undefined && maxProperties === undefined;
}

/** Whether a node is known to accept all of these values. */
function accepts(node: Node, values: readonly unknown[]): boolean {
  switch (node.kind) {
    case 'string':
    case 'boolean':
      return isUnlimited(node) && values.every((value) => typeof value === node.kind);
    case 'number':
      return isUnlimited(node) && values.every(node.integer ? Number.isInteger : Number.isFinite);
    case 'literal': {
      const known = new Set<unknown>(node.values);
      return values.every((value) => known.has(value));
    }
    default:
      return false;
  }
}

/** What a node may have without refusing a value of its type, or a value that its `integer` allows. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['kind', 'integer', 'description', 'default', 'deprecated'],
]);

const isUnlimited = (node: Node): boolean => Object.keys(node).every((key) => HARMLESS.has(key));
