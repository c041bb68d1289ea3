import type { JsonValue } from '../ir/index.js';
import { ALL_TYPES, enter, inside, is, keyword } from './context.js';
import type { Context, Place, TypeName } from './context.js';
import { literalType, typeNameOf, wholeType } from './literal.js';
import { isObject } from '../read/index.js';
import { resolveReference } from './reference.js';
import type { JsonObject } from '../read/index.js';
import { arrayType, hasStructure, objectType } from './structure.js';
import { intersection, NEVER, union, UNKNOWN } from './type.js';
import type { Type } from './type.js';

/**
 * The type of the values that a schema accepts, or a wider one: every value that the schema accepts and
 * that has an assumed type is assignable to it. All keywords apply together, so each is a member of an
 * intersection. A keyword that no type expresses is left out.
 */
export function readSchema(schema: JsonValue, at: Place, context: Context): Type {
  enter(context, at);
  if (typeof schema === 'boolean') return schema ? UNKNOWN : NEVER;
  if (!isObject(schema)) {
    context.widen(at.path, 'malformed-keyword', 'A schema is neither an object nor a boolean');
    return UNKNOWN;
  }
  if (at.path.length > 0 && isResource(schema)) {
    context.widen(at.path, 'unsupported-keyword', 'An inner schema has its own "$id"');
    return UNKNOWN;
  }
  const refers = Object.hasOwn(schema, '$ref');
  if (refers && context.dialect === 'draft-07') return reference(schema, at, context);
  const types = typesOf(schema, at, context);
  const here = { ...at, assumed: types };
  return intersection([
    ...(refers ? [reference(schema, at, context)] : []),
    ownType(schema, here, at.assumed, context),
    ...applied(schema, here, context),
  ]);
}

/** Keywords that change the meaning of references below them. */
function isResource(schema: JsonObject): boolean {
  const id = schema['$id'];
  return typeof id === 'string' && !id.startsWith('#');
}

const TYPE_NAMES: Readonly<Record<string, TypeName>> = {
  ...Object.fromEntries(ALL_TYPES.map((name) => [name, name])),
  integer: 'number',
};

/** The assumed types that `type` allows. `nullable` comes from OpenAPI, and ajv supports it. */
function typesOf(schema: JsonObject, at: Place, context: Context): readonly TypeName[] {
  const isType = (value: JsonValue): value is string | string[] =>
    (is.list(value) ? value : [value]).every(
      (name) => typeof name === 'string' && Object.hasOwn(TYPE_NAMES, name),
    );
  const written = keyword(schema, 'type', isType, at, context);
  if (written === undefined) return at.assumed;
  const names = [written, schema['nullable'] === true ? 'null' : []].flat();
  const allowed = new Set(names.map((name) => TYPE_NAMES[name]));
  return at.assumed.filter((name) => allowed.has(name));
}

/** The type of `type`, `const`, `enum` and the keywords for objects and arrays. */
function ownType(
  schema: JsonObject,
  here: Place,
  assumed: readonly TypeName[],
  context: Context,
): Type {
  const { assumed: types } = here;
  const values = literalsOf(schema, here, context);
  if (values) {
    const fitting = values.filter((value) => types.includes(typeNameOf(value)));
    return union(
      fitting.map((value, index) => literalType(value, inside(here, [], 'enum', index), context)),
    );
  }
  if (types.length === assumed.length && !hasStructure(schema)) return UNKNOWN;
  return union(
    types.map((name) => {
      if (name === 'object') return objectType(schema, here, context, readSchema);
      return name === 'array' ? arrayType(schema, here, context, readSchema) : wholeType(name);
    }),
  );
}

function literalsOf(schema: JsonObject, here: Place, context: Context): JsonValue[] | undefined {
  const constant = Object.hasOwn(schema, 'const') ? schema['const'] : undefined;
  return constant === undefined ? keyword(schema, 'enum', is.list, here, context) : [constant];
}

function reference(schema: JsonObject, at: Place, context: Context): Type {
  const written = keyword(schema, '$ref', is.text, at, context);
  if (written === undefined) return UNKNOWN;
  const target = resolveReference(written, context.root);
  if (target.kind === 'found') return context.refer(target.path, target.schema);
  const path = [...at.path, '$ref'];
  if (target.kind === 'remote') {
    context.widen(path, 'remote-ref', 'A "$ref" points to another document, which is not read');
  } else context.widen(path, 'dangling-ref', 'A "$ref" points to a missing schema');
  return UNKNOWN;
}

/** The types of the schemas that apply to the same value. */
function applied(schema: JsonObject, here: Place, context: Context): Type[] {
  const each = (name: 'allOf' | 'anyOf' | 'oneOf'): Type[] | undefined =>
    keyword(schema, name, is.schemas, here, context)?.map((value, index) =>
      readSchema(value, inside(here, here.assumed, name, index), context),
    );
  const [anyOf, oneOf] = [each('anyOf'), each('oneOf')];
  return [
    ...(each('allOf') ?? []),
    ...(anyOf ? [union(anyOf)] : []),
    ...(oneOf ? [union(oneOf)] : []),
    ...negation(schema, here, context),
    ...conditions(schema, here, context),
  ];
}

function negation(schema: JsonObject, here: Place, context: Context): Type[] {
  const refused = keyword(schema, 'not', is.schema, here, context);
  if (refused === undefined || refused === false) return [];
  if (refused === true || Object.keys(refused).length === 0) return [NEVER];
  context.widen([...here.path, 'not'], 'unsupported-keyword', 'No type expresses "not"');
  return [];
}

/** A value matches `if` and `then`, or else `else`. */
function conditions(schema: JsonObject, here: Place, context: Context): Type[] {
  for (const name of ['$dynamicRef', 'dependentSchemas', 'dependencies']) {
    if (!Object.hasOwn(schema, name)) continue;
    context.widen([...here.path, name], 'unsupported-keyword', `No type expresses "${name}"`);
  }
  const [when, then, otherwise] = (['if', 'then', 'else'] as const).map((name) => {
    const branch = keyword(schema, name, is.schema, here, context);
    return branch !== undefined && readSchema(branch, inside(here, here.assumed, name), context);
  });
  if (!when || (!then && !otherwise)) return [];
  if (then && otherwise) return [union([intersection([when, then]), otherwise])];
  context.widen(
    [...here.path, 'if'],
    'unsupported-keyword',
    'No type expresses "if" without both "then" and "else"',
  );
  return [];
}
