import { createHash } from 'node:crypto';
import { type Holds, KEYWORDS } from '../../../json-schema/index.js';

/** How the value of a keyword contains schemas: one schema, a list, or a map by name. */
type Nesting = 'schema' | 'list' | 'map';

const NESTING: Readonly<Record<Holds, Nesting>> = {
  schema: 'schema',
  'schema-or-list': 'schema',
  schemas: 'list',
  map: 'map',
  'schemas-or-names': 'map',
};

/** Every keyword of draft-07 and 2020-12 whose value contains schemas. All others contain plain JSON. */
export const nestingKeywords: ReadonlyMap<string, Nesting> = new Map([
  ['contentSchema', 'schema'],
  ...[...KEYWORDS].flatMap(([name, { holds }]) => (holds ? [[name, NESTING[holds]] as const] : [])),
]);

/** Annotations: keywords that do not affect validity. */
export const annotationKeywords: ReadonlySet<string> = new Set([
  '$comment',
  'description',
  'examples',
  'title',
]);

/** Keywords whose array is a set: the order of its members means nothing. */
const setKeywords: ReadonlySet<string> = new Set(['enum', 'required', 'type']);

const maxDepth = 500;

/** The role of a value: a schema, a container of schemas, or plain JSON. */
export type Role = Nesting | 'set' | 'plain';

/**
 * The canonical form of a JSON Schema: JSON without whitespace, annotations or meaningless order.
 * `schema/README.md` defines it. Two schemas have the same form exactly when they have the same
 * structure.
 *
 * @param schema a parsed JSON document; every own key counts, `__proto__` included
 * @param role the role of the value, if it is part of a schema
 * @throws RangeError if it nests deeper than 500 levels
 * @throws TypeError if it contains a value that is not JSON
 */
export function canonicalForm(schema: unknown, role: Role = 'schema'): string {
  return write(schema, role, 0);
}

/**
 * SHA-256 of the canonical form in UTF-8, as 64 lower-case hexadecimal digits.
 *
 * @throws RangeError and TypeError as `canonicalForm` does
 */
export function structuralFingerprint(schema: unknown): string {
  return createHash('sha256').update(canonicalForm(schema), 'utf8').digest('hex');
}

function write(value: unknown, role: Role, depth: number): string {
  if (typeof value !== 'object' || value === null) return writeScalar(value);
  if (depth === maxDepth) {
    throw new RangeError(`The schema nests deeper than ${maxDepth} levels.`);
  }
  return Array.isArray(value) ? writeArray(value, role, depth) : writeObject(value, role, depth);
}

function writeArray(items: readonly unknown[], role: Role, depth: number): string {
  // A list is allowed in place of a schema, as under `items` of draft-07.
  const itemRole: Role = role === 'list' || role === 'schema' ? 'schema' : 'plain';
  const written = Array.from(items, (item) => write(item, itemRole, depth + 1));
  if (role === 'set') written.sort();
  return `[${written.join(',')}]`;
}

/** The role of an array's items; `items` of draft-07 may be a list of schemas. */
export function itemRole(role: Role): Role {
  return role === 'list' || role === 'schema' ? 'schema' : 'plain';
}

function writeObject(object: object, role: Role, depth: number): string {
  const members = Object.entries(object)
    .filter(([key]) => !(role === 'schema' && annotationKeywords.has(key)))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => {
      return `${JSON.stringify(key)}:${write(value, memberRole(role, key), depth + 1)}`;
    });
  return `{${members.join(',')}}`;
}

/** The role of a key's value, by the role of its container. */
export function memberRole(role: Role, key: string): Role {
  if (role === 'map') return 'schema';
  if (role !== 'schema') return 'plain';
  return nestingKeywords.get(key) ?? (setKeywords.has(key) ? 'set' : 'plain');
}

function writeScalar(value: unknown): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') {
    return JSON.stringify(value);
  }
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  const found = typeof value === 'number' ? String(value) : typeof value;
  throw new TypeError(`A schema holds JSON values only, and this one holds ${found}.`);
}
