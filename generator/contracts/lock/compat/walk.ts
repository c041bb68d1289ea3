import { resolve } from '../../../ir/index.js';
import type { ArrayNode, JsonValue, Node } from '../../../ir/index.js';
import { contains } from './contains.js';
import type { Schemas } from './proof.js';
import { walkObjects } from './walk-object.js';
import { together } from './samples.js';
import type { Spot, Walk, Walking } from './difference.js';
import { sayArrayRules, sayNodes } from './say.js';

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
  walk.into(before, after, { path: '', pointer: '', lift: (value) => value });
}

/** Whether both accept the same values. */
function isSame(a: Node, b: Node, schemas: Schemas): boolean {
  return a === b || (contains(a, b, 'all', schemas) && contains(b, a, 'all', schemas));
}

function step(before: Node, after: Node, spot: Spot, walk: Walk): void {
  if (isSame(before, after, walk)) return;
  if (before.kind === 'object' && after.kind === 'object')
    return walkObjects(before, after, spot, walk);
  if (before.kind === 'array' && after.kind === 'array')
    return walkArrays(before, after, spot, walk);
  if (hasMembers(before) && hasMembers(after) && before.kind === after.kind) {
    const pairs = changedMembers(before.members, after.members, walk);
    if (pairs) return walkMembers(pairs, before, after, spot, walk);
  }
  walk.report({ ...spot, message: sayNodes(before, after), ...walk.sides(before, after) });
}

type WithMembers = Extract<Node, { kind: 'union' | 'intersection' | 'exclusive' }>;

function hasMembers(node: Node): node is WithMembers {
  return node.kind === 'union' || node.kind === 'intersection' || node.kind === 'exclusive';
}

/** The members that changed, in pairs; undefined when members were added or removed. */
function changedMembers(
  before: readonly Node[],
  after: readonly Node[],
  schemas: Schemas,
): (readonly [Node, Node])[] | undefined {
  if (before.length !== after.length || before.length * after.length > MOST_COMPARED)
    return undefined;
  const rest = [...after];
  const changed = before.filter((member) => {
    const at = rest.findIndex((other) => isSame(member, other, schemas));
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  const pairs = changed.map((member, index): readonly [Node, Node] => [
    resolve(member, schemas.definitions),
    resolve(rest[index] ?? member, schemas.definitions),
  ]);
  return pairs.every(([one, other]) => one.kind === other.kind) ? pairs : undefined;
}

function walkMembers(
  pairs: readonly (readonly [Node, Node])[],
  before: WithMembers,
  after: WithMembers,
  spot: Spot,
  walk: Walk,
): void {
  const { narrow } = walk.sides<Node>(before, after);
  const around = walk.sampler.samples(narrow);
  const lift = (value: JsonValue, turn: number): JsonValue =>
    spot.lift(before.kind === 'intersection' ? together(around[turn] ?? {}, value) : value, turn);
  for (const [one, other] of pairs) walk.into(one, other, { ...spot, lift });
}

function walkArrays(before: ArrayNode, after: ArrayNode, spot: Spot, walk: Walk): void {
  const { narrow, wide } = walk.sides(before, after);
  const { items: _, prefix: own, ...rules } = wide;
  const { items: __, prefix: others, ...narrowRules } = narrow;
  if ((own?.length ?? 0) !== (others?.length ?? 0)) {
    walk.report({ ...spot, message: sayNodes(before, after), narrow, wide });
    return;
  }
  if (JSON.stringify(rules) !== JSON.stringify(narrowRules)) {
    const hybrid: Node = { ...rules, items: narrow.items, ...(others && { prefix: others }) };
    if (!isSame(hybrid, narrow, walk)) {
      walk.report({ ...spot, message: sayArrayRules(before, after), narrow, wide: hybrid });
    }
  }
  const around = walk.sampler.samples(narrow);
  const first = own?.length ?? 0;
  const at = (index: number, path: string): Spot => ({
    path: `${spot.path}[${path}]`,
    pointer: spot.pointer,
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
