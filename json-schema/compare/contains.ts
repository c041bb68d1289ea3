import { ANYTHING } from '../anything.js';
import type { Judge } from '../compile/compile.js';
import { resolve } from '../lookup.js';
import type { Definitions } from '../lookup.js';
import type { JsonValue, Node, ObjectNode } from '../model.js';
import { arrayContains } from './contains-array.js';
import { objectContains } from './contains-object.js';
import { scalarContains } from './contains-scalar.js';
import { isApart } from './disjoint.js';
import { evaluatesSame, isPermutation } from './evaluates.js';
import type { Schemas, Values, Within } from './proof.js';
import { mergedObject } from './merge.js';

/** Pairs of nodes that one proof looks at, and their levels; beyond them it fails. */
const MOST_PAIRS = 20_000;
const MOST_LEVELS = 150;

/**
 * Proves that `outer` accepts every value of `inner`; false when that is unclear. References may lead back: a pair counts as
 * proved while it is looked at, and all is looked at again when that turns out wrong.
 */
export function contains(
  outer: Node,
  inner: Node,
  schemas: Schemas,
  values: Values = 'all',
): boolean {
  const known = knownBy(schemas);
  const refuted = new Set<string>();
  let budget = MOST_PAIRS;
  let level = 0;
  let isCut = false;
  for (;;) {
    const assumed = new Set<string>();
    const count = refuted.size;
    const prove: Prove = (wide, narrow, mode) => {
      if (wide === narrow || schemas.isKnown?.(wide, narrow)) return true;
      const pair = `${mode} ${String(idOf(wide))} ${String(idOf(narrow))}`;
      if (refuted.has(pair) || known.refuted.has(pair)) return false;
      if (assumed.has(pair) || known.proved.has(pair)) return true;
      budget -= 1;
      isCut ||= budget < 0 || level > MOST_LEVELS;
      if (budget < 0 || level > MOST_LEVELS) return false;
      assumed.add(pair);
      level += 1;
      const holds = provePair(wide, narrow, { values: mode, prove, ...schemas });
      level -= 1;
      if (!holds) refuted.add(pair);
      return holds;
    };
    const holds = prove(outer, inner, values);
    if (!isCut) for (const pair of refuted) known.refuted.add(pair);
    if (!holds || budget < 0) return false;
    if (refuted.size > count) continue;
    for (const pair of assumed) known.proved.add(pair);
    return true;
  }
}

interface Known extends Pick<Schemas, 'isKnown'> {
  readonly proved: Set<string>;
  readonly refuted: Set<string>;
}

const knowledge = new WeakMap<Judge, Known>();

/** Pairs that earlier proofs about the same definitions decided, with the same pairs taken for granted. */
function knownBy({ acceptance, isKnown }: Schemas): Known {
  const earlier = knowledge.get(acceptance);
  if (earlier && earlier.isKnown === isKnown) return earlier;
  const known = {
    ...(isKnown && { isKnown }),
    proved: new Set<string>(),
    refuted: new Set<string>(),
  };
  knowledge.set(acceptance, known);
  return known;
}

const ids = new WeakMap<Node, number>();
let lastId = 0;

/** A number for each node. */
function idOf(node: Node): number {
  const known = ids.get(node);
  if (known !== undefined) return known;
  ids.set(node, (lastId += 1));
  return lastId;
}

type Prove = (outer: Node, inner: Node, values: Values) => boolean;

interface Proving extends Schemas {
  readonly values: Values;
  readonly prove: Prove;
}

function provePair(outer: Node, inner: Node, proving: Proving): boolean {
  const { definitions, acceptance, values, prove, isKnown } = proving;
  const b = resolve(outer, definitions);
  const a = resolve(inner, definitions);
  const within: Within = (wide, narrow) => prove(wide, narrow, values);
  const isSame: Within = (one, other) => prove(one, other, 'all') && prove(other, one, 'all');

  if (b.kind === 'any' || a.kind === 'never') return true;
  if (isKnown && b.kind === 'union' && b.members.some((member) => isKnown(member, inner)))
    return true;
  const listed = valuesOf(a);
  if (listed) return listed.every((value) => acceptance.accepts(b, value));
  if (hasSameShape(b, a, proving)) return true;
  if (b.kind === 'intersection') return b.members.every((member) => within(member, inner));
  if (a.kind === 'any') return within(b, ANYTHING);
  return (
    hasMember(b, inner, definitions, within) ||
    isPartWithin(outer, a, proving, within) ||
    hasType(b, a, { within, isSame, values, acceptance })
  );
}

/** By one alternative of the outer node. */
function hasMember(b: Node, inner: Node, definitions: Definitions, within: Within): boolean {
  if (b.kind === 'union') return b.members.some((member) => within(member, inner));
  return b.kind === 'exclusive' && oneOnly(b.members, inner, definitions, within);
}

/** By the parts of the inner node. */
function isPartWithin(outer: Node, a: Node, schemas: Schemas, within: Within): boolean {
  switch (a.kind) {
    case 'union':
    case 'exclusive':
      return a.members.every((member) => within(outer, member));
    case 'intersection':
      return intersectionWithin(a.members, outer, schemas, within);
    case 'unevaluated':
      return within(outer, a.node);
    case 'conditional':
      return within(outer, a.then) && within(outer, a.else);
    default:
      return false;
  }
}

interface Comparing {
  readonly within: Within;
  readonly isSame: Within;
  readonly values: Values;
  readonly acceptance: Judge;
}

/** By the rules of one type. */
function hasType(b: Node, a: Node, { within, isSame, values, acceptance }: Comparing): boolean {
  if (a.kind === 'array' && b.kind === 'array') return arrayContains(b, a, within, isSame);
  if (a.kind === 'object' && b.kind === 'object') {
    const acceptsName = (rule: Node, name: string): boolean => acceptance.accepts(rule, name);
    return objectContains(b, a, { within, values, acceptsName });
  }
  return scalarContains(b, a);
}

/** All values of a node, when these are few. */
function valuesOf(node: Node): readonly JsonValue[] | undefined {
  switch (node.kind) {
    case 'literal':
      return node.values;
    case 'constant':
      return [node.value];
    case 'null':
      return [null];
    case 'boolean':
      return [true, false];
    default:
      return undefined;
  }
}

/** Rules that are compared part by part, because what they accept is hard to say. */
function hasSameShape(b: Node, a: Node, { values, prove, definitions }: Proving): boolean {
  const within: Within = (wide, narrow) => prove(wide, narrow, values);
  const isSame: Within = (one, other) => prove(one, other, 'all') && prove(other, one, 'all');
  if (a.kind === 'not' && b.kind === 'not') return prove(a.node, b.node, 'all');
  if (a.kind === 'exclusive' && b.kind === 'exclusive')
    return isPermutation(b.members, a.members, isSame);
  if (a.kind === 'conditional' && b.kind === 'conditional')
    return isSame(b.if, a.if) && within(b.then, a.then) && within(b.else, a.else);
  if (a.kind === 'unevaluated' && b.kind === 'unevaluated')
    return (
      isSame(b.node, a.node) &&
      evaluatesSame(b.node, a.node, definitions, isSame) &&
      [
        [b.properties, a.properties],
        [b.items, a.items],
      ].every(([wide, narrow]) => wide === narrow || (wide && narrow && within(wide, narrow)))
    );
  return false;
}

function intersectionWithin(
  members: readonly Node[],
  outer: Node,
  { definitions, acceptance }: Schemas,
  within: Within,
): boolean {
  if (members.some((member) => within(outer, member))) return true;
  const parts = members.map((member) => resolve(member, definitions));
  const listed = parts.map(valuesOf).find((each) => each !== undefined);
  if (listed) {
    const whole: Node = { kind: 'intersection', members };
    return listed
      .filter((value) => acceptance.accepts(whole, value))
      .every((value) => acceptance.accepts(outer, value));
  }
  const at = parts.findIndex(({ kind }) => kind === 'union');
  const union = parts[at];
  if (union?.kind === 'union') {
    // Each alternative with the other members.
    return union.members.every((member) =>
      within(outer, { kind: 'intersection', members: parts.with(at, member) }),
    );
  }
  const merged = mergedOnce(members, definitions);
  return merged !== undefined && within(outer, merged);
}

const merges = new WeakMap<readonly Node[], ObjectNode | undefined>();

/** One object for one intersection, so that recursion through it ends. */
function mergedOnce(members: readonly Node[], definitions: Definitions): ObjectNode | undefined {
  if (!merges.has(members)) merges.set(members, mergedObject(members, definitions));
  return merges.get(members);
}

/** Whether one alternative accepts the node's values, and no other accepts any of them. */
function oneOnly(
  members: readonly Node[],
  node: Node,
  definitions: Definitions,
  within: Within,
): boolean {
  return members.some(
    (member, index) =>
      within(member, node) &&
      members.every((other, at) => at === index || isApart(other, node, definitions)),
  );
}
