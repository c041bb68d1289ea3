import { multiple } from '../portable/values.js';
import type { Node, NumberNode, StringNode } from '../model.js';

/** Texts and numbers: whether `outer` accepts all that `inner` does. */
export function scalarContains(outer: Node, inner: Node): boolean {
  if (outer.kind === 'string' && inner.kind === 'string') return stringContains(outer, inner);
  if (outer.kind === 'number' && inner.kind === 'number') return numberContains(outer, inner);
  return false;
}

function stringContains(outer: StringNode, inner: StringNode): boolean {
  const { format, pattern, minLength = 0, maxLength = Infinity } = outer;
  return (
    (format === undefined || format === inner.format) &&
    (pattern === undefined || pattern === inner.pattern) &&
    (inner.minLength ?? 0) >= minLength &&
    (inner.maxLength ?? Infinity) <= maxLength
  );
}

function numberContains(outer: NumberNode, inner: NumberNode): boolean {
  return (
    (!outer.integer ||
      inner.integer ||
      (inner.multipleOf !== undefined && Number.isInteger(inner.multipleOf))) &&
    (outer.multipleOf === undefined || isMultiple(inner, outer.multipleOf)) &&
    isAtLeast(inner, outer.minimum ?? -Infinity) &&
    isAtMost(inner, outer.maximum ?? Infinity) &&
    isAbove(inner, outer.exclusiveMinimum ?? -Infinity) &&
    isBelow(inner, outer.exclusiveMaximum ?? Infinity)
  );
}

function isMultiple({ multipleOf, integer }: NumberNode, of: number): boolean {
  if (multipleOf !== undefined) return multiple(multipleOf, of);
  return integer && multiple(1, of);
}

function isAtLeast(
  { minimum = -Infinity, exclusiveMinimum = -Infinity }: NumberNode,
  least: number,
): boolean {
  return minimum >= least || exclusiveMinimum >= least;
}

function isAtMost(
  { maximum = Infinity, exclusiveMaximum = Infinity }: NumberNode,
  most: number,
): boolean {
  return maximum <= most || exclusiveMaximum <= most;
}

function isAbove(
  { minimum = -Infinity, exclusiveMinimum = -Infinity }: NumberNode,
  limit: number,
): boolean {
  return limit === -Infinity || minimum > limit || exclusiveMinimum >= limit;
}

function isBelow(
  { maximum = Infinity, exclusiveMaximum = Infinity }: NumberNode,
  limit: number,
): boolean {
  return limit === Infinity || maximum < limit || exclusiveMaximum <= limit;
}
