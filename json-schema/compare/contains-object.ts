import type { Node, ObjectNode } from '../model.js';
import type { Values, Within } from './proof.js';
import { isMatched, rulesOf } from './rules.js';

interface Comparing {
  readonly within: Within;
  readonly values: Values;
  /** Whether the outer schema's rule for names accepts one. */
  readonly acceptsName: (rule: Node, name: string) => boolean;
}

/** Whether `outer` accepts all objects that `inner` does. */
export function objectContains(
  outer: ObjectNode,
  inner: ObjectNode,
  comparing: Comparing,
): boolean {
  return (
    countsWithin(outer, inner) &&
    namesWithin(outer, inner, comparing) &&
    outer.properties.every((property) => !property.required || requires(inner, property.name)) &&
    keysWithin(outer, inner, comparing) &&
    othersWithin(outer, inner, comparing)
  );
}

function requires({ properties }: ObjectNode, name: string): boolean {
  return properties.some((each) => each.name === name && each.required);
}

const isClosed = ({ additional, patterns = [] }: ObjectNode): boolean =>
  additional.kind === 'closed' && patterns.length === 0;

function countsWithin(outer: ObjectNode, inner: ObjectNode): boolean {
  const required = inner.properties.filter((each) => each.required).length;
  const least = Math.max(inner.minProperties ?? 0, required);
  const named = isClosed(inner) ? inner.properties.length : Infinity;
  const most = Math.min(inner.maxProperties ?? Infinity, named);
  return least >= (outer.minProperties ?? 0) && most <= (outer.maxProperties ?? Infinity);
}

function namesWithin(
  { names: wide }: ObjectNode,
  inner: ObjectNode,
  comparing: Comparing,
): boolean {
  if (wide === undefined) return true;
  if (inner.names && comparing.within(wide, inner.names)) return true;
  return isClosed(inner) && inner.properties.every(({ name }) => comparing.acceptsName(wide, name));
}

/** Keys that either side names. */
function keysWithin(outer: ObjectNode, inner: ObjectNode, { within, values }: Comparing): boolean {
  const own = new Set(inner.properties.map(({ name }) => name));
  const keys = new Set([...own, ...outer.properties.map(({ name }) => name)]);
  return [...keys].every((key) => {
    const isDescribed = inner.additional.kind === 'typed' || isMatched(inner, key);
    if (!own.has(key) && values === 'named') return false;
    if (!own.has(key) && !isDescribed && values === 'sent') return true;
    const narrow = rulesOf(inner, key);
    return rulesOf(outer, key).every((rule) => narrow.some((each) => within(rule, each)));
  });
}

/** The rules for keys that neither side names. */
function othersWithin(outer: ObjectNode, inner: ObjectNode, { within }: Comparing): boolean {
  if (isClosed(inner)) return true;
  const narrow = inner.patterns ?? [];
  const rest: readonly Node[] =
    inner.additional.kind === 'closed' ? [] : [valuesOf(inner.additional)];
  const patternsHold = (outer.patterns ?? []).every(({ pattern, node }) => {
    const same = narrow.find((each) => each.pattern === pattern);
    if (same) return within(node, same.node);
    return [...narrow.map((each) => each.node), ...rest].every((each) => within(node, each));
  });
  if (!patternsHold) return false;
  if (outer.additional.kind !== 'closed' && outer.additional.kind !== 'typed') return true;
  const wide = valuesOf(outer.additional);
  const known = new Set((outer.patterns ?? []).map(({ pattern }) => pattern));
  // A key that an outer pattern describes is not an additional one.
  const additional = narrow.filter(({ pattern }) => !known.has(pattern)).map(({ node }) => node);
  return [...additional, ...rest].every((each) => within(wide, each));
}

function valuesOf(additional: ObjectNode['additional']): Node {
  if (additional.kind === 'typed') return additional.node;
  return { kind: additional.kind === 'closed' ? 'never' : 'any' };
}
