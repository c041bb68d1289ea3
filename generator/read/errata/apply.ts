import { jsonPointer, type JsonValue } from '../../../json-schema/index.js';
import type { Correction } from '../../ir/index.js';
import { ERRATA } from './errata.js';
import type { Erratum } from './errata.js';

type Json = { [key: string]: JsonValue };

/** A copy of a document with its corrections. */
export interface Corrected {
  readonly json: Json;
  /** What was corrected, with the places. */
  readonly corrections: readonly Correction[];
}

/** Makes each correction wherever the document has what it finds, whatever revision the document is of. */
export function applyErrata(json: Json, errata: readonly Erratum[] = ERRATA): Corrected {
  const found = errata.flatMap((erratum) =>
    placesOf(erratum, json).map((place) => ({ erratum, place })),
  );
  if (found.length === 0) return { json, corrections: [] };
  const copy = structuredClone(json);
  for (const { erratum, place } of found) {
    (valueAt(copy, place) as Json)[erratum.keyword] = erratum.becomes;
  }
  return {
    json: copy,
    corrections: found.map(({ erratum: { id, keyword, was, becomes, reason }, place }) => {
      return { id, pointer: jsonPointer([...place, keyword]), was, becomes, reason };
    }),
  };
}

type Place = readonly (string | number)[];

/** Where a document has the value that a correction finds. */
function placesOf({ path, keyword, was }: Erratum, json: Json): Place[] {
  const wanted = unordered(was);
  const within = (place: Place): Place[] => {
    const schema = valueAt(json, place);
    if (!isObject(schema)) return [];
    const members = ['anyOf', 'oneOf'].flatMap((union) => {
      const list = schema[union];
      return Array.isArray(list)
        ? list.flatMap((_, index) => within([...place, union, index]))
        : [];
    });
    const own = schema[keyword];
    return own !== undefined && unordered(own) === wanted ? [place, ...members] : members;
  };
  return ['$defs', 'definitions'].flatMap((container) => within([container, ...path]));
}

function valueAt(json: Json, place: Place): JsonValue | undefined {
  let value: JsonValue | undefined = json;
  for (const key of place) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Json)[key];
  }
  return value;
}

/** The order of types means nothing. */
function unordered(value: JsonValue): string {
  return JSON.stringify(Array.isArray(value) ? value.map(unordered).sort() : value);
}

function isObject(value: JsonValue | undefined): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
