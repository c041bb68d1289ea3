import type { JsonValue } from '../model.js';
import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';
import { CONTAINERS, type Holds, isApplied, KEYWORDS } from './keywords.js';

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
    const holds = KEYWORDS.get(keyword)?.holds;
    if (isObject(value) && holds && NAMED.has(holds)) {
      return Object.entries(value).map(([name, each]) => {
        return { path: [keyword, name], value: isObject(each) ? name : [name, each] };
      });
    }
    if (isObject(value) && holds && ONE.has(holds)) return [];
    const isList = Array.isArray(value) && holds && LISTED.has(holds);
    return [{ path: [keyword], value: isList ? value.filter((each) => !isObject(each)) : value }];
  });
}

const ONE: ReadonlySet<Holds> = new Set(['schema', 'schema-or-list']);
const LISTED: ReadonlySet<Holds> = new Set(['schemas', 'schema-or-list']);
const NAMED: ReadonlySet<Holds> = new Set(['map', 'schemas-or-names']);

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
      // They hold no value of their own, so a schema in them is no deeper.
      const below = isApplied(keyword) || CONTAINERS.has(keyword) ? depth : depth + 1;
      for (const [part, step] of parts(keyword, value))
        inner.push([part, [...path, ...step], below]);
    }
    waiting.push(...inner.reverse());
  }
  return found;
}

/** What a keyword's value holds as schemas, each with the way to it. */
export function parts(
  keyword: string,
  value: JsonValue,
  holds: Holds | undefined | null = KEYWORDS.get(keyword)?.holds,
): [JsonValue, (string | number)[]][] {
  if (!holds) return [];
  if (Array.isArray(value)) {
    return LISTED.has(holds) ? value.map((each, at) => [each, [keyword, at]]) : [];
  }
  if (!isObject(value)) return [];
  if (ONE.has(holds)) return [[value, [keyword]]];
  if (!NAMED.has(holds)) return [];
  return Object.entries(value).map(([name, each]) => [each, [keyword, name]]);
}
