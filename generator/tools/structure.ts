import type { JsonValue } from '../ir/index.js';
import { ALL_TYPES, inside, is, keyword } from './context.js';
import type { Context, Place } from './context.js';
import { isPlainName, wholeType } from './literal.js';
import type { JsonObject } from '../read/index.js';
import { NEVER, union, UNKNOWN } from './type.js';
import type { PropertyType, Type } from './type.js';

/** Reads a schema of any kind. */
export type Read = (schema: JsonValue, place: Place, context: Context) => Type;

const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties', 'patternProperties'];
const ARRAY_KEYWORDS = ['items', 'prefixItems'];

/** Whether a schema has keywords for objects or arrays that a type can express. */
export function hasStructure(schema: JsonObject): boolean {
  return [...OBJECT_KEYWORDS, ...ARRAY_KEYWORDS].some((name) => Object.hasOwn(schema, name));
}

/** The type of a schema's objects. */
export function objectType(schema: JsonObject, at: Place, context: Context, read: Read): Type {
  const within = (value: JsonValue, ...path: readonly string[]): Type =>
    read(value, inside(at, ALL_TYPES, ...path), context);
  const written = Object.entries(keyword(schema, 'properties', is.schemaMap, at, context) ?? {});
  const required = new Set(keyword(schema, 'required', is.texts, at, context));
  const hidden: Type[] = [];
  const properties: PropertyType[] = [];
  for (const [name, value] of written) {
    const place = [...at.path, 'properties', name];
    const type = within(value, 'properties', name);
    const isRequired = required.has(name);
    if (!isPlainName(name)) {
      context.widen(place, 'bad-name', 'A property name is not allowed in a type');
      hidden.push(type);
    } else if (!isRequired && name in {}) {
      // The compiler finds this property on every object, from its prototype.
      context.widen(place, 'bad-name', 'A property has the name of a property of every object');
      properties.push({ name, required: false, type: UNKNOWN, ...annotations(value) });
    } else properties.push({ name, required: isRequired, type, ...annotations(value) });
  }
  const patterns = keyword(schema, 'patternProperties', is.schemaMap, at, context) ?? {};
  const matched = Object.entries(patterns).map(([pattern, value]) =>
    within(value, 'patternProperties', pattern),
  );
  const additional = keyword(schema, 'additionalProperties', is.schema, at, context);
  const others = additional === undefined ? undefined : within(additional, 'additionalProperties');
  const rest = otherKeys([...hidden, ...matched], others);
  const known = new Set(properties.map(({ name }) => name));
  for (const name of required) {
    if (known.has(name) || !isPlainName(name)) continue;
    properties.push({ name, required: true, type: rest ?? UNKNOWN, deprecated: false });
  }
  const index = properties.length === 0 ? (rest ?? (others ? NEVER : UNKNOWN)) : rest;
  return { kind: 'object', properties, ...(index && { index: covering(index, properties) }) };
}

/**
 * The values of keys that `properties` does not name, if the schema restricts them. Otherwise any key is
 * valid, but the type has no index signature, because that would hide misspelt keys.
 */
function otherKeys(matched: readonly Type[], others: Type | undefined): Type | undefined {
  if (matched.length > 0) return union([...matched, others ?? UNKNOWN]);
  return others?.kind === 'never' ? undefined : others;
}

/** An index signature has to cover the named properties as well. */
function covering(index: Type, properties: readonly PropertyType[]): Type {
  const absent = properties.some(({ required }) => !required);
  return union([
    index,
    ...properties.map(({ type }) => type),
    ...(absent ? [{ kind: 'undefined' } as const] : []),
  ]);
}

function annotations(schema: JsonValue): Pick<PropertyType, 'description' | 'deprecated'> {
  const { description, deprecated } = schema as { description?: JsonValue; deprecated?: JsonValue };
  return {
    ...(typeof description === 'string' && { description }),
    deprecated: deprecated === true,
  };
}

/** The type of a schema's arrays, which may have fewer items than it lists. */
export function arrayType(schema: JsonObject, at: Place, context: Context, read: Read): Type {
  const listing = listKeyword(schema, context);
  const listed = listing && keyword(schema, listing, is.schemas, at, context);
  const following = listing === 'items' ? 'additionalItems' : 'items';
  const others = keyword(schema, following, is.schema, at, context);
  const rest =
    others === undefined ? UNKNOWN : read(others, inside(at, ALL_TYPES, following), context);
  if (!listing || !listed) return listing ? wholeType('array') : { kind: 'array', items: rest };
  const least = keyword(schema, 'minItems', is.count, at, context) ?? 0;
  const most = keyword(schema, 'maxItems', is.count, at, context) ?? Infinity;
  const items = listed
    .slice(0, most)
    .map((value, index) => read(value, inside(at, ALL_TYPES, listing, index), context));
  const isOpen = most > items.length && rest.kind !== 'never';
  return {
    kind: 'tuple',
    items,
    required: Math.min(least, items.length),
    ...(isOpen && { rest }),
  };
}

/** The keyword that lists schemas by position, if any does. */
function listKeyword(
  schema: JsonObject,
  { dialect }: Context,
): 'items' | 'prefixItems' | undefined {
  if (dialect === 'draft-07') return Array.isArray(schema['items']) ? 'items' : undefined;
  return Object.hasOwn(schema, 'prefixItems') ? 'prefixItems' : undefined;
}
