import { KEYWORDS } from '../../json-schema/index.js';
import { isObject } from '../peer/wire/json.js';
import { mapParts } from './keywords.js';

type Json = Record<string, unknown>;

/** A schema without references, with `enum` for constants, and `anyOf` for lists of types. */
export function respelled(schema: Json): Json {
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
