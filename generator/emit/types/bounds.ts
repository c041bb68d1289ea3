import {
  type Definition,
  mapParts,
  type Node,
  recursiveNames,
  referencesOf,
} from '../../../json-schema/index.js';

/** Combinations that the compiler may form of an intersection of unions. */
const MOST_COMBINATIONS = 1_000;

/** A longer chain of references counts as too many combinations, because it would exhaust the stack. */
const DEEPEST = 200;

export interface Bounded {
  readonly definitions: readonly Definition[];
  /** The definitions in which an intersection became `unknown`. */
  readonly cut: ReadonlySet<string>;
}

/** Replaces what would slow down or stop the compiler. Takes relaxed definitions. */
export function bounded(relaxed: readonly Definition[]): Bounded {
  const definitions = withoutCircles(relaxed);
  const weigh = weighing(new Map(definitions.map(({ name, node }) => [name, node])));
  const cut = new Set<string>();
  const kept = definitions.map((definition) => {
    const bound = (node: Node): Node => {
      const light = mapParts(node, bound);
      if (light.kind !== 'intersection' || weigh(light) <= MOST_COMBINATIONS) return light;
      cut.add(definition.name);
      return { kind: 'any' };
    };
    return { ...definition, node: bound(definition.node) };
  });
  return { definitions: kept, cut };
}

/**
 * The number of combinations that the compiler may form for a node or any property in it. The numbers of
 * a union's members add up, those of an intersection multiply, and literals count as one.
 */
function weighing(nodes: ReadonlyMap<string, Node>): (node: Node) => number {
  const known = new Map<string, number>();
  let depth = 0;

  function weighReference(name: string): number {
    const found = known.get(name);
    if (found !== undefined) return found;
    if (depth >= DEEPEST) return Infinity;
    known.set(name, 1);
    depth += 1;
    const weight = weigh(nodes.get(name) ?? { kind: 'any' });
    depth -= 1;
    known.set(name, weight);
    return weight;
  }

  function weigh(node: Node): number {
    switch (node.kind) {
      case 'ref':
        return weighReference(node.name);
      case 'union': {
        const { members } = node;
        const telling = members.filter(({ kind }) => kind !== 'literal');
        return telling.map(weigh).reduce((sum, weight) => sum + weight, 1);
      }
      case 'intersection':
        return node.members.map(weigh).reduce((product, weight) => product * weight, 1);
      default: {
        let most = 1;
        mapParts(node, (part) => {
          most = Math.max(most, weigh(part));
          return part;
        });
        return most;
      }
    }
  }
  return weigh;
}

/**
 * The compiler reads the lists in a tuple at once where the tuple is a part of an intersection, and refuses a type that it
 * reaches there again (TS2456), as in `type A = B & [string, A[]]`. The items of such lists become `unknown`.
 */
function withoutCircles(definitions: readonly Definition[]): Definition[] {
  const references = new Map(definitions.map(({ name, node }) => [name, referencesOf(node)]));
  const recursive = recursiveNames(references);
  const widen = (node: Node): Node => {
    if (node.kind === 'union' || node.kind === 'intersection') return mapParts(node, widen);
    if (node.kind !== 'array' || ![...referencesOf(node)].some((name) => recursive.has(name)))
      return node;
    const { prefix: _, ...list } = node;
    return { ...list, items: { kind: 'any' } };
  };
  const open = (node: Node, isPart: boolean): Node => {
    switch (node.kind) {
      case 'union':
      case 'intersection':
        return mapParts(node, (part) => open(part, isPart || node.kind === 'intersection'));
      case 'array':
        return node.prefix && isPart ? mapParts(node, widen) : node;
      default:
        return node;
    }
  };
  return definitions.map((each) =>
    recursive.has(each.name) ? { ...each, node: open(each.node, false) } : each,
  );
}
