import { type Draft, draftNamed, KEYWORDS, isAnnotation } from '../../json-schema/index.js';
import { schemasIn, mapParts } from './keywords.js';
import { isObject } from '../peer/wire/json.js';
import { targetOf } from './pointers.js';

type Json = Record<string, unknown>;

/** They give names to schemas beside their pointers, so that a schema cannot be moved. */
const NAMING = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', 'id'];
/** Keywords that mean nothing in draft-07, and something in 2020-12. */
const LATER = [...KEYWORDS].flatMap(([name, { since }]) => (since?.startsWith('20') ? [name] : []));

/**
 * The same schema in the words that most hosts take, as `docs/hosts.md` lists them. It accepts the same values:
 *
 * - references to other parts are replaced by these,
 * - alternatives of constants and `const` become `enum`, lists of types become `anyOf`,
 * - draft-07 becomes 2020-12, and `$schema` is left out,
 * - an object at the root has `properties`.
 *
 * A schema stays as it is where that cannot be done for all of it, because moving a part changes what references mean.
 */
export function portable(schema: Readonly<Json>): Json {
  const result = rewritten(schema);
  if (result === undefined) return withoutCurrent(schema);
  const isBare = result['type'] === 'object' && result['properties'] === undefined;
  return isBare ? { ...result, properties: {} } : result;
}

function rewritten(schema: Json): Json | undefined {
  const draft = draftOf(schema);
  const isOld = draft === 'draft-06' || draft === 'draft-07';
  if (!isOld && draft !== '2020-12') return undefined;
  const parts = [...schemasIn(schema).keys()];
  if (parts.some((part) => NAMING.some((name) => typeof part[name] === 'string'))) return undefined;
  if (isOld && parts.some((part) => LATER.some((name) => name in part))) return undefined;
  const alone = inlined(schema, isOld);
  if (alone === undefined) return undefined;
  const { $schema: _, ...root } = alone;
  return respelled(isOld ? modernised(root) : root);
}

/** 2020-12 is what a schema without `$schema` means. */
function draftOf({ $schema }: Json): Draft | undefined {
  if ($schema === undefined) return '2020-12';
  return typeof $schema === 'string' ? draftNamed($schema) : undefined;
}

function withoutCurrent(schema: Json): Json {
  const { $schema: _, ...rest } = schema;
  return draftOf(schema) === '2020-12' ? rest : schema;
}

/** Schemas in one schema. Beyond it, references stay: each could double it. */
const MOST_NODES = 5_000;
/** Schemas around a schema. Deeper messages are refused by peers. */
const MOST_LEVELS = 100;

/**
 * The schema with references replaced by what they lead to in the schema as it is written, and so without definitions.
 * Undefined where a reference cannot be replaced: in a schema that contains itself, that would become huge, or that has
 * keywords beside the reference which cannot be joined with those of its target.
 *
 * @param isOld whether it is of draft-07, where nothing beside a reference counts.
 */
function inlined(root: Json, isOld: boolean): Json | undefined {
  let nodes = 0;
  let isPossible = true;

  function inline(schema: Json, around: readonly unknown[], level: number): Json {
    nodes += 1;
    isPossible &&= nodes <= MOST_NODES && level <= MOST_LEVELS;
    if (!isPossible) return schema;
    const { $ref, $defs: _, definitions: __, ...own } = schema;
    if ($ref === undefined) return mapParts(own, (part) => inline(part, around, level + 1));
    const target = targetOf($ref, root);
    const isFound = isObject(target) && !around.includes(target);
    const result = isFound ? inline(target, [...around, target], level + 1) : undefined;
    // Lists have the type at the root, because every revision asks for it.
    const isAsked = schema === root && own['type'] === 'object';
    const both = result && joined(result, isOld && !isAsked ? withoutChecks(own) : own);
    isPossible &&= both !== undefined;
    return both ?? schema;
  }

  const result = inline(root, [root], 0);
  return isPossible ? result : undefined;
}

/** What a schema and the keywords beside a reference to it say together. Undefined if that is not sure. */
function joined(target: Json, beside: Json): Json | undefined {
  const { type, $schema, ...rest } = beside;
  if (!Object.keys(rest).every(isAnnotation)) return undefined;
  const { type: own = type } = target;
  const isInList = Array.isArray(own) && own.includes(type);
  const isSame = type === undefined || own === type || isInList;
  if (!isSame) return undefined;
  return {
    ...($schema !== undefined && { $schema }),
    ...(own !== undefined && { type: type ?? own }),
    ...target,
    ...(type !== undefined && { type }),
    ...rest,
  };
}

function withoutChecks(schema: Json): Json {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => isAnnotation(keyword)));
}

/** A schema of draft-07 without references, in the words of 2020-12. */
function modernised(schema: Json): Json {
  const { items, additionalItems, dependencies, ...others } = mapParts(schema, modernised);
  return { ...others, ...listOf(items, additionalItems), ...dependent(dependencies) };
}

function listOf(items: unknown, additionalItems: unknown): Json {
  if (!Array.isArray(items)) return items === undefined ? {} : { items };
  return {
    // In 2020-12 the list must not be empty.
    ...(items.length > 0 && { prefixItems: items }),
    ...(additionalItems !== undefined && { items: additionalItems }),
  };
}

function dependent(dependencies: unknown): Json {
  if (!isObject(dependencies)) return {};
  const entries = Object.entries(dependencies);
  const required = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => !Array.isArray(value));
  return {
    ...(required.length > 0 && { dependentRequired: Object.fromEntries(required) }),
    ...(schemas.length > 0 && { dependentSchemas: Object.fromEntries(schemas) }),
  };
}

/** A schema without references, with `enum` for constants, and `anyOf` for lists of types. */
function respelled(schema: Json): Json {
  return withTypesApart(withEnum(mapParts(schema, respelled)));
}

/** Constants as `enum`. */
function withEnum(part: Json): Json {
  if ('const' in part && !('enum' in part)) {
    const { const: value, ...rest } = part;
    return { ...rest, enum: [value] };
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const members = part[keyword];
    if (!Array.isArray(members) || 'enum' in part || 'const' in part) continue;
    const values = members.map(constantsIn);
    if (members.length === 0 || values.includes(undefined)) continue;
    const all = (values as unknown[][]).flat();
    const distinct = [...new Map(all.map((value) => [JSON.stringify(value), value])).values()];
    // An enum has at least one value.
    if (distinct.length === 0) continue;
    // A value that two alternatives of `oneOf` have is refused.
    if (keyword === 'oneOf' && distinct.length < all.length) continue;
    const { [keyword]: _, ...rest } = part;
    const types = new Set(distinct.map((value) => typeof value));
    const [type] = types;
    const isText = types.size === 1 && type === 'string' && rest['type'] === undefined;
    return { ...(isText && { type }), ...rest, enum: distinct };
  }
  return part;
}

/** The only values that a schema accepts, if it says nothing else. */
function constantsIn(member: unknown): unknown[] | undefined {
  if (!isObject(member)) return undefined;
  const { type, const: constant, enum: values, ...rest } = member;
  if (Object.keys(rest).length > 0) return undefined;
  const found: unknown = 'const' in member ? [constant] : values;
  if (!Array.isArray(found) || ('const' in member && values !== undefined)) return undefined;
  // Objects may be equal with their members in another order.
  const all = found as unknown[];
  if (all.some((value) => typeof value === 'object' && value !== null)) return undefined;
  return type === undefined ? all : all.filter((value) => isOfType(value, type));
}

/** Of which type a keyword says something; it says nothing of values of others, or only annotates these. */
function isAbout(keyword: string, type: unknown): boolean {
  const { group } = KEYWORDS.get(keyword) ?? {};
  const known = type === 'integer' ? 'number' : type;
  if (keyword === 'format') return known === 'string' || known === 'number';
  return group === known || (keyword === 'dependentRequired' && known === 'object');
}

const isMoved = (keyword: string): boolean =>
  keyword === 'enum' ||
  ['string', 'number', 'array', 'object'].some((type) => isAbout(keyword, type));

/** A schema of several types, as an alternative for each. What does not depend on the type stays beside them. */
function withTypesApart(schema: Json): Json {
  const { type, ...rest } = schema;
  if (!Array.isArray(type) || type.length === 0 || 'anyOf' in schema) return schema;
  if (type.length === 1) return { ...rest, type: type[0] as unknown };
  const entries = Object.entries(rest);
  const outside = entries.filter(([keyword]) => !isMoved(keyword));
  const { enum: values } = rest;
  const anyOf = type.map((single: unknown) => {
    const own = entries.filter(([keyword]) => isAbout(keyword, single));
    const ofType = Array.isArray(values) && {
      enum: values.filter((value) => isOfType(value, single)),
    };
    return { type: single, ...Object.fromEntries(own), ...ofType };
  });
  const possible = anyOf.filter((member) => !('enum' in member) || member.enum.length > 0);
  if (possible.length === 0) return schema;
  return { ...Object.fromEntries(outside), anyOf: possible };
}

function isOfType(value: unknown, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((each) => isOfType(value, each));
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}
