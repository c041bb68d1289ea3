import { fragmentParts, jsonPointer, valueAt } from '../../../../json-schema/pointer.js';
import { isObject } from '../../../../json-schema/json.js';
import type { JsonValue } from '../../../../json-schema/index.js';
import type { Diagnostic } from '../../../diagnostics/index.js';

export interface JsonObject {
  [key: string]: JsonValue;
}

/** A schema that may be changed, and the keys that lead to it. */
export interface Schema {
  readonly schema: JsonObject;
  readonly path: readonly string[];
}

/** A document, and what references lead to in it, as far as it was asked for. */
export interface Lookup {
  readonly document: JsonObject;
  readonly targets: Map<string, JsonValue | undefined>;
}

/** A copy of an OpenAPI document, which becomes one of JSON Schema. */
export interface Workpiece extends Lookup {
  /** The keys that lead to its schemas by name. */
  readonly container: readonly string[];
  /** All schemas, those inside of others included. */
  readonly schemas: readonly Schema[];
  readonly diagnostics: Diagnostic[];
  /** The pointers of places that were moved or added, and those of what they were made from. */
  readonly moved: Map<string, string>;
}

/** Schemas that apply to the same value; more are not followed, because an untrusted document decides their number. */
const MOST_PARTS = 200;

/** A schema, and those that apply to the same values through references and `allOf`. */
export function inPlace(schema: JsonValue, lookup: Lookup): JsonObject[] {
  const found = new Set<JsonObject>();
  const waiting: (JsonValue | undefined)[] = [schema];
  while (waiting.length > 0 && found.size < MOST_PARTS) {
    const next = waiting.pop();
    if (!isObject(next) || found.has(next)) continue;
    found.add(next);
    const { $ref: reference, allOf } = next;
    if (typeof reference === 'string' && reference.startsWith('#'))
      waiting.push(targetIn(lookup, reference));
    if (Array.isArray(allOf)) waiting.push(...allOf);
  }
  return [...found];
}

function targetIn({ document, targets }: Lookup, reference: string): JsonValue | undefined {
  if (!targets.has(reference)) targets.set(reference, valueAt(document, fragmentParts(reference)));
  return targets.get(reference);
}

/** What a schema may say beside the reference that it is. */
const BESIDE = /^(?:\$ref|allOf|title|description|deprecated|nullable|readOnly|writeOnly|x-.*)$/;

/** Where a schema leads that is only a reference, alone or in an `allOf`: `#/components/schemas/Dog`. */
export function targetOf(schema: JsonValue): string | undefined {
  if (!isObject(schema) || !Object.keys(schema).every((key) => BESIDE.test(key))) return undefined;
  const { $ref: reference, allOf } = schema;
  if (typeof reference !== 'string') {
    return Array.isArray(allOf) && allOf.length === 1 ? targetOf(allOf[0] ?? null) : undefined;
  }
  return reference.startsWith('#') ? `#${jsonPointer(fragmentParts(reference))}` : reference;
}

/** The reference to some keys of the document. */
export function referenceTo(keys: readonly string[]): string {
  return `#${jsonPointer(keys).replace(/[%#]/g, encodeURIComponent)}`;
}

/** A name that is not taken yet, which is taken now: the one that is wanted, or that with a number. */
export function take(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${String(count)}`;
  taken.add(name);
  return name;
}

/** The pointer of what a place was made from, which may have been made from another. */
export function originOf(pointer: string, moved: ReadonlyMap<string, string>): string {
  let found = pointer;
  // Bounded, because a document could let places be made from each other.
  for (let end = found.length, steps = 0; end > 0 && steps < MOST_STEPS; steps += 1) {
    const origin = moved.get(found.slice(0, end));
    if (origin !== undefined) found = origin + found.slice(end);
    end = origin === undefined ? found.lastIndexOf('/', end - 1) : found.length;
  }
  return found;
}

const MOST_STEPS = 1_000;
