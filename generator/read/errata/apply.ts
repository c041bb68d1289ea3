import { equal } from '../../../json-schema/compare/index.js';
import {
  createJudge,
  findProperty,
  isAnnotation,
  isObject,
  jsonPointer,
  type JsonValue,
  type Node,
  pointerParts,
  read,
  subschemas,
  typesOf,
} from '../../../json-schema/index.js';
import { fragmentParts, valueAt } from '../../../json-schema/pointer.js';
import type { Correction } from '../../ir/index.js';
import { ERRATA } from './errata.js';
import type { Erratum, PlainType } from './errata.js';

type Json = { [key: string]: JsonValue };

/** A copy of a document with its corrections. */
export interface Corrected {
  readonly json: Json;
  /** What was corrected, with the places. */
  readonly corrections: readonly Correction[];
}

/** Makes each correction wherever the document accepts what it finds, whatever revision the document is of. */
export function applyErrata(json: Json, errata: readonly Erratum[] = ERRATA): Corrected {
  const found = errata
    .flatMap((erratum) =>
      [...schemasAt(erratum.path, json), ...copiesOf(erratum, json)].map((place) => {
        return { erratum, place };
      }),
    )
    // A schema is corrected before one that it lies in.
    .sort((a, b) => b.place.length - a.place.length);
  let copy: Json | undefined;
  const corrections: Correction[] = [];
  for (const { erratum, place } of found) {
    for (const correction of correctionOf(erratum, place, copy ?? json)) {
      copy ??= structuredClone(json);
      // It may have parts of the schema that it lies in.
      write(copy, pointerParts(correction.pointer), structuredClone(correction.becomes));
      corrections.push(correction);
    }
  }
  return { json: copy ?? json, corrections: inOrder(corrections, errata) };
}

type Place = readonly (string | number)[];

function inOrder(all: readonly Correction[], errata: readonly Erratum[]): Correction[] {
  return errata.flatMap(({ id }) => all.filter((correction) => correction.id === id));
}

/** Where a path leads in a document, through references and intersections. */
function schemasAt([name = '', ...keys]: Erratum['path'], json: Json): Place[] {
  const roots = ['$defs', 'definitions'].map((container): Place => [container, name]);
  const found = keys.reduce<readonly Place[]>(
    (places, key) => places.flatMap((place) => partsAt(place, json).map((part) => [...part, key])),
    roots,
  );
  return found.filter((place) => isObject(valueAt(json, place)));
}

/** Where a document has the wrong schema in the place of a reference to its definition. */
function copiesOf({ path: [name = '', ...keys], was }: Erratum, json: Json): Place[] {
  const container = ['$defs', 'definitions'].find((each) => isObject(valueAt(json, [each, name])));
  if (container === undefined) return [];
  return subschemas(json)
    .filter(({ path }) => keys.every((key, index) => path.at(index - keys.length) === key))
    .filter(({ path }) => {
      const choices = choicesAt(path, json);
      // A reference is corrected with its target.
      const [first] = choices.filter(({ isReferred }) => !isReferred);
      if (!first) return false;
      if (choices.length === 1 && !Array.isArray(first.schema['type'])) return false;
      const owner = path.slice(0, path.length - keys.length);
      const isDefinition = jsonPointer(owner) === jsonPointer([container, name]);
      return !isDefinition && hasPlainPart(choices, was) && isCopy(owner, container, name, json);
    })
    .map(({ path }) => path);
}

/** Whether a schema accepts what a definition accepts. */
function isCopy(place: Place, container: string, name: string, json: Json): boolean {
  const { node, definitions } = read({
    $schema: json['$schema'],
    [container]: json[container],
    type: 'object',
    properties: { copy: valueAt(json, place), definition: { $ref: `#/${container}/${name}` } },
  });
  const [copy, definition] = ['copy', 'definition'].map((key) =>
    findProperty(node, key, definitions),
  );
  if (!copy || !definition) return false;
  return equal(copy.node, definition.node, { definitions, acceptance: createJudge(definitions) });
}

/** The schemas that together are the one at a place. */
function partsAt(place: Place, json: Json, passed: readonly string[] = []): Place[] {
  const pointer = jsonPointer(place);
  const schema = valueAt(json, place);
  if (!isObject(schema) || passed.includes(pointer)) return [];
  const { $ref, allOf } = schema;
  const target = placeOf($ref);
  const inner = [
    ...(target ? [target] : []),
    ...(Array.isArray(allOf) ? allOf.map((_, index): Place => [...place, 'allOf', index]) : []),
  ];
  return [place, ...inner.flatMap((each) => partsAt(each, json, [...passed, pointer]))];
}

/** The correction of the schema at a place, if it accepts what the erratum finds. */
function correctionOf(
  { id, was, becomes, reason }: Erratum,
  root: Place,
  json: Json,
): Correction[] {
  const all = choicesAt(root, json);
  if (!hasPlainPart(all, was)) return [];
  const [first, ...others] = all.filter(({ schema }) => plainPart(schema));
  const rest = all.flatMap(({ schema }) => structuredPart(schema) ?? []);
  const isTypeList =
    first?.schema['type'] !== undefined && others.length === 0 && !first.isReferred;
  if (first && isTypeList) {
    const types = listOf(first.schema['type']).filter((type) => !isPlain(type));
    const pointer = jsonPointer([...first.place, 'type']);
    const [only, ...more] = [...types, ...becomes];
    const corrected = only !== undefined && more.length === 0 ? only : [...types, ...becomes];
    return [{ id, pointer, was: first.schema['type'] ?? null, becomes: corrected, reason }];
  }
  const own = valueAt(json, root) as Json;
  const texts = Object.entries(own).filter(([key]) => isAnnotation(key));
  const corrected = { ...Object.fromEntries(texts), anyOf: [...rest, { type: [...becomes] }] };
  return [{ id, pointer: jsonPointer(root), was: own, becomes: corrected, reason }];
}

interface Choice {
  readonly place: Place;
  readonly schema: Json;
  /** Whether a reference leads to it, so that other places have it too. */
  readonly isReferred: boolean;
}

/** The alternatives of the schema at a place, through references and inner unions. */
function choicesAt(place: Place, json: Json, passed: readonly string[] = []): Choice[] {
  const pointer = jsonPointer(place);
  const schema = valueAt(json, place);
  if (!isObject(schema) || passed.includes(pointer)) return [];
  const [keyword, ...others] = Object.keys(schema).filter((key) => !isAnnotation(key));
  const value = others.length === 0 && keyword !== undefined ? schema[keyword] : undefined;
  const seen = [...passed, pointer];
  const target = keyword === '$ref' ? placeOf(value) : undefined;
  if (target)
    return choicesAt(target, json, seen).map((choice) => ({ ...choice, isReferred: true }));
  const isUnion =
    keyword !== undefined &&
    Array.isArray(value) &&
    (UNIONS.has(keyword) || (keyword === 'allOf' && value.length === 1));
  if (!isUnion) return [{ place, schema, isReferred: false }];
  return value.flatMap((_, index) => choicesAt([...place, keyword, index], json, seen));
}

const UNIONS: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

const PLAIN: Readonly<Record<PlainType, Node>> = {
  string: { kind: 'string' },
  integer: { kind: 'number', integer: true },
  number: { kind: 'number', integer: false },
  boolean: { kind: 'boolean' },
  null: { kind: 'null' },
};

const isPlain = (type: unknown): boolean => typeof type === 'string' && Object.hasOwn(PLAIN, type);

const listOf = (types: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(types) ? types : [types ?? null];

/** What a schema accepts beside objects and arrays; undefined when that is nothing. */
function plainPart(schema: Json): Json | undefined {
  if (Array.isArray(schema['type'])) {
    const types = schema['type'].filter(isPlain);
    return types.length === 0 ? undefined : { ...schema, type: types };
  }
  const { node, definitions } = read(schema);
  const types = [...typesOf(node, definitions)];
  return types.some((type) => isPlain(type)) ? schema : undefined;
}

/** The objects and arrays that a schema accepts; undefined when these are none. */
function structuredPart(schema: Json): Json | undefined {
  if (!plainPart(schema)) return schema;
  const types = listOf(schema['type']).filter((type) => type !== null && !isPlain(type));
  return types.length === 0 ? undefined : { ...schema, type: types };
}

/** Whether schemas together accept these types beside objects and arrays. */
function hasPlainPart(choices: readonly Choice[], types: readonly PlainType[]): boolean {
  const anyOf = choices.flatMap(({ schema }) => plainPart(schema) ?? []);
  const { node, definitions, exact } = read({ anyOf });
  const wanted: Node = { kind: 'union', members: types.map((type) => PLAIN[type]) };
  return exact && equal(node, wanted, { definitions, acceptance: createJudge(definitions) });
}

function placeOf(reference: JsonValue | undefined): Place | undefined {
  return typeof reference === 'string' && reference.startsWith('#/')
    ? fragmentParts(reference)
    : undefined;
}

function write(json: Json, place: Place, value: JsonValue): void {
  const owner = valueAt(json, place.slice(0, -1)) as Json;
  owner[String(place.at(-1))] = value;
}
