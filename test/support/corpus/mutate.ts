import { definitionsOf, isOpen, referencedName } from './document.js';
import type { Schema, SchemaDocument } from './document.js';
import { formatSamples } from './formats.js';
import { isObject, replaceAt, valueAt, withMember, withoutMember } from './json.js';
import type { Json, JsonObject } from './json.js';
import type { Place, Specimen } from './synthesise.js';

export const mutationKinds = [
  'replace',
  'delete',
  'respell',
  'literal',
  'discriminator',
  'extra',
  'foreign',
  'prototype',
  'bounds',
  'format',
  'array',
  'wrap',
  'unwrap',
  'spoil',
  'transplant',
] as const;
export type MutationKind = (typeof mutationKinds)[number];

/** One change at one place. */
export interface Edit {
  readonly kind: MutationKind;
  /** What stands at the place afterwards. */
  readonly value: Json;
}

/** What mutations borrow from elsewhere in the document. */
export interface Donors {
  /** Texts that some `const` or `enum` allows for a member with that key. */
  literals(key: string): readonly string[];
  /** Values that other definitions accept. */
  transplants(): readonly Json[];
  /** Values that the definition refuses, though barely: one member missing or wrong. */
  refused(definition: string): readonly Json[];
}

const replacements: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  '',
  'x',
  [],
  {},
  [null],
  { a: { b: [1, 'x', null] } },
];

/** One of each JSON type, and a fraction beside an integer. */
const kinds: readonly Json[] = [null, true, 1, 1.5, 'x', [], {}];

export const mutated = ({ value }: Specimen, { path }: Place, edit: Edit): Json =>
  replaceAt(value, path, edit.value);

/** Every systematic change of the value at one place of a specimen. */
export function* editsAt(specimen: Specimen, place: Place, donors: Donors): Iterable<Edit> {
  const value = valueAt(specimen.value, place.path);
  if (value === undefined) throw new Error(`No value at ${JSON.stringify(place.path)}`);
  for (const replacement of replacements) yield { kind: 'replace', value: replacement };
  yield* literalEdits(value, place, donors);
  if (typeof value === 'number') yield* boundEdits(value, place.schema);
  if (typeof value === 'string') yield* formatEdits(place.schema);
  if (Array.isArray(value)) yield* arrayEdits(value, place.schema);
  if (isObject(value)) yield* objectEdits(value, place);
  yield { kind: 'wrap', value: [value] };
  yield { kind: 'wrap', value: { value } };
  if (place.schema.$ref !== undefined) {
    const refused = donors.refused(referencedName(place.schema.$ref));
    for (const spoilt of refused) yield { kind: 'spoil', value: spoilt };
  }
  for (const transplant of donors.transplants()) yield { kind: 'transplant', value: transplant };
}

function* literalEdits(value: Json, { path, schema }: Place, donors: Donors): Iterable<Edit> {
  const literals = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  for (const literal of literals) {
    yield { kind: 'literal', value: literal };
    for (const near of misspelt(literal)) yield { kind: 'literal', value: near };
  }
  if (typeof value !== 'string') return;
  for (const other of donors.literals(String(path.at(-1)))) {
    if (other !== value) yield { kind: 'discriminator', value: other };
  }
}

function misspelt(literal: Json): Json[] {
  if (typeof literal === 'number') return [literal - 1, literal + 1, 0 - literal, String(literal)];
  if (typeof literal !== 'string') return [];
  return [
    literal.toUpperCase(),
    literal.charAt(0).toUpperCase() + literal.slice(1),
    `${literal}s`,
    ` ${literal}`,
    `${literal}\u0000`,
    literal.slice(0, -1),
  ];
}

function* boundEdits(value: number, { minimum, maximum }: Schema): Iterable<Edit> {
  const near = (bound: number): number[] => [bound - 1, bound - 0.5, bound, bound + 0.5, bound + 1];
  const numbers = [minimum, maximum].filter((bound) => bound !== undefined).flatMap(near);
  for (const number of [...numbers, -value, value + 0.5]) {
    // JSON has no negative zero.
    if (!Object.is(number, -0)) yield { kind: 'bounds', value: number };
  }
}

function* formatEdits({ format }: Schema): Iterable<Edit> {
  if (format === undefined) return;
  for (const text of formatSamples(format)) yield { kind: 'format', value: text };
}

function* arrayEdits(value: Json[], { minItems, maxItems }: Schema): Iterable<Edit> {
  const edit = (list: Json[]): Edit => ({ kind: 'array', value: list });
  yield edit([...value, ...value]);
  yield edit(value.slice(1));
  // The wrong one last: checking the first element is not enough.
  for (const element of kinds) yield edit([...value, element]);
  const [first = null] = value;
  for (const bound of [minItems, maxItems]) {
    if (bound === undefined) continue;
    for (const length of [bound - 1, bound, bound + 1]) {
      if (length >= 0) yield edit(Array.from({ length }, () => first));
    }
  }
  if (value.length > 0) yield { kind: 'unwrap', value: first };
}

function* objectEdits(value: JsonObject, place: Place): Iterable<Edit> {
  for (const [key, member] of Object.entries(value)) {
    const without = withoutMember(value, key);
    yield { kind: 'delete', value: without };
    const respelt = key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase();
    yield { kind: 'respell', value: withMember(without, respelt, member) };
    yield { kind: 'unwrap', value: member };
  }
  yield* extraEdits(value, place);
}

function* extraEdits(value: JsonObject, { schema, foreign = [] }: Place): Iterable<Edit> {
  const add = (kind: MutationKind, key: string, members: readonly Json[]): Edit[] =>
    members.map((member) => ({ kind, value: withMember(value, key, member) }));
  for (const key of Object.keys(schema.properties ?? {})) {
    if (!Object.hasOwn(value, key)) yield* add('extra', key, kinds);
  }
  // Where anything goes, a few will do.
  const members = isOpen(schema.additionalProperties) ? [null, { polluted: true }] : kinds;
  for (const key of ['unknown', 'constructor', 'toString', '']) yield* add('extra', key, members);
  yield* add('prototype', '__proto__', members);
  for (const key of foreign) yield* add('foreign', key, [null, 1.5]);
  const strangers = Object.fromEntries(foreign.map((key) => [key, null]));
  if (foreign.length > 1) yield { kind: 'foreign', value: { ...value, ...strangers } };
}

/** Every text that some `const` or `enum` of the document allows, by the key of the member. */
export function literalsIn(document: SchemaDocument): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [keyword, child] of Object.entries(node)) {
      if (keyword === 'properties') collectMembers(child as Record<string, Schema>);
      collect(child);
    }
  };
  const collectMembers = (members: Record<string, Schema>): void => {
    for (const [key, member] of Object.entries(members)) {
      const texts = [member.const, ...(member.enum ?? [])].filter((one) => typeof one === 'string');
      found.set(key, new Set([...(found.get(key) ?? []), ...texts]));
    }
  };
  collect(definitionsOf(document));
  return new Map([...found].map(([key, texts]) => [key, [...texts]]));
}

/** The specimen with one member of its root missing or of another type, in every way. */
export function* nearMisses(specimen: Specimen): Iterable<Json> {
  if (!isObject(specimen.value)) return;
  for (const key of Object.keys(specimen.value)) {
    yield withoutMember(specimen.value, key);
    for (const wrong of kinds) yield withMember(specimen.value, key, wrong);
  }
}
