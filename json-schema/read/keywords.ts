import { type Draft, DRAFTS } from '../draft.js';
import type { JsonValue } from '../model.js';
import { isPattern } from '../pattern/index.js';
import { isBefore } from './drafts.js';
import { isObject, isSchema } from '../json.js';

/** Where the schemas in a keyword's value are. */
export type Holds =
  | 'schema'
  | 'schemas'
  | 'map'
  /** One schema, or a list of them. */
  | 'schema-or-list'
  /** For each name a schema, or a list of names. */
  | 'schemas-or-names';

/** What a keyword is read into, as bits, so that a schema is looked at once. */
export const GROUPS = {
  reference: 1,
  dynamic: 2,
  type: 4,
  literal: 8,
  object: 16,
  array: 32,
  number: 64,
  string: 128,
  applied: 256,
  dependency: 512,
  unevaluated: 1024,
} as const;
export type Group = keyof typeof GROUPS;

export interface Keyword {
  /** What its value must be; undefined when it is that. */
  readonly check: (value: JsonValue) => string | undefined;
  readonly holds?: Holds;
  /** The first draft that knows it. Default: the oldest. */
  readonly since?: Draft;
  /** The last draft that knows it. Default: the newest. */
  readonly until?: Draft;
  /** What it is read into: for those of one type of value, that type. */
  readonly group?: Group;
  /** Whether it belongs to the validation vocabulary. */
  readonly asserts?: boolean;
}

type Options = Omit<Keyword, 'check'>;

const TYPES: readonly unknown[] = 'null boolean object array number integer string'.split(' ');
export const isType = (name: unknown): boolean => TYPES.includes(name);

const must =
  (test: (value: JsonValue) => boolean, what: string) =>
  (options: Options = {}): Keyword => ({
    check: (value) => (test(value) ? undefined : what),
    ...options,
  });

const isText = (value: JsonValue): boolean => typeof value === 'string';
const isCount = (value: JsonValue): boolean => Number.isInteger(value) && (value as number) >= 0;
export const isNames = (value: JsonValue): value is string[] =>
  Array.isArray(value) && value.every(isText);
const isMap = (test: (value: JsonValue) => boolean) => (value: JsonValue) => {
  if (!isObject(value)) return false;
  for (const name of Object.keys(value)) if (!test(value[name] ?? null)) return false;
  return true;
};
const isList = (value: JsonValue): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema);

const anything = must(() => true, '');
const text = must(isText, 'must be a string');
const flag = must((value) => typeof value === 'boolean', 'must be true or false');
const count = must(isCount, 'must be a whole number, 0 or more');
const number = must((value) => Number.isFinite(value), 'must be a number');
const positive = must((value) => (value as number) > 0, 'must be a number above 0');
const names = must(isNames, 'must be a list of names');
const schema = must(isSchema, 'must be a schema');
const schemas = must(isList, 'must be a list of schemas');
const items = must(
  (value) => isSchema(value) || (Array.isArray(value) && value.every(isSchema)),
  'must be a schema',
);
const values = must((value) => Array.isArray(value), 'must be a list of values');
const schemaMap = must(isMap(isSchema), 'must be an object of schemas');
const nameMap = must(isMap(isNames), 'must be an object of lists of names');
const mixedMap = must(
  isMap((value) => isSchema(value) || isNames(value)),
  'must be an object of schemas or lists of names',
);
const type = must(
  (value) => {
    if (!Array.isArray(value)) return isType(value);
    return value.length > 0 && value.every(isType);
  },
  `must be one of ${TYPES.join(', ')}, or a list of them`,
);
const pattern = must(
  (value) => isText(value) && isPattern(value as string),
  'is not a regular expression',
);
const patterns = must(
  (value) => isMap(isSchema)(value) && Object.keys(value as object).every(isPattern),
  'must be an object of schemas whose names are regular expressions',
);

const object = { group: 'object' } as const;
const array = { group: 'array' } as const;
const applied = { group: 'applied' } as const;
const dependency = { group: 'dependency' } as const;
const unevaluated = { group: 'unevaluated' } as const;
const asserts = { asserts: true } as const;
const since06 = { since: 'draft-06' } as const;
const since07 = { since: 'draft-07' } as const;
const since2019 = { since: '2019-09' } as const;
const since2020 = { since: '2020-12' } as const;
const only2019 = { since: '2019-09', until: '2019-09' } as const;

/** Every keyword with a meaning; all others are annotations. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ['$ref', text({ group: 'reference' })],
  ['$dynamicRef', text({ group: 'dynamic', ...since2020 })],
  ['$id', text(since06)],
  ['$anchor', text(since2019)],
  ['$dynamicAnchor', text(since2020)],
  ['$recursiveRef', text({ group: 'dynamic', ...only2019 })],
  ['$recursiveAnchor', flag(only2019)],
  ['$schema', text()],
  ['$defs', schemaMap({ holds: 'map' })],
  ['definitions', schemaMap({ holds: 'map' })],

  ['type', type({ group: 'type', ...asserts })],
  ['const', anything({ group: 'literal', ...since06, ...asserts })],
  ['enum', values({ group: 'literal', ...asserts })],

  ['allOf', schemas({ holds: 'schemas', ...applied })],
  ['anyOf', schemas({ holds: 'schemas', ...applied })],
  ['oneOf', schemas({ holds: 'schemas', ...applied })],
  ['not', schema({ holds: 'schema', ...applied })],
  ['if', schema({ holds: 'schema', ...applied, ...since07 })],
  ['then', schema({ holds: 'schema', ...applied, ...since07 })],
  ['else', schema({ holds: 'schema', ...applied, ...since07 })],

  ['properties', schemaMap({ holds: 'map', ...object })],
  ['patternProperties', patterns({ holds: 'map', ...object })],
  ['additionalProperties', schema({ holds: 'schema', ...object })],
  ['propertyNames', schema({ holds: 'schema', ...object, ...since06 })],
  ['required', names({ ...object, ...asserts })],
  ['minProperties', count({ ...object, ...asserts })],
  ['maxProperties', count({ ...object, ...asserts })],
  ['dependentSchemas', schemaMap({ holds: 'map', ...dependency, ...since2019 })],
  ['dependentRequired', nameMap({ ...dependency, ...since2019, ...asserts })],
  ['dependencies', mixedMap({ holds: 'schemas-or-names', ...dependency, until: 'draft-07' })],
  ['unevaluatedProperties', schema({ holds: 'schema', ...unevaluated, ...since2019 })],

  ['items', items({ holds: 'schema-or-list', ...array })],
  ['prefixItems', schemas({ holds: 'schemas', ...array, ...since2020 })],
  ['additionalItems', schema({ holds: 'schema', ...array, until: '2019-09' })],
  ['contains', schema({ holds: 'schema', ...array, ...since06 })],
  ['minContains', count({ ...array, ...since2019, ...asserts })],
  ['maxContains', count({ ...array, ...since2019, ...asserts })],
  ['minItems', count({ ...array, ...asserts })],
  ['maxItems', count({ ...array, ...asserts })],
  ['uniqueItems', flag({ ...array, ...asserts })],
  ['unevaluatedItems', schema({ holds: 'schema', ...unevaluated, ...since2019 })],

  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map(
    (name): [string, Keyword] => [name, number({ group: 'number', ...asserts })],
  ),
  ['multipleOf', positive({ group: 'number', ...asserts })],
  ['minLength', count({ group: 'string', ...asserts })],
  ['maxLength', count({ group: 'string', ...asserts })],
  ['pattern', pattern({ group: 'string', ...asserts })],
  ['format', text()],
]);

/** Keywords that describe, and change no verdict. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...'$comment $vocabulary title description default examples deprecated readOnly'.split(' '),
  ...'writeOnly contentEncoding contentMediaType contentSchema'.split(' '),
]);

/** Keywords that draft-04 spells or means in another way. */
const IN_DRAFT_04: ReadonlyMap<string, Keyword> = new Map([
  ['id', text()],
  ['exclusiveMinimum', flag({ group: 'number', ...asserts })],
  ['exclusiveMaximum', flag({ group: 'number', ...asserts })],
]);

function keywordsIn(draft: Draft): ReadonlyMap<string, Keyword> {
  const known = [...KEYWORDS].filter(
    ([, { since = draft, until = draft }]) => !isBefore(draft, since) && !isBefore(until, draft),
  );
  return new Map([...known, ...(draft === 'draft-04' ? IN_DRAFT_04 : [])]);
}

const BY_DRAFT: ReadonlyMap<Draft, ReadonlyMap<string, Keyword>> = new Map(
  DRAFTS.map((draft) => [draft, keywordsIn(draft)]),
);

const NONE: ReadonlyMap<string, Keyword> = new Map();

/** The keywords of a draft. */
export function keywordsOf(draft: Draft): ReadonlyMap<string, Keyword> {
  return BY_DRAFT.get(draft) ?? NONE;
}

/** The meaning of a keyword in a draft. */
export function keywordIn(draft: Draft, name: string): Keyword | undefined {
  return keywordsOf(draft).get(name);
}

/** Whether a keyword of a draft can refuse values by itself: no name, no annotation, and no place to refer to. */
export function restricts(draft: Draft, name: string): boolean {
  if (CONTAINERS.has(name)) return false;
  const { asserts, holds } = keywordIn(draft, name) ?? {};
  return asserts === true || holds !== undefined || name === 'format';
}

/** Whether the schemas of a keyword are about the same value as the schema that has it. */
export function isApplied(name: string | number): boolean {
  return KEYWORDS.get(String(name))?.group === 'applied';
}

/** Only places to refer to: they restrict nothing, also where they are not well-formed. */
export const CONTAINERS: ReadonlySet<string | number> = new Set(['definitions', '$defs']);

/** The drafts that know a keyword, in words; undefined when all do, or none. */
export function draftsOf(name: string): string | undefined {
  const { since, until } = KEYWORDS.get(name) ?? {};
  if (since === until) return since;
  return since === undefined ? `${until} and older drafts` : `${since} and newer drafts`;
}

/** Whether a draft of JSON Schema has a keyword of this name. */
export function isKeyword(name: string): boolean {
  return KEYWORDS.has(name) || ANNOTATIONS.has(name);
}

/** Whether a keyword changes no verdict in any draft: a text, or one that JSON Schema does not have. */
export function isAnnotation(name: string): boolean {
  if (ANNOTATIONS.has(name)) return true;
  return !KEYWORDS.has(name) && !name.startsWith('$') && name !== 'nullable';
}
