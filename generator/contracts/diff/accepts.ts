import {
  ANYTHING,
  type ArrayNode,
  isRefusal,
  type JsonPrimitive,
  type Node,
  type NumberNode,
  type ObjectNode,
  readPattern,
  type StringNode,
} from '../../../json-schema/index.js';
import { sameNode, structure, view } from './scope.js';
import type { Scoped } from './scope.js';

/**
 * Whether `outer` accepts every value of `inner`; false when that is unclear. Two references to one name
 * count as equal, because a change of the definition is reported there. Senders of `inner` do not use
 * keys that it does not name, so `outer` may define them.
 */
export function accepts(outer: Scoped, inner: Scoped): boolean {
  const refuted = new Set<string>();
  for (;;) {
    const count = refuted.size;
    const holds = check(outer, inner, { assumed: new Set(), refuted });
    if (!holds || refuted.size === count) return holds;
  }
}

/**
 * Compared pairs. One counts as accepted while it is compared, so that recursion ends. What relied on that is compared again
 * when it turns out wrong.
 */
interface Pairs {
  readonly assumed: Set<string>;
  readonly refuted: Set<string>;
}

function check(outer: Scoped, inner: Scoped, pairs: Pairs): boolean {
  if (sameNode(outer.node, inner.node)) return true;
  if (outer.node.kind !== 'ref') return checkViews(outer, inner, pairs);
  const pair = `${outer.node.name} ${structure(inner.node)}`;
  if (pairs.refuted.has(pair)) return false;
  if (pairs.assumed.has(pair)) return true;
  pairs.assumed.add(pair);
  const holds = checkViews(outer, inner, pairs);
  if (!holds) pairs.refuted.add(pair);
  return holds;
}

function checkViews(outer: Scoped, inner: Scoped, pairs: Pairs): boolean {
  const a = expand(view(inner));
  const b = view(outer);
  const within = (wide: Node, narrow: Node): boolean =>
    check({ ...outer, node: wide }, { ...inner, node: narrow }, pairs);

  if (b.kind === 'any' || a.kind === 'never') return true;
  if (b.kind === 'union' && b.members.some((member) => sameNode(member, inner.node))) return true;
  if (a.kind === 'union') return a.members.every((member) => within(b, member));
  if (a.kind === 'literal') return a.values.every((value) => acceptsValue(b, value, within));
  if (b.kind === 'intersection') return b.members.every((member) => within(member, inner.node));
  if (a.kind === 'intersection' && a.members.some((member) => within(b, member))) return true;
  if (b.kind === 'union') return b.members.some((member) => within(member, inner.node));
  if (a.kind === 'string' && b.kind === 'string') return acceptsString(b, a);
  if (a.kind === 'number' && b.kind === 'number') return acceptsNumber(b, a);
  if (a.kind === 'array' && b.kind === 'array') return acceptsArray(b, a, within);
  if (a.kind === 'object' && b.kind === 'object') return acceptsObject(b, a, within);
  return a.kind === b.kind && (a.kind === 'null' || a.kind === 'boolean');
}

const ANY: Node = { kind: 'any' };

/** A type may accept every value, one kind at a time, without being `unknown`. */
function expand(node: Node): Node {
  return node.kind === 'any' ? ANYTHING : node;
}

type Within = (wide: Node, narrow: Node) => boolean;

function acceptsValue(node: Node, value: JsonPrimitive, within: Within): boolean {
  switch (node.kind) {
    case 'literal':
      return node.values.includes(value);
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return (
        typeof value === 'string' &&
        node.format === undefined &&
        (node.pattern === undefined || surelyMatches(node.pattern, value)) &&
        inRange([...value].length, node.minLength, node.maxLength)
      );
    case 'number':
      return (
        typeof value === 'number' &&
        (!node.integer || Number.isInteger(value)) &&
        node.multipleOf === undefined &&
        isWithin(node, { minimum: value, maximum: value })
      );
    case 'union':
      return node.members.some((member) => within(member, { kind: 'literal', values: [value] }));
    case 'intersection':
      return node.members.every((member) => within(member, { kind: 'literal', values: [value] }));
    default:
      return false;
  }
}

/** A pattern that would take more than linear time is not tried. */
function surelyMatches(text: string, value: string): boolean {
  const pattern = readPattern(text);
  if (isRefusal(pattern) || pattern.program) return false;
  return new RegExp(pattern.source, 'u').test(value);
}

function inRange(value: number, least = -Infinity, most = Infinity): boolean {
  return value >= least && value <= most;
}

/** Whether one range contains the other. */
function rangeWithin(
  [least = -Infinity, most = Infinity]: readonly [number | undefined, number | undefined],
  [outerLeast = -Infinity, outerMost = Infinity]: readonly [number | undefined, number | undefined],
): boolean {
  return least >= outerLeast && most <= outerMost;
}

function acceptsString(outer: StringNode, inner: StringNode): boolean {
  return (
    (outer.format === undefined || outer.format === inner.format) &&
    (outer.pattern === undefined || outer.pattern === inner.pattern) &&
    rangeWithin([inner.minLength ?? 0, inner.maxLength], [outer.minLength ?? 0, outer.maxLength])
  );
}

function acceptsNumber(outer: NumberNode, inner: NumberNode): boolean {
  return (
    (!outer.integer || inner.integer) &&
    (outer.multipleOf === undefined || outer.multipleOf === inner.multipleOf) &&
    isWithin(outer, inner)
  );
}

type Limits = Omit<NumberNode, 'kind' | 'integer'>;

/** Whether the limits of one number are within those of the other. */
function isWithin(outer: Limits, inner: Limits): boolean {
  const { minimum = -Infinity, maximum = Infinity } = inner;
  const { exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity } = inner;
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = outer;
  return (
    rangeWithin(
      [Math.max(minimum, above), Math.min(maximum, below)],
      [outer.minimum, outer.maximum],
    ) &&
    (exclusiveMinimum === -Infinity || minimum > exclusiveMinimum || above >= exclusiveMinimum) &&
    (exclusiveMaximum === Infinity || maximum < exclusiveMaximum || below <= exclusiveMaximum)
  );
}

function acceptsArray(outer: ArrayNode, inner: ArrayNode, within: Within): boolean {
  return (
    within(outer.items, inner.items) &&
    rangeWithin([inner.minItems ?? 0, inner.maxItems], [outer.minItems ?? 0, outer.maxItems]) &&
    (outer.uniqueItems !== true || inner.uniqueItems === true) &&
    acceptsContained(outer, inner, within) &&
    acceptsFirst(outer, inner, within)
  );
}

function acceptsFirst(outer: ArrayNode, inner: ArrayNode, within: Within): boolean {
  const [wide, narrow] = [outer.prefix ?? [], inner.prefix ?? []];
  const length = Math.max(wide.length, narrow.length);
  return Array.from({ length }, (_, index) => index).every((index) =>
    within(wide[index] ?? outer.items, narrow[index] ?? inner.items),
  );
}

function acceptsContained(
  { contains: wide }: ArrayNode,
  { contains: narrow }: ArrayNode,
  within: Within,
): boolean {
  if (!wide || !narrow) return !wide;
  if (wide.max !== undefined) return structure(wide) === structure(narrow);
  return narrow.min >= wide.min && within(wide.node, narrow.node);
}

function acceptsObject(outer: ObjectNode, inner: ObjectNode, within: Within): boolean {
  const given = new Map(inner.properties.map((property) => [property.name, property]));
  const named = new Set(outer.properties.map(({ name }) => name));
  const known = outer.properties.every(({ name, required, node }) => {
    const property = given.get(name);
    if (property) return (property.required || !required) && within(node, property.node);
    if (required) return false;
    return inner.additional.kind !== 'typed' || within(node, inner.additional.node);
  });
  const rest = inner.properties
    .filter(({ name }) => !named.has(name))
    .every(({ node }) => acceptsExtra(outer, node, within));
  return known && rest && acceptsKeys(outer, inner, within) && acceptsOthers(outer, inner, within);
}

/** The rules for all keys, also those that it names. */
function acceptsKeys(outer: ObjectNode, inner: ObjectNode, within: Within): boolean {
  const { names, minProperties = 0, maxProperties, patterns = [] } = outer;
  const required = inner.properties.filter((each) => each.required).length;
  const least = Math.max(inner.minProperties ?? 0, required);
  const known = new Map((inner.patterns ?? []).map(({ pattern, node }) => [pattern, node]));
  const isLimited = outer.additional.kind === 'closed' || outer.additional.kind === 'typed';
  return (
    (names === undefined || (inner.names !== undefined && within(names, inner.names))) &&
    rangeWithin([least, inner.maxProperties], [minProperties, maxProperties]) &&
    patterns.every(({ pattern, node }) => {
      const own = known.get(pattern);
      return own !== undefined && within(node, own);
    }) &&
    (known.size === patterns.length || !isLimited)
  );
}

/** Whether an object accepts keys that it does not name. */
function acceptsExtra({ additional }: ObjectNode, value: Node, within: Within): boolean {
  if (additional.kind === 'typed') return within(additional.node, value);
  return additional.kind !== 'closed';
}

/** The rules for keys that neither names. */
function acceptsOthers(outer: ObjectNode, inner: ObjectNode, within: Within): boolean {
  const [wide, narrow] = [outer.additional, inner.additional];
  if (narrow.kind === 'closed') return true;
  if (wide.kind !== 'typed') return wide.kind !== 'closed';
  return within(wide.node, narrow.kind === 'typed' ? narrow.node : ANY);
}
