import { isObject } from '../peer/wire/json.js';
import { SchemaFault } from './fault.js';
import { targetOf } from './pointers.js';
import { moveReferences, refersToRoot } from './references.js';
import { WRAPPED_KEY } from '../peer/wire/wrapped-result.js';

type Schema = Record<string, unknown>;

/**
 * The JSON Schema of arguments, with `type: "object"` at its root, which every revision asks for. Arguments are objects, so
 * it accepts the same arguments as before.
 *
 * @throws {SchemaFault} when it accepts no object.
 */
export function argumentsRoot(schema: Schema): Schema {
  if (!mayBeObject(schema)) {
    throw new SchemaFault(
      '',
      'the arguments of a tool are an object, and the schema accepts none',
      'put it into an object: z.object({ value: … }), or { type: "object", properties: { value: … } }',
    );
  }
  return asObjects(schema);
}

/** The JSON Schema of results that are objects, with `type: "object"` at its root. Undefined when results may be anything else. */
export function resultRoot(schema: Schema): Schema | undefined {
  return isOnlyObjects(schema) ? asObjects(schema) : undefined;
}

/** Sessions ask for `type: "object"`, and for objects as the schemas of properties. */
function asObjects(schema: Schema): Schema {
  if (schema['type'] !== 'object' && refersToRoot(schema)) return aroundObjects(schema);
  const { $schema, type: _, properties, ...rest } = schema;
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    ...(isObject(properties) && { properties: withoutBooleans(properties) }),
    ...rest,
  };
}

/** What refers to the root must not get the type that is added there. */
function aroundObjects({ $schema, ...given }: Schema): Schema {
  const inner = structuredClone(given);
  moveReferences(inner, '#/allOf/0');
  return { ...($schema !== undefined && { $schema }), type: 'object', allOf: [inner] };
}

function withoutBooleans(properties: Schema): Schema {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema,
  ]);
  return Object.fromEntries(entries) as Schema;
}

/** Whether an object may be valid. False only if it is certain that none is. */
function mayBeObject(root: Schema): boolean {
  return judged(root, true, (schema, holds) => {
    if (typeof schema === 'boolean') return schema;
    const { type, enum: values, anyOf, oneOf, allOf } = schema;
    const types = Array.isArray(type) ? type : [type ?? 'object'];
    if (!types.includes('object')) return false;
    if (Object.hasOwn(schema, 'const') && !isObject(schema['const'])) return false;
    if (Array.isArray(values) && !values.some(isObject)) return false;
    if ([anyOf, oneOf].some((list) => Array.isArray(list) && !list.some(holds))) return false;
    if (Array.isArray(allOf) && !allOf.every(holds)) return false;
    const target = targetOf(schema['$ref'], root);
    return target === undefined || holds(target);
  });
}

/** Whether each valid value is an object. True only if that is certain. */
function isOnlyObjects(root: Schema): boolean {
  return judged(root, false, (schema, holds) => {
    if (typeof schema === 'boolean') return !schema;
    const { type, const: only, enum: values, anyOf, oneOf, allOf } = schema;
    if (type === 'object' || isObject(only)) return true;
    if (Array.isArray(type) && type.every((each) => each === 'object')) return true;
    if (Array.isArray(values) && values.every(isObject)) return true;
    if ([anyOf, oneOf].some((list) => Array.isArray(list) && list.every(holds))) return true;
    if (Array.isArray(allOf) && allOf.some(holds)) return true;
    const target = targetOf(schema['$ref'], root);
    return target !== undefined && holds(target);
  });
}

type SchemaTest = (schema: Schema | boolean, holds: (inner: unknown) => boolean) => boolean;

/** Judges each schema once. In a circle, and for what is no schema, the answer is `unknown`. */
function judged(root: Schema, unknown: boolean, judge: SchemaTest): boolean {
  const known = new Map<unknown, boolean>();
  const holds = (schema: unknown): boolean => {
    if (typeof schema === 'boolean') return judge(schema, holds);
    if (!isObject(schema)) return unknown;
    const before = known.get(schema);
    if (before !== undefined) return before;
    known.set(schema, unknown);
    const result = judge(schema, holds);
    known.set(schema, result);
    return result;
  };
  return holds(root);
}

/** Hosts built on FastMCP unwrap results of a tool whose output schema has this. */
const FASTMCP_MARK = 'x-fastmcp-wrap-result';

/**
 * The JSON Schema of a result in sessions, where results are objects: the schema below {@link WRAPPED_KEY}. Its references
 * into itself lead there.
 */
export function wrappedSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const { $schema, ...inner } = structuredClone(schema);
  moveReferences(inner, `#/properties/${WRAPPED_KEY}`);
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { [WRAPPED_KEY]: inner },
    required: [WRAPPED_KEY],
    [FASTMCP_MARK]: true,
  };
}
