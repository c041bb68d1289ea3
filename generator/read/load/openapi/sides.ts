/**
 * Gives schemas with `readOnly` or `writeOnly` properties the form that requests have and the form that responses have: a
 * request has no `readOnly` properties, a response no `writeOnly` ones.
 */

import { fragmentParts, valueAt } from '../../../../json-schema/pointer.js';
import {
  isApplied,
  isObject,
  jsonPointer,
  leadingTo,
  subschemas,
} from '../../../../json-schema/index.js';
import type { JsonSchema, JsonValue } from '../../../../json-schema/index.js';
import type { JsonObject, Lookup, Workpiece } from './workpiece.js';
import { inPlace, referenceTo, take } from './workpiece.js';

export type Side = 'request' | 'response';

/** A schema that is no component, and who sends its values. */
export interface Sent {
  readonly side: Side;
  readonly schema: JsonSchema;
}

const HIDDEN = { request: 'readOnly', response: 'writeOnly' } as const;

/** Changes the schemas to their forms, and adds those of requests where a schema has both: `Order` and `OrderRequest`. */
export function splitSides(piece: Workpiece, sent: readonly Sent[]): void {
  const isMarked = piece.schemas.some(
    ({ schema }) => schema['readOnly'] === true || schema['writeOnly'] === true,
  );
  const components = valueAt(piece.document, piece.container);
  if (!isMarked) return;
  // What is hidden is looked up in the schemas as they were written.
  const written: Written = {
    document: structuredClone(piece.document),
    targets: new Map(),
    marked: { request: new Map(), response: new Map() },
  };
  const named = isObject(components) ? components : {};
  const uses = new Map(
    Object.entries(named).map(([name, schema]) => [name, componentsIn(schema, piece)]),
  );
  const marked = [...uses.keys()].filter((name) => isDifferent(named[name], written));
  const different = leadingTo(marked, uses);
  const reach = { request: reached('request'), response: reached('response') };
  const requests = new Map<string, string>();
  const taken = new Set(Object.keys(named));
  for (const name of different) {
    const isBoth = reach.request.has(name) === reach.response.has(name);
    if (isBoth) requests.set(name, take(`${name}Request`, taken));
  }
  for (const name of different) {
    const schema = named[name];
    if (!isObject(schema)) continue;
    const request = requests.get(name);
    if (request !== undefined) {
      const copy = structuredClone(schema);
      toSide(copy, 'request');
      named[request] = copy;
      const place = (last: string): string => jsonPointer([...piece.container, last]);
      piece.moved.set(place(request), place(name));
    }
    toSide(schema, request === undefined && reach.request.has(name) ? 'request' : 'response');
  }
  for (const { side, schema } of sent) if (isObject(schema)) toSide(schema, side);

  function reached(side: Side): Set<string> {
    const found = new Set(
      sent.flatMap((each) => (each.side === side ? [...componentsIn(each.schema, piece)] : [])),
    );
    // Adding to the set makes the loop longer.
    for (const name of found) for (const next of uses.get(name) ?? []) found.add(next);
    return found;
  }

  function toSide(root: JsonObject, side: Side): void {
    const hidden = hiddenIn(root, side, written);
    for (const { schema } of subschemas(root)) {
      const changed: JsonObject = schema;
      const reference =
        side === 'request' ? redirected(schema['$ref'], piece, requests) : undefined;
      if (reference !== undefined) changed['$ref'] = reference;
      hide(changed, hidden.get(schema) ?? NONE);
    }
  }
}

const NONE: ReadonlySet<string> = new Set();

function hide(schema: JsonObject, names: ReadonlySet<string>): void {
  if (names.size === 0) return;
  const { properties, required } = schema;
  if (isObject(properties)) {
    const kept = Object.entries(properties).filter(([name]) => !names.has(name));
    schema['properties'] = Object.fromEntries(kept);
  }
  if (!Array.isArray(required)) return;
  const left = required.filter((name) => typeof name !== 'string' || !names.has(name));
  if (left.length > 0) schema['required'] = left;
  // An empty list is none in draft-04.
  else delete schema['required'];
}

interface Written extends Lookup {
  /** The properties that each schema marks itself. */
  readonly marked: Readonly<Record<Side, Map<JsonObject, readonly string[]>>>;
}

function isDifferent(schema: JsonValue | undefined, written: Written): boolean {
  return (['request', 'response'] as const).some((side) =>
    [...hiddenIn(schema, side, written).values()].some(({ size }) => size > 0),
  );
}

/** The names of the properties that each schema hides from a side, those of the schemas around and beside it included. */
function hiddenIn(
  root: JsonValue | undefined,
  side: Side,
  written: Written,
): Map<object, ReadonlySet<string>> {
  const found = new Map<object, ReadonlySet<string>>();
  const byPlace = new Map<string, ReadonlySet<string>>();
  for (const { schema, path } of subschemas(root)) {
    const isListed = typeof path.at(-1) === 'number';
    const keyword = String(path.at(isListed ? -2 : -1));
    const isSame = isApplied(keyword) && (isListed || path.at(-2) !== 'properties');
    const around = isSame ? byPlace.get(jsonPointer(path.slice(0, isListed ? -2 : -1))) : undefined;
    const own = inPlace(schema, written).flatMap((part) => marked(part, side, written));
    const names = new Set([...(around ?? NONE), ...own]);
    found.set(schema, names);
    byPlace.set(jsonPointer(path), names);
  }
  return found;
}

function marked(schema: JsonObject, side: Side, written: Written): readonly string[] {
  const known = written.marked[side].get(schema);
  if (known) return known;
  const { properties } = schema;
  const names = Object.entries(isObject(properties) ? properties : {}).flatMap(
    ([name, property]) =>
      inPlace(property, written).some((part) => part[HIDDEN[side]] === true) ? [name] : [],
  );
  written.marked[side].set(schema, names);
  return names;
}

/** The names of the components that a schema refers to. */
function componentsIn(schema: JsonValue | undefined, { container }: Workpiece): Set<string> {
  const names = subschemas(schema).flatMap((each) => nameIn(each.schema['$ref'], container) ?? []);
  return new Set(names);
}

function nameIn(
  reference: JsonValue | undefined,
  container: readonly string[],
): string | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  const keys = fragmentParts(reference);
  return container.every((key, index) => keys[index] === key) ? keys[container.length] : undefined;
}

/** The reference to the form of requests. */
function redirected(
  reference: JsonValue | undefined,
  { container }: Workpiece,
  requests: ReadonlyMap<string, string>,
): string | undefined {
  const request = requests.get(nameIn(reference, container) ?? '');
  if (request === undefined || typeof reference !== 'string') return undefined;
  const below = fragmentParts(reference).slice(container.length + 1);
  return referenceTo([...container, request, ...below]);
}
