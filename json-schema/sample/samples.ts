import { ANYTHING } from '../anything.js';
import type { Schemas, Values } from '../compare/proof.js';
import { isObject } from '../json.js';
import { resolve } from '../lookup.js';
import type { ArrayNode, JsonValue, Node, ObjectNode } from '../model.js';
import { matcherOf } from '../pattern/matcher.js';
import { textsMatching } from './matching.js';
import { hintsOf } from './hints.js';
import { numbers, texts } from './scalars.js';

/** Values at most by level, so that the work is bounded for every schema. */
const MOST = [240, 60, 16, 8, 4, 3, 2, 2, 1, 1, 1, 1];
/** Items of a sample, and its keys beyond those of the schema. */
const MOST_PARTS = 30;
/** Characters of the values that a sampler tries on one level. */
const MOST_CHARACTERS = 1_000_000;
/** Values that are tried at each place, also after those. */
const ALWAYS_TRIED = 3;

export interface Sampler {
  /** Values that the node accepts, the simplest first; those at the limits of it and of the hints. */
  samples(node: Node): readonly JsonValue[];
  /** Keys that no schema in use names. */
  readonly freshKey: string;
}

/** Values that a schema accepts, the simplest first; those at its limits. None where none was found. */
export function sample(node: Node, schemas: Schemas): readonly JsonValue[] {
  return createSampler([node], schemas).samples(node);
}

/**
 * Makes values of schemas, also at the limits of those that they are `compared` with. Of the values that are `sent`, none has a
 * key that only another schema names.
 */
export function createSampler(
  compared: readonly Node[],
  { definitions, acceptance }: Schemas,
  drawn: Exclude<Values, 'named'> = 'sent',
): Sampler {
  const hints = hintsOf(compared, definitions);
  const left = MOST.map(() => MOST_CHARACTERS);
  const known = new WeakMap<Node, Map<number, readonly JsonValue[]>>();
  const freshKey = freshIn(hints.names);
  const isAll = drawn === 'all';

  /** Those that are accepted, each once. */
  function valid(node: Node, level: number): readonly JsonValue[] {
    const most = MOST[level];
    if (most === undefined) return [];
    const levels = known.get(node) ?? new Map<number, readonly JsonValue[]>();
    known.set(node, levels);
    const before = levels.get(level);
    if (before) return before;
    levels.set(level, []);
    const found = new Map<string, JsonValue>();
    let tried = 0;
    for (const value of candidates(node, level)) {
      const text = JSON.stringify(value);
      left[level] = (left[level] ?? 0) - text.length;
      tried += 1;
      if (left[level] < 0 && tried > ALWAYS_TRIED) break;
      if (!found.has(text) && acceptance.accepts(node, value)) found.set(text, value);
      if (found.size >= most) break;
    }
    const all = [...found.values()];
    levels.set(level, all);
    return all;
  }

  function candidates(node: Node, level: number): Iterable<JsonValue> {
    switch (node.kind) {
      case 'never':
        return [];
      case 'null':
        return [null];
      case 'boolean':
        return [true, false];
      case 'string':
        return texts(node, hints);
      case 'number':
        return numbers(node, hints);
      case 'literal':
        return node.values;
      case 'constant':
        return [node.value];
      case 'array':
        return arrays(node, level);
      case 'object':
        return objects(node, level);
      case 'union':
      case 'exclusive':
        return inTurn(node.members.map((member) => valid(member, level + 1)));
      case 'intersection':
        return merged(node.members, level);
      case 'conditional':
        return inTurn([
          merged([node.if, node.then], level),
          valid(node.else, level + 1),
          valid(node.then, level + 1),
          valid(node.if, level + 1),
        ]);
      case 'unevaluated':
        return unevaluated(node, level);
      case 'ref':
        return valid(resolve(node, definitions), level);
      case 'any':
      case 'not':
        return [...SOME, ...hints.values, ...(isAll ? candidates(ANYTHING, level) : [])];
    }
  }

  function* arrays(node: ArrayNode, level: number): Iterable<JsonValue> {
    const { items, prefix = [], minItems = 0, maxItems = Infinity, contains } = node;
    const itemsAt = (index: number): readonly JsonValue[] =>
      valid(prefix[index] ?? items, level + 1);
    const contained = contains ? valid(contains.node, level + 1) : [];
    const filled = (length: number, turn: number): JsonValue[] =>
      Array.from({ length }, (_, index) => {
        const own = index < (contains?.min ?? 0) ? contained : itemsAt(index);
        const wanted = own.length > 0 ? own : itemsAt(index);
        return wanted[(turn + (node.uniqueItems === true ? index : 0)) % wanted.length] ?? null;
      });
    const least = Math.max(minItems, Math.min(prefix.length, maxItems), contains?.min ?? 0);
    yield filled(Math.min(minItems, MOST_PARTS), 0);
    yield filled(Math.min(least, MOST_PARTS), 0);
    yield filled(Math.min(Math.max(least, 1), MOST_PARTS), 0);
    for (const length of [1, 2, ...around([minItems, maxItems, ...hints.lengths])]) {
      if (length <= MOST_PARTS) yield filled(length, 0);
      if (length <= MOST_PARTS) yield filled(length, 1);
    }
    const size = Math.min(Math.max(least, 1), MOST_PARTS);
    for (let index = 0; index < Math.max(prefix.length, 1); index += 1) {
      for (const item of itemsAt(index))
        yield filled(size, 0).with(Math.min(index, size - 1), item);
    }
    for (const item of contained) yield [...filled(least, 0), item];
  }

  function* objects(node: ObjectNode, level: number): Iterable<JsonValue> {
    const { properties, minProperties = 0 } = node;
    const values = new Map(properties.map(({ name, node: own }) => [name, valid(own, level + 1)]));
    const first = (name: string): [string, JsonValue][] => {
      const [value] = values.get(name) ?? [];
      return value === undefined ? [] : [[name, value]];
    };
    const required = properties.filter((each) => each.required).flatMap(({ name }) => first(name));
    const extras = otherKeys(node, level);
    const lacking = Math.max(0, minProperties - required.length);
    const least = Object.fromEntries([...required, ...extras.filling(lacking)]);
    const full = Object.fromEntries([
      ...properties.flatMap(({ name }) => first(name)),
      ...extras.filling(minProperties - properties.length),
    ]);
    yield least;
    yield full;
    yield* extras.each.map(([key, value]) => ({ ...least, [key]: value }));
    for (const { name, required: isNeeded } of properties) {
      if (!isNeeded) yield without(full, name);
      for (const entry of first(name)) yield { ...least, ...Object.fromEntries([entry]) };
    }
    yield* inTurn(
      [...values].map(([name, all]) =>
        all.slice(1).map((value) => ({ ...least, ...Object.fromEntries([[name, value]]) })),
      ),
    );
    for (const count of around([minProperties, node.maxProperties ?? 0, ...hints.lengths])) {
      if (count > required.length && count <= MOST_PARTS)
        yield Object.fromEntries([...required, ...extras.filling(count - required.length)]);
    }
    yield* extras.each.map(([key, value]) => ({ ...full, [key]: value }));
  }

  /** Keys that the object does not name, with values. */
  function otherKeys(node: ObjectNode, level: number) {
    const { additional, patterns = [], names, properties } = node;
    const listed = new Set(properties.map(({ name }) => name));
    const isFree = (key: string): boolean => !listed.has(key) && !hints.names.has(key);
    const some = level === 0 ? SOME : SOME.slice(0, 2);
    const any = isAll ? valid(ANYTHING, level + 1) : some;
    const values =
      additional.kind === 'typed'
        ? valid(additional.node, level + 1)
        : additional.kind === 'closed'
          ? []
          : any;
    const named = names ? valid(names, level + 1).filter((key) => typeof key === 'string') : [];
    const fresh = names ? named.filter((key) => !listed.has(key)) : [freshKey];
    const written = [...hints.keyPatterns]
      .flatMap((each) => textsMatching(each, []))
      .filter(isFree);
    const others = [...hints.names].filter((key) => !listed.has(key));
    // Every key of a map is in use, also one that the other schema describes.
    const inUse = isAll || additional.kind === 'typed' ? others : [];
    const open = inTurn(
      [...fresh, ...inUse, ...written].map((key) =>
        values.map((value): [string, JsonValue] => [key, value]),
      ),
    );
    const patterned = patterns.flatMap(({ pattern, node: own }) => {
      const matching = others.filter((key) => matcherOf(pattern).test(key));
      return [...textsMatching(pattern, []), ...matching].flatMap((key) =>
        valid(own, level + 1).map((value): [string, JsonValue] => [key, value]),
      );
    });
    const each = [...open, ...patterned];
    return {
      each,
      filling(count: number): [string, JsonValue][] {
        const [key, value] = each[0] ?? [];
        if (key === undefined || value === undefined || count <= 0) return [];
        if (named.length > 0) return named.slice(0, count).map((name) => [name, value]);
        return Array.from({ length: Math.min(count, MOST_PARTS) }, (_, index) => [
          index === 0 ? key : `${key}${String(index + 1)}`,
          value,
        ]);
      },
    };
  }

  /** Values of each member, with what the simplest values of the others need. */
  function* merged(members: readonly Node[], level: number): Iterable<JsonValue> {
    const all = members.map((member) => valid(member, level + 1));
    // Of a member for all types, an object: only objects are joined.
    const simplest = all.flatMap((own) => {
      const value = own.find(isObject) ?? own[0];
      return value === undefined ? [] : [value];
    });
    yield simplest.reduce<JsonValue>(together, {});
    yield* inTurn(
      all.map((own, index) => {
        const others = simplest.toSpliced(index, 1);
        return own.map((value) => together(others.reduce<JsonValue>(together, {}), value));
      }),
    );
    yield* inTurn(all);
  }

  function* unevaluated(
    { node, properties, items }: Extract<Node, { kind: 'unevaluated' }>,
    level: number,
  ): Iterable<JsonValue> {
    const inner = valid(node, level + 1);
    yield* inner;
    const rest = properties ? valid(properties, level + 1) : SOME;
    const more = items ? valid(items, level + 1) : SOME;
    for (const value of inner.slice(0, 3)) {
      if (isObject(value)) yield* rest.map((each) => ({ ...value, [freshKey]: each }));
      if (Array.isArray(value)) yield* more.map((each) => [...value, each]);
    }
  }

  return { samples: (node) => valid(node, 0), freshKey };
}

/** One value of each type, and then some. */
const SOME: readonly JsonValue[] = [
  'text',
  1,
  true,
  null,
  {},
  [],
  0.5,
  -1,
  '',
  [1],
  { a: 1 },
  false,
];

/** Both values as one: objects with the keys of both. */
export function together(a: JsonValue, b: JsonValue): JsonValue {
  if (!isObject(a) || !isObject(b)) return b;
  const entries = Object.entries(b).map(([key, value]): [string, JsonValue] => {
    const other = Object.hasOwn(a, key) ? a[key] : undefined;
    return [key, other === undefined ? value : together(other, value)];
  });
  return Object.fromEntries([...Object.entries(a), ...entries]);
}

function without(value: { readonly [key: string]: JsonValue }, key: string): JsonValue {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

/** The first of each list, then the second of each, so that a limit cuts all alike. */
function* inTurn<T>(lists: readonly Iterable<T>[]): Iterable<T> {
  const open = lists.map((list) => list[Symbol.iterator]());
  while (open.length > 0) {
    for (let index = 0; index < open.length; index += 1) {
      const next = open[index]?.next();
      if (next?.done === false) yield next.value;
      else open.splice(index--, 1);
    }
  }
}

function around(limits: readonly number[]): number[] {
  return limits
    .filter((each) => Number.isFinite(each))
    .flatMap((each) => [each, each + 1, each - 1])
    .filter((each) => each >= 0);
}

function freshIn(names: ReadonlySet<string>): string {
  let key = 'extra';
  while (names.has(key)) key += '_';
  return key;
}
