import { isObject } from '../wire/json.js';
import { eachSchema, mapSchemas } from './subschemas.js';

type Json = Readonly<Record<string, unknown>>;

/** Schemas in one schema. Beyond it, references stay: each could double it. */
const MOST_NODES = 5_000;
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
]);
/** They give names to schemas beside their pointers, so that moving a schema changes what a reference means. */
const NAMING = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', 'id'];
const DRAFT_2020_12 = 'https://json-schema.org/draft/2020-12/schema';
const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/;

/**
 * The same schema in the words that most hosts take, as `docs/hosts.md` lists them. It accepts the same values:
 *
 * - references to other parts are replaced by these; a schema in which that cannot be done stays as it is,
 * - alternatives of constants and `const` become `enum`, lists of types become `anyOf`,
 * - draft-07 becomes 2020-12, and `$schema` is left out,
 * - an object at the root has `properties`.
 */
export function portable(schema: Json): Json {
  const { $schema } = schema;
  const isCurrent = $schema === undefined || $schema === DRAFT_2020_12;
  if (!isCurrent && !(typeof $schema === 'string' && DRAFT_07.test($schema))) return schema;
  const current = modernised(schema);
  // Where references stay, so does every place at which one of them may point.
  const root = isNamed(current) ? undefined : inlined(current);
  if (root === undefined) return isCurrent ? current : schema;
  const spelled = eachSchema(root, spelledOut);
  const isBare = spelled['type'] === 'object' && spelled['properties'] === undefined;
  return isBare ? { ...spelled, properties: {} } : spelled;
}

/** In 2020-12, without `$schema`. */
function modernised(schema: Json): Json {
  const { $schema, ...rest } = schema;
  if (typeof $schema !== 'string' || !DRAFT_07.test($schema)) return rest;
  return eachSchema(rest, (part) => {
    const { $ref, definitions, items, additionalItems, dependencies, ...others } = part;
    // In draft-07 nothing beside a reference counts. What it may point at stays.
    if (typeof $ref === 'string') {
      return { $ref: $ref.replace('#/definitions/', '#/$defs/'), ...defsOf(definitions) };
    }
    const isTuple = Array.isArray(items);
    return {
      ...others,
      ...defsOf(definitions),
      ...(isTuple && { prefixItems: items }),
      ...(isTuple && additionalItems !== undefined && { items: additionalItems }),
      ...(!isTuple && items !== undefined && { items }),
      ...dependent(dependencies),
    };
  });
}

function defsOf(definitions: unknown): Json {
  return definitions === undefined ? {} : { $defs: definitions };
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

function isNamed(schema: Json): boolean {
  let found = false;
  eachSchema(schema, (part) => {
    found ||= NAMING.some((name) => typeof part[name] === 'string');
    return part;
  });
  return found;
}

/** Without references; undefined where one cannot be replaced. */
function inlined(root: Json): Json | undefined {
  let nodes = 0;
  let isPossible = true;

  function inline(part: Json, around: readonly string[]): Json {
    nodes += 1;
    if (nodes > MOST_NODES) isPossible = false;
    if (!isPossible) return part;
    const { $ref, ...beside } = part;
    if (typeof $ref !== 'string') {
      return mapSchemas(part, (inner) => inline(inner, around));
    }
    const target = around.includes($ref) ? undefined : targetOf(root, $ref);
    const isAlone = Object.keys(beside).every(
      (key) =>
        ANNOTATIONS.has(key) ||
        key === '$defs' ||
        // The root of a tool says `object` beside a reference to one.
        (key === 'type' && isObject(target) && (target['type'] ?? part['type']) === part['type']),
    );
    if (!isObject(target) || !isAlone) {
      isPossible = false;
      return part;
    }
    const { $defs: _, ...annotations } = beside;
    return { ...inline(target, [...around, $ref]), ...annotations };
  }

  const { $defs: _, definitions: __, ...rest } = inline(root, []);
  return isPossible ? rest : undefined;
}

function targetOf(root: Json, reference: string): unknown {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  let value: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    const name = decoded(step)?.replaceAll('~1', '/').replaceAll('~0', '~');
    if (name === undefined || typeof value !== 'object' || value === null) return undefined;
    value = Object.hasOwn(value, name) ? (value as Json)[name] : undefined;
  }
  return value;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function spelledOut(part: Json): Json {
  return withTypesApart(withEnum(part));
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

/** A schema of several types, as an alternative for each. */
function withTypesApart(part: Json): Json {
  const { type, ...rest } = part;
  if (!Array.isArray(type) || type.length === 0 || 'anyOf' in part) return part;
  if (type.length === 1) return { ...rest, type: type[0] as unknown };
  const outside = Object.entries(rest).filter(([key]) => isOutside(key));
  const inside = Object.fromEntries(Object.entries(rest).filter(([key]) => !isOutside(key)));
  const values = inside['enum'];
  const anyOf = type.map((single: unknown) => {
    const own = Object.entries(inside).filter(([key]) => concerns(key, single));
    const ofType = Array.isArray(values) && {
      enum: values.filter((value) => isOfType(value, single)),
    };
    return { type: single, ...Object.fromEntries(own), ...ofType };
  });
  const possible = anyOf.filter((member) => !('enum' in member) || member.enum.length > 0);
  if (possible.length === 0) return part;
  return { ...Object.fromEntries(outside), anyOf: possible };
}

/** What stays beside `anyOf`: it says nothing of the value, or is addressed from elsewhere. */
function isOutside(key: string): boolean {
  return ANNOTATIONS.has(key) || key === '$defs' || key === 'definitions' || key.startsWith('x-');
}

/** Keywords that say nothing of values of other types. */
const OF_TYPES: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
};

/** Whether a keyword says something of values of a type. Those that are not known may. */
function concerns(key: string, type: unknown): boolean {
  const of = type === 'integer' ? 'number' : type;
  return Object.entries(OF_TYPES).every(([each, keys]) => each === of || !keys.includes(key));
}

function isOfType(value: unknown, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((each) => isOfType(value, each));
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}
