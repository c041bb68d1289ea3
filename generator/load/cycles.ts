import { referencedName } from '../ir/index.js';
import type { JsonSchema, JsonValue } from '../ir/index.js';
import { isObject } from './keywords.js';

/**
 * The definitions that refer to themselves without an object or array in between. No value can be checked
 * against one, and TypeScript refuses it.
 */
export function circularDefinitions(definitions: ReadonlyMap<string, JsonSchema>): Set<string> {
  const direct = new Map(
    [...definitions].map(([name, schema]) => [name, directReferences(schema as JsonValue)]),
  );
  const circular = new Set<string>();
  for (const name of direct.keys()) {
    if (reaches(name, name, direct)) circular.add(name);
  }
  return circular;
}

function directReferences(schema: JsonValue): string[] {
  if (!isObject(schema)) return [];
  const own = typeof schema['$ref'] === 'string' ? (referencedName(schema['$ref']) ?? []) : [];
  const inner = ['anyOf', 'allOf'].flatMap((keyword) => {
    const members = schema[keyword];
    return Array.isArray(members) ? members.flatMap(directReferences) : [];
  });
  return [own, inner].flat();
}

function reaches(
  from: string,
  goal: string,
  edges: ReadonlyMap<string, readonly string[]>,
): boolean {
  const waiting = [...(edges.get(from) ?? [])];
  const seen = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === goal) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...(edges.get(next) ?? []));
  }
  return false;
}
