import {
  type ArrayNode,
  type Definitions,
  mapNode,
  type Node,
  type ObjectNode,
  type Property,
  resolve,
} from '../../../json-schema/index.js';
import { isExactItself, isInherited } from './native.js';

const ANY: Node = { kind: 'any' };

/** Levels of references that are followed. */
const DEEPEST = 200;

/** Properties of all merged objects. Definitions that extend each other have as many as the square of their number. */
const MOST_PROPERTIES = 100_000;

/**
 * What Zod can say of nodes: nodes that accept every value of the originals, and often more. An object stays one, with all
 * the properties that the schema gives it, also where other keywords say more about it.
 */
export class Loosener {
  readonly #definitions: Definitions;
  /** By node, because definitions share nodes and chains of them double. */
  readonly #known = new Map<Node, ObjectNode | undefined>();
  #depth = 0;
  #properties = 0;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  loosen(node: Node): Node {
    return mapNode(node, (inner) => this.#itself(inner));
  }

  /** The same, where the parts are loosened already. */
  #itself(node: Node): Node {
    switch (node.kind) {
      case 'constant':
      case 'not':
      case 'conditional':
        return ANY;
      case 'unevaluated':
        return node.node;
      case 'union':
      case 'exclusive':
        return node.members.some(({ kind }) => kind === 'any') ? ANY : { ...node, kind: 'union' };
      case 'array':
        return isExactItself(node, this.#definitions) ? node : looseArray(node);
      case 'object':
        return isExactItself(node, this.#definitions) ? node : looseObject(node);
      case 'intersection':
        return this.#intersection(node.members);
      default:
        return node;
    }
  }

  #intersection(members: readonly Node[]): Node {
    const telling = members.filter(({ kind }) => kind !== 'any');
    const [first = ANY, ...others] = telling;
    if (others.length === 0) return first;
    const node: Node = { kind: 'intersection', members: telling };
    if (isExactItself(node, this.#definitions)) return node;
    return this.#merged(telling.flatMap((each) => this.#objectOf(each) ?? [])) ?? first;
  }

  /** The object that a value of a node is; `undefined` if it need not be one. */
  #objectOf(node: Node): ObjectNode | undefined {
    const target = resolve(node, this.#definitions);
    if (this.#known.has(target) || this.#depth >= DEEPEST) return this.#known.get(target);
    // For a definition that refers to itself.
    this.#known.set(target, undefined);
    this.#depth += 1;
    const found = this.#ownObject(target);
    this.#depth -= 1;
    this.#known.set(target, found);
    return found;
  }

  #ownObject(target: Node): ObjectNode | undefined {
    switch (target.kind) {
      case 'object':
        return looseObject(this.loosen(target) as ObjectNode);
      case 'unevaluated':
        return this.#objectOf(target.node);
      case 'intersection':
        return this.#merged(target.members.flatMap((each) => this.#objectOf(each) ?? []));
      default:
        return undefined;
    }
  }

  /** What several objects say of a value; `undefined` if there are none, or too many. */
  #merged(objects: readonly ObjectNode[]): ObjectNode | undefined {
    const [only, ...others] = objects;
    if (!only || others.length === 0) return only;
    const all = objects.flatMap(({ properties }) => properties);
    this.#properties += all.length;
    if (this.#properties > MOST_PROPERTIES) return undefined;
    const byName = new Map<string, Property>();
    for (const property of all) {
      const before = byName.get(property.name);
      byName.set(property.name, before ? this.#together(before, property) : property);
    }
    const properties = [...byName.values()];
    return { kind: 'object', properties, additional: { kind: 'open' }, hasProperties: true };
  }

  #together(one: Property, other: Property): Property {
    const node = this.#intersection([one.node, other.node]);
    return { ...one, required: one.required || other.required, node };
  }
}

/** Zod's tuples are no shorter than their items. */
function looseArray({ kind, items, prefix, minItems, maxItems }: ArrayNode): ArrayNode {
  const isTuple = prefix && minItems === prefix.length;
  return {
    kind,
    items: prefix && !isTuple ? ANY : items,
    ...(isTuple && { prefix }),
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
  };
}

function looseObject({ properties, additional, hasProperties, patterns }: ObjectNode): ObjectNode {
  const named = properties.filter((each) => !isInherited(each));
  const isWhole = !patterns && named.length === properties.length;
  return {
    kind: 'object',
    properties: named,
    additional: isWhole ? additional : { kind: 'open' },
    hasProperties,
  };
}
