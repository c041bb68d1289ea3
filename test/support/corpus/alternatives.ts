import { isDeepStrictEqual } from 'node:util';
import { definitionOf, isNever, isOpen, referencedName } from './document.js';
import type { Schema, SchemaDocument } from './document.js';

/**
 * The ways in which a schema can be met, each without combinators: a bare `$ref`, or keywords about
 * the value itself. `anyOf` gives one a branch, `allOf` merges; none means that nothing is accepted.
 * The same schema gives the same objects, so that they can stand for the places in it.
 */
export type Alternatives = (schema: Schema | boolean) => readonly Schema[];

export function alternativesIn(document: SchemaDocument): Alternatives {
  const known = new WeakMap<Schema, readonly Schema[]>();
  const alternatives: Alternatives = (schema) => {
    if (typeof schema === 'boolean') return schema ? [anything] : [];
    const before = known.get(schema);
    if (before !== undefined) return before;
    const found = expand(schema);
    known.set(schema, found);
    return found;
  };

  const expand = (schema: Schema): readonly Schema[] => {
    if (isNever(schema)) return [];
    const { anyOf, oneOf, allOf, $ref, ...rest } = schema;
    const own = !isOpen(rest);
    const parts: (readonly Schema[])[] = [
      ...(own ? [[rest]] : []),
      ...($ref === undefined ? [] : [[{ $ref }]]),
      ...[anyOf, oneOf]
        .filter((branches) => branches !== undefined)
        .map((branches) => branches.flatMap(alternatives)),
      ...(allOf ?? []).map(alternatives),
    ];
    const [first = [anything], ...others] = parts;
    if (others.length === 0) return first;
    return others.reduce<readonly Schema[]>(
      (left, right) => mergeEach(inline(left), inline(right)),
      first,
    );
  };

  const inline = (schemas: readonly Schema[]): readonly Schema[] =>
    schemas.flatMap((schema) =>
      schema.$ref === undefined
        ? [schema]
        : inline(alternatives(definitionOf(document, referencedName(schema.$ref)))),
    );

  return alternatives;
}

const anything: Schema = {};

const mergeEach = (left: readonly Schema[], right: readonly Schema[]): readonly Schema[] =>
  left.flatMap((a) => right.map((b) => merge(a, b)).filter((merged) => merged !== undefined));

/** Both at once, or undefined when they plainly exclude each other. */
function merge(a: Schema, b: Schema): Schema | undefined {
  if ('const' in a && 'const' in b && !isDeepStrictEqual(a.const, b.const)) return undefined;
  const types = intersection(typesOf(a), typesOf(b));
  if (types?.length === 0) return undefined;
  const minimum = Math.max(a.minimum ?? -Infinity, b.minimum ?? -Infinity);
  const maximum = Math.min(a.maximum ?? Infinity, b.maximum ?? Infinity);
  const additional = both(a.additionalProperties, b.additionalProperties);
  return {
    ...a,
    ...b,
    ...(types && { type: types }),
    ...(minimum > -Infinity && { minimum }),
    ...(maximum < Infinity && { maximum }),
    ...((a.properties ?? b.properties) && { properties: mergeProperties(a, b) }),
    ...((a.required ?? b.required) && {
      required: [...new Set([...(a.required ?? []), ...(b.required ?? [])])],
    }),
    ...(additional !== undefined && { additionalProperties: additional }),
  };
}

export const typesOf = ({ type }: Schema): readonly string[] | undefined =>
  typeof type === 'string' ? [type] : type;

function intersection(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.filter((type) => b.includes(type));
}

function mergeProperties(a: Schema, b: Schema): Record<string, Schema | boolean> {
  const merged = new Map(Object.entries(a.properties ?? {}));
  for (const [key, schema] of Object.entries(b.properties ?? {})) {
    merged.set(key, both(merged.get(key), schema) ?? schema);
  }
  return Object.fromEntries(merged);
}

const both = (
  a: Schema | boolean | undefined,
  b: Schema | boolean | undefined,
): Schema | boolean | undefined =>
  a === undefined || b === undefined ? (a ?? b) : { allOf: [a, b] };
