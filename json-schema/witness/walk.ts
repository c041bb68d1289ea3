import { equal } from '../compare/equal.js';
import type { Schemas } from '../compare/proof.js';
import { resolve } from '../lookup.js';
import type { ArrayNode, JsonValue, Node } from '../model.js';
import { together } from '../sample/samples.js';
import { walkObjects } from './walk-object.js';
import type { Spot, Walk, Walking } from './difference.js';

/** Alternatives that are compared with each other. */
const MOST_COMPARED = 400;

/** Reports the places where two schemas differ, as deep in them as possible. */
export function walkSchemas(before: Node, after: Node, walking: Walking): void {
  const seen = new Set<string>();
  const numbers = new Map<Node, number>();
  const numberOf = (node: Node): number => {
    if (!numbers.has(node)) numbers.set(node, numbers.size);
    return numbers.get(node) ?? 0;
  };
  const walk: Walk = {
    ...walking,
    sides: (one, other) =>
      walking.direction === 'input' ? { narrow: one, wide: other } : { narrow: other, wide: one },
    into(one, other, spot) {
      const [b, a] = [resolve(one, walking.definitions), resolve(other, walking.definitions)];
      const pair = `${String(numberOf(b))} ${String(numberOf(a))}`;
      if (seen.has(pair)) return;
      seen.add(pair);
      step(b, a, spot, walk);
    },
  };
  walk.into(before, after, {
    path: '',
    pointer: '',
    lift: (value) => value,
    put: (_, node) => node,
  });
}

function step(before: Node, after: Node, spot: Spot, walk: Walk): void {
  if (equal(before, after, walk)) return;
  if (before.kind === 'object' && after.kind === 'object')
    return walkObjects(before, after, spot, walk);
  if (before.kind === 'array' && after.kind === 'array')
    return walkArrays(before, after, spot, walk);
  if (hasMembers(before) && hasMembers(after) && before.kind === after.kind) {
    const pairs = changedMembers(before.members, after.members, walk);
    if (pairs) return walkMembers(pairs, before, after, spot, walk);
  }
  const sides = walk.sides(before, after);
  const change = { kind: 'node', before, after } as const;
  walk.report({ ...spot, change, ...sides, undone: sides.narrow });
}

type WithMembers = Extract<Node, { kind: 'union' | 'intersection' | 'exclusive' }>;

function hasMembers(node: Node): node is WithMembers {
  return node.kind === 'union' || node.kind === 'intersection' || node.kind === 'exclusive';
}

/** The places of the members that changed, in pairs; undefined when members were added or removed. */
function changedMembers(
  before: readonly Node[],
  after: readonly Node[],
  schemas: Schemas,
): (readonly [number, number])[] | undefined {
  if (before.length !== after.length || before.length * after.length > MOST_COMPARED)
    return undefined;
  const rest = [...after.entries()];
  const changed = [...before.keys()].filter((index) => {
    const at = rest.findIndex(([, other]) => equal(before[index] ?? other, other, schemas));
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  const kindOf = (node: Node | undefined) => node && resolve(node, schemas.definitions).kind;
  const pairs = changed.map((one, index) => [one, rest[index]?.[0] ?? one] as const);
  return pairs.every(([one, other]) => kindOf(before[one]) === kindOf(after[other]))
    ? pairs
    : undefined;
}

function walkMembers(
  pairs: readonly (readonly [number, number])[],
  before: WithMembers,
  after: WithMembers,
  spot: Spot,
  walk: Walk,
): void {
  const sides = walk.sides(before, after);
  const around = walk.sampler.samples(sides.narrow);
  const lift = (value: JsonValue, turn: number): JsonValue =>
    spot.lift(before.kind === 'intersection' ? together(around[turn] ?? {}, value) : value, turn);
  for (const [one, other] of pairs) {
    const at = walk.sides(one, other);
    const put: Spot['put'] = (side, node) =>
      spot.put(side, { ...sides[side], members: sides[side].members.with(at[side], node) });
    const [was, is] = [before.members[one], after.members[other]];
    if (was && is) walk.into(was, is, { ...spot, lift, put });
  }
}

function walkArrays(before: ArrayNode, after: ArrayNode, spot: Spot, walk: Walk): void {
  const sides = walk.sides(before, after);
  const { narrow, wide } = sides;
  const first = wide.prefix?.length ?? 0;
  if (first !== (narrow.prefix?.length ?? 0)) {
    const change = { kind: 'node', before, after } as const;
    walk.report({ ...spot, change, narrow, wide, undone: narrow });
    return;
  }
  const hybrid = withItems(wide, narrow);
  if (JSON.stringify(hybrid) !== JSON.stringify(narrow) && !equal(hybrid, narrow, walk)) {
    const change = { kind: 'items', before, after } as const;
    walk.report({ ...spot, change, narrow, wide: hybrid, undone: withItems(narrow, wide) });
  }
  const around = walk.sampler.samples(narrow);
  const at = (index: number, path: string): Spot => ({
    path: `${spot.path}[${path}]`,
    pointer: spot.pointer,
    put(side, node) {
      const { prefix } = sides[side];
      const isPrefix = prefix !== undefined && index < prefix.length;
      const items = isPrefix ? { prefix: prefix.with(index, node) } : { items: node };
      return spot.put(side, { ...sides[side], ...items });
    },
    lift(value, turn) {
      const full = around.filter((each) => Array.isArray(each) && each.length > index);
      const list = (full[turn] ?? around[turn] ?? []) as JsonValue[];
      return spot.lift(list.length > index ? list.with(index, value) : [...list, value], turn);
    },
  });
  before.prefix?.forEach((node, index) => {
    walk.into(node, after.prefix?.[index] ?? after.items, at(index, String(index)));
  });
  walk.into(before.items, after.items, at(first, ''));
}

/** The rules of one array for its length and its items together, with the items of another. */
function withItems({ items: _, prefix: __, ...rules }: ArrayNode, other: ArrayNode): ArrayNode {
  return { ...rules, items: other.items, ...(other.prefix && { prefix: other.prefix }) };
}
