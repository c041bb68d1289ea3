import type { ArrayNode, Node } from '../model.js';
import type { Within } from './proof.js';

/** Whether `outer` accepts all arrays that `inner` does. */
export function arrayContains(
  outer: ArrayNode,
  inner: ArrayNode,
  within: Within,
  isSame: Within,
): boolean {
  const [least, most] = [inner.minItems ?? 0, inner.maxItems ?? Infinity];
  return (
    least >= (outer.minItems ?? 0) &&
    most <= (outer.maxItems ?? Infinity) &&
    (outer.uniqueItems !== true || inner.uniqueItems === true || most <= 1) &&
    itemsWithin(outer, inner, most, within) &&
    containsEnough(outer, inner, within) &&
    containsNoMore(outer, inner, isSame)
  );
}

function itemsWithin(outer: ArrayNode, inner: ArrayNode, most: number, within: Within): boolean {
  const [wide, narrow] = [outer.prefix ?? [], inner.prefix ?? []];
  const positions = Array.from(
    { length: Math.max(wide.length, narrow.length) },
    (_, index) => index,
  );
  return (
    positions
      .filter((index) => index < most)
      .every((index) => within(wide[index] ?? outer.items, narrow[index] ?? inner.items)) &&
    (positions.length >= most || within(outer.items, inner.items))
  );
}

function containsEnough({ contains }: ArrayNode, inner: ArrayNode, within: Within): boolean {
  if (!contains || contains.min === 0) return true;
  const { minItems = 0, items, prefix, contains: own } = inner;
  if (own && own.min >= contains.min && within(contains.node, own.node)) return true;
  const all: readonly Node[] = [...(prefix ?? []), items];
  return minItems >= contains.min && all.every((each) => within(contains.node, each));
}

function containsNoMore({ contains }: ArrayNode, inner: ArrayNode, isSame: Within): boolean {
  const { max } = contains ?? {};
  if (!contains || max === undefined || (inner.maxItems ?? Infinity) <= max) return true;
  const { contains: own } = inner;
  return own?.max !== undefined && own.max <= max && isSame(contains.node, own.node);
}
