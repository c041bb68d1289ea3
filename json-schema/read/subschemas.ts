import type { JsonValue } from '../model.js';
import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';

/** A schema in a schema. Booleans are none: they say nothing that a host could misread. */
export interface Subschema {
  readonly schema: JsonObject;
  /** From the root of the schema. */
  readonly path: readonly (string | number)[];
  /** Objects and arrays around it, itself included. */
  readonly depth: number;
}

/** A part of a schema that is no schema in it: a keyword with its value, or a name under which it has a schema. */
export interface Member {
  /** The keyword, and the name where it has schemas by name. */
  readonly path: readonly [string, string?];
  /** Of a schema, only its name. */
  readonly value: JsonValue;
}

/** What a schema says without the schemas in it. */
export function membersOf(schema: JsonObject): Member[] {
  return Object.entries(schema).flatMap(([keyword, value]): Member[] => {
    if (NAMED.has(keyword) && isObject(value)) {
      return Object.entries(value).map(([name, each]) => {
        return { path: [keyword, name], value: isObject(each) ? name : [name, each] };
      });
    }
    if (ONE.has(keyword) && isObject(value)) return [];
    const isList = LIST.has(keyword) && Array.isArray(value);
    return [{ path: [keyword], value: isList ? value.filter((each) => !isObject(each)) : value }];
  });
}

/** Where a keyword has one schema, a list of them, or schemas by name. */
const ONE = new Set([
  'items',
  'additionalItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
]);
const LIST = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const NAMED = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'dependencies',
]);
/** They hold no value of their own, so a schema in them is no deeper. */
const SAME_VALUE = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  '$defs',
  'definitions',
]);

/** All schemas in a schema, itself first, in the order of the text. It may nest as deeply as memory allows. */
export function subschemas(root: JsonValue | undefined): readonly Subschema[] {
  const found: Subschema[] = [];
  const waiting: [JsonValue | undefined, Subschema['path'], number][] = [[root, [], 1]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [schema, path, depth] = next;
    if (!isObject(schema)) continue;
    found.push({ schema, path, depth });
    const inner: typeof waiting = [];
    for (const [keyword, value] of Object.entries(schema)) {
      const below = SAME_VALUE.has(keyword) ? depth : depth + 1;
      for (const [part, step] of parts(keyword, value))
        inner.push([part, [...path, ...step], below]);
    }
    waiting.push(...inner.reverse());
  }
  return found;
}

function parts(keyword: string, value: JsonValue): [JsonValue, (string | number)[]][] {
  if (LIST.has(keyword) && Array.isArray(value)) {
    return value.map((each, at) => [each, [keyword, at]]);
  }
  if (ONE.has(keyword) && isObject(value)) return [[value, [keyword]]];
  if (!NAMED.has(keyword) || !isObject(value)) return [];
  return Object.entries(value).map(([name, each]) => [each, [keyword, name]]);
}
