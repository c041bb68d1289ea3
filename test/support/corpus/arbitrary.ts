import fc from 'fast-check';
import { alternativesIn } from './alternatives.js';
import { definitionOf, referencedName } from './document.js';
import type { Schema, SchemaDocument } from './document.js';
import { isObject, withMember, withoutMember } from './json.js';
import type { Json, JsonObject } from './json.js';
import { literalsIn } from './mutate.js';
import { anyValues, oddKeys, scalars, typesOrGuess } from './scalars.js';
import { smallestIn } from './smallest.js';

/** References followed within one value before the smallest will do. */
const depthLimit = 4;

/**
 * Values for one definition, about half of them valid, that shrink member by member. For a great
 * many values `fuzz` is several times quicker; it does not shrink.
 */
export function arbitraryOf(document: SchemaDocument, definition: string): fc.Arbitrary<Json> {
  const shaped = shapesIn(document)(definition);
  return fc.oneof(
    { weight: 5, arbitrary: shaped },
    { weight: 5, arbitrary: corruptions(shaped, changes(document)) },
    { weight: 1, arbitrary: anyJson },
  );
}

const anyText = fc.string({ unit: 'binary', maxLength: 8 });
const anyKey = fc.oneof(fc.constantFrom(...oddKeys), anyText);

// Through text, so that nothing is left that JSON lacks, such as a negative zero.
const anyJson = fc
  .oneof(fc.constantFrom(...anyValues), fc.jsonValue({ maxDepth: 2 }))
  .map((value) => JSON.parse(JSON.stringify(value)) as Json);

function shapesIn(document: SchemaDocument): (definition: string) => fc.Arbitrary<Json> {
  const alternatives = alternativesIn(document);
  const smallest = smallestIn(document, alternatives);
  const known = new Map<string, fc.Arbitrary<Json> | undefined>();

  const referenced = (name: string, depth: number): fc.Arbitrary<Json> | undefined => {
    const key = `${depth} ${name}`;
    if (!known.has(key)) known.set(key, fitting(definitionOf(document, name), depth));
    return known.get(key);
  };

  const fitting = (schema: Schema | boolean, depth: number): fc.Arbitrary<Json> | undefined => {
    if (depth > depthLimit) {
      const value = smallest(schema);
      return value === undefined ? undefined : fc.constant(value);
    }
    const branches = alternatives(schema)
      .map((branch) => branchOf(branch, depth))
      .filter((branch) => branch !== undefined);
    return branches.length === 0 ? undefined : fc.oneof(...branches);
  };

  const branchOf = (schema: Schema, depth: number): fc.Arbitrary<Json> | undefined => {
    if (schema.$ref !== undefined) return referenced(referencedName(schema.$ref), depth + 1);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const types = typesOrGuess(schema)
      .map((type) => {
        if (type === 'object') return objectOf(schema, depth);
        if (type === 'array') return arrayOf(schema, depth);
        if (type === 'any') return anyJson;
        const listed = fc.constantFrom(...scalars(schema, type));
        return type === 'string' && schema.format === undefined
          ? fc.oneof(listed, anyText)
          : listed;
      })
      .filter((type) => type !== undefined);
    return types.length === 0 ? undefined : fc.oneof(...types);
  };

  const objectOf = (schema: Schema, depth: number): fc.Arbitrary<Json> | undefined => {
    const { properties = {}, additionalProperties = true, required = [] } = schema;
    const members = new Map<string, fc.Arbitrary<Json>>();
    for (const key of new Set([...Object.keys(properties), ...required])) {
      const member = fitting(properties[key] ?? additionalProperties, depth);
      if (member !== undefined) members.set(key, member);
      else if (required.includes(key)) return undefined;
    }
    const known = fc.record(Object.fromEntries(members), {
      requiredKeys: [...required],
      noNullPrototype: true,
    });
    const extra = fitting(additionalProperties, depth);
    if (extra === undefined) return known;
    const maxKeys = schema.properties === undefined ? 3 : 1;
    const stranger = anyKey.filter((key) => !members.has(key));
    const unknown = fc.dictionary(stranger, extra, { maxKeys, noNullPrototype: true });
    return fc.tuple(known, unknown).map(([some, others]) => ({ ...some, ...others }));
  };

  const arrayOf = (schema: Schema, depth: number): fc.Arbitrary<Json> | undefined => {
    const { items = true, minItems = 0, maxItems = Infinity } = schema;
    const item = fitting(items, depth);
    if (item === undefined) return minItems === 0 ? fc.constant([]) : undefined;
    return fc.array(item, { minLength: minItems, maxLength: Math.min(minItems + 3, maxItems) });
  };

  return (definition) => referenced(definition, 0) ?? anyJson;
}

type Change = (value: Json) => Json;

function changes(document: SchemaDocument): fc.Arbitrary<Change> {
  const literals = [...new Set([...literalsIn(document).values()].flat())];
  const replacement = fc.oneof(anyJson, fc.constantFrom('', ...literals));
  return fc.oneof(
    replacement.map(
      (other): Change =>
        () =>
          other,
    ),
    fc.constant<Change>((value) => [value]),
    fc.nat().map((step): Change => (value) => {
      if (!isObject(value)) return null;
      const key = keyAt(value, step);
      return key === undefined ? null : withoutMember(value, key);
    }),
    fc.tuple(anyKey, anyJson).map(([key, member]): Change => (value) => {
      return isObject(value) ? withMember(value, key, member) : [value, member];
    }),
  );
}

/** A fitting value with one change somewhere inside. */
const corruptions = (
  shaped: fc.Arbitrary<Json>,
  change: fc.Arbitrary<Change>,
): fc.Arbitrary<Json> =>
  fc
    .tuple(shaped, fc.array(fc.nat(), { maxLength: 4 }), change)
    .map(([value, route, apply]) => changeAlong(value, route, apply));

/** Follows the route, each step modulo the number of children there, and ends early at a leaf. */
function changeAlong(value: Json, [step, ...rest]: readonly number[], change: Change): Json {
  if (step === undefined) return change(value);
  if (Array.isArray(value) && value.length > 0) {
    const index = step % value.length;
    return value.with(index, changeAlong(value[index] ?? null, rest, change));
  }
  if (isObject(value)) {
    const key = keyAt(value, step);
    if (key !== undefined) {
      return withMember(value, key, changeAlong(value[key] ?? null, rest, change));
    }
  }
  return change(value);
}

const keyAt = (value: JsonObject, step: number): string | undefined =>
  Object.keys(value).at(step % Object.keys(value).length);
