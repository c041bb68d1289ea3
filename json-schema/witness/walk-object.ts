import { equal } from '../compare/equal.js';
import { rulesOf } from '../compare/rules.js';
import { isObject } from '../json.js';
import type { JsonValue, Node, ObjectNode, PatternRule, Property } from '../model.js';
import { textsMatching } from '../sample/matching.js';
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
  const sides = walk.sides(before, after);
  const { narrow, wide } = sides;
  const at: Spot = {
    path: pathTo(spot.path, name),
    pointer: was?.pointer ?? spot.pointer,
    lift: withKey(name, narrow, spot, walk),
    put: (side, node) => {
      const change = (each: Property): Property => (each.name === name ? { ...each, node } : each);
      const properties = sides[side].properties.map(change);
      return spot.put(side, { ...sides[side], properties });
    },
  };
  const both = was && is && was.unlisted === is.unlisted;
  if (both) walk.into(was.node, is.node, at);
  if (both && was.required === is.required) return;
  const mixed = (one: ObjectNode, other: ObjectNode): ObjectNode =>
    withProperty(one, name, both ? named(one, name)?.node : undefined, other);
  walk.report({
    ...at,
    lift: spot.lift,
    put: spot.put,
    change: { kind: 'property', name, before: was, after: is },
    narrow,
    wide: mixed(narrow, wide),
    undone: mixed(wide, narrow),
  });
}

/** An object with one property as in another. */
function withProperty(
  object: ObjectNode,
  name: string,
  node: Node | undefined,
  other: ObjectNode,
): ObjectNode {
  const required = named(other, name)?.required === true;
  const rules = rulesOf(other, name);
  const [only] = rules;
  const own =
    node ?? (rules.length === 1 && only ? only : { kind: 'intersection', members: rules });
  const property: Property = { name, required, node: own };
  const others = object.properties.filter((each) => each.name !== name);
  return { ...object, properties: [...others, property] };
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
  const sides = walk.sides(before, after);
  const { narrow, wide } = sides;
  const hasSamePatterns = textOf(before) === textOf(after);
  const hybrid = withOthers(narrow, wide);
  const isSame = equal(hybrid, narrow, walk);
  if (!isSame) {
    const change = { kind: 'keys', before, after } as const;
    walk.report({ ...spot, change, narrow, wide: hybrid, undone: withOthers(wide, narrow) });
  }
  if (before.additional.kind === 'typed' && after.additional.kind === 'typed') {
    const lift = withKey(walk.sampler.freshKey, narrow, spot, walk);
    walk.into(before.additional.node, after.additional.node, {
      ...spot,
      path: pathTo(spot.path, '*'),
      lift,
      put: (side, node) => spot.put(side, { ...sides[side], additional: { kind: 'typed', node } }),
    });
  }
  if (!hasSamePatterns) return;
  before.patterns?.forEach(({ pattern, node }) => {
    const other = after.patterns?.find((each) => each.pattern === pattern);
    const [key = pattern] = textsMatching(pattern, []);
    const lift = withKey(key, narrow, spot, walk);
    const put: Spot['put'] = (side, own) => {
      const change = (each: PatternRule): PatternRule =>
        each.pattern === pattern ? { ...each, node: own } : each;
      return spot.put(side, { ...sides[side], patterns: sides[side].patterns?.map(change) ?? [] });
    };
    const path = pathTo(spot.path, pattern);
    if (other) walk.into(node, other.node, { ...spot, path, lift, put });
  });
}

/** An object with the rules of another for all keys that no property names. What both describe stays. */
function withOthers(object: ObjectNode, other: ObjectNode): ObjectNode {
  const { patterns: own, names: _, minProperties: __, maxProperties: ___, ...rest } = object;
  const { additional, patterns, names, minProperties, maxProperties } = other;
  const isTyped = object.additional.kind === 'typed' && additional.kind === 'typed';
  const kept = textOf(object) === textOf(other) ? own : patterns;
  return {
    ...rest,
    additional: isTyped ? object.additional : additional,
    ...(kept && { patterns: kept }),
    ...(names && { names }),
    ...(minProperties !== undefined && { minProperties }),
    ...(maxProperties !== undefined && { maxProperties }),
  };
}

const textOf = ({ patterns = [] }: ObjectNode): string =>
  JSON.stringify(patterns.map(({ pattern }) => pattern).sort());
