import { quote } from '../../../diagnostics/index.js';
import type { JsonValue, Node, ObjectNode, Property } from '../../../ir/index.js';
import { isObject } from '../../../read/index.js';
import { contains } from './contains.js';
import { textsMatching } from './matching.js';
import { rulesOf } from './rules.js';
import { sayObjectRules } from './say.js';
import { pathTo } from './difference.js';
import type { Spot, Walk } from './difference.js';

/** Reports the differences of two objects: of each property, and of the rules for all others. */
export function walkObjects(before: ObjectNode, after: ObjectNode, spot: Spot, walk: Walk): void {
  const names = new Set([...before.properties, ...after.properties].map(({ name }) => name));
  for (const name of names) walkProperty(name, before, after, spot, walk);
  walkOthers(before, after, spot, walk);
}

function named(node: ObjectNode, name: string): Property | undefined {
  return node.properties.find((each) => each.name === name);
}

function walkProperty(
  name: string,
  before: ObjectNode,
  after: ObjectNode,
  spot: Spot,
  walk: Walk,
): void {
  const [was, is] = [named(before, name), named(after, name)];
  const { narrow, wide } = walk.sides(before, after);
  const at: Spot = {
    path: pathTo(spot.path, name),
    pointer: was?.pointer ?? spot.pointer,
    lift: withKey(name, narrow, spot, walk),
  };
  const both = was && is && was.unlisted === is.unlisted;
  if (both) walk.into(was.node, is.node, at);
  if (both && was.required === is.required) return;
  const hybrid = withProperty(narrow, name, both ? named(narrow, name)?.node : undefined, wide);
  // A removed key that every object of this kind accepts is still accepted, and means nothing.
  const isIgnored = walk.direction === 'input' && was && !was.unlisted && !is;
  walk.report({
    ...at,
    lift: spot.lift,
    message: sayProperty(name, was, is),
    narrow,
    wide: hybrid,
    ...(isIgnored && { ignored: name }),
  });
}

/** The narrow object with one property as in the wide one. */
function withProperty(
  narrow: ObjectNode,
  name: string,
  node: Node | undefined,
  wide: ObjectNode,
): ObjectNode {
  const required = named(wide, name)?.required === true;
  const rules = rulesOf(wide, name);
  const [only] = rules;
  const own =
    node ?? (rules.length === 1 && only ? only : { kind: 'intersection', members: rules });
  const property: Property = { name, required, node: own };
  const others = narrow.properties.filter((each) => each.name !== name);
  return { ...narrow, properties: [...others, property] };
}

function sayProperty(name: string, was: Property | undefined, is: Property | undefined): string {
  const shown = quote(name);
  if (!was)
    return `the property ${shown} is new, and ${is?.required === true ? 'required' : 'optional'}`;
  if (!is) return `the property ${shown} is gone`;
  return is.required
    ? `the property ${shown} is required now`
    : `the property ${shown} may be missing now`;
}

/** Puts a value under a key of a value of the object. */
function withKey(
  name: string,
  narrow: ObjectNode,
  spot: Spot,
  walk: Walk,
): (value: JsonValue, turn: number) => JsonValue {
  const around = walk.sampler.samples(narrow);
  return (value, turn) => {
    const own = around[turn];
    const object = isObject(own) ? own : {};
    const entries = Object.entries(object).filter(([key]) => key !== name);
    return spot.lift(Object.fromEntries([...entries, [name, value]]), turn);
  };
}

/** The rules for keys that no property names, and for the keys themselves. */
function walkOthers(before: ObjectNode, after: ObjectNode, spot: Spot, walk: Walk): void {
  const { narrow, wide } = walk.sides(before, after);
  const { additional, patterns, names, minProperties, maxProperties } = wide;
  const isTyped = before.additional.kind === 'typed' && after.additional.kind === 'typed';
  const hasSamePatterns = textOf(before) === textOf(after);
  const { patterns: own, names: _, minProperties: __, maxProperties: ___, ...rest } = narrow;
  const kept = hasSamePatterns ? own : patterns;
  const hybrid: ObjectNode = {
    ...rest,
    additional: isTyped ? narrow.additional : additional,
    ...(kept && { patterns: kept }),
    ...(names && { names }),
    ...(minProperties !== undefined && { minProperties }),
    ...(maxProperties !== undefined && { maxProperties }),
  };
  const isSame = contains(hybrid, narrow, 'all', walk) && contains(narrow, hybrid, 'all', walk);
  if (!isSame) {
    walk.report({ ...spot, message: sayObjectRules(before, after), narrow, wide: hybrid });
  }
  if (before.additional.kind === 'typed' && after.additional.kind === 'typed') {
    const lift = withKey(walk.sampler.freshKey, narrow, spot, walk);
    walk.into(before.additional.node, after.additional.node, {
      ...spot,
      path: pathTo(spot.path, '*'),
      lift,
    });
  }
  if (!hasSamePatterns) return;
  before.patterns?.forEach(({ pattern, node }) => {
    const other = after.patterns?.find((each) => each.pattern === pattern);
    const [key = pattern] = textsMatching(pattern, []);
    const lift = withKey(key, narrow, spot, walk);
    if (other) walk.into(node, other.node, { ...spot, path: pathTo(spot.path, pattern), lift });
  });
}

const textOf = ({ patterns = [] }: ObjectNode): string =>
  JSON.stringify(patterns.map(({ pattern }) => pattern).sort());
