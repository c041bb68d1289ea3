import type { JsonValue } from '../../json-schema/index.js';
import { isSchema } from './places.js';
import type { Schema } from './places.js';

/** Ways to put a schema into another one, so that a change of it changes the whole in the same way. */
export const WRAPS: Readonly<Record<string, (schema: Schema) => Schema>> = {
  nothing: (schema) => schema,
  'a property': (schema) => object(schema),
  'a required property': (schema) => ({ ...object(schema), required: ['w'] }),
  items: (schema) => object({ type: 'array', items: schema }),
  'prefix items': (schema) => object({ type: 'array', prefixItems: [schema] }),
  'a map': (schema) => object({ type: 'object', additionalProperties: schema }),
  'a reference': (schema) => ({ ...object({ $ref: '#/$defs/W' }), $defs: { W: schema } }),
  'two references': (schema) => ({
    type: 'object',
    properties: { w: { $ref: '#/$defs/W' }, v: { type: 'array', items: { $ref: '#/$defs/W' } } },
    $defs: { W: schema },
  }),
  allOf: (schema) => object({ allOf: [schema, {}] }),
  'allOf beside properties': (schema) => ({
    type: 'object',
    properties: { other: { type: 'string' } },
    allOf: [object(schema)],
  }),
  anyOf: (schema) => object({ anyOf: [schema, { type: 'null' }] }),
  oneOf: (schema) => object({ oneOf: [{ type: 'null' }, schema] }),
  'a tree': (schema) => ({
    ...object({ $ref: '#/$defs/T' }),
    $defs: {
      T: {
        type: 'object',
        properties: { value: schema, kids: { type: 'array', items: { $ref: '#/$defs/T' } } },
      },
    },
  }),
};

function object(schema: Schema): Schema {
  return { type: 'object', properties: { w: schema } };
}

/** The wrapped schema, whose definitions are those of the whole; undefined when its references cannot be moved. */
export function wrapped(schema: Schema, wrap: (schema: Schema) => Schema): Schema | undefined {
  const { $defs, definitions, $schema, ...own } = structuredClone(schema);
  if (wrap === WRAPS['nothing']) return structuredClone(schema);
  if (/"\$ref":"#(?!\/(?:\$defs|definitions)\/)/.test(JSON.stringify(own))) return undefined;
  const isOld = typeof $schema === 'string' && $schema.includes('draft-0');
  if (isOld && wrap === WRAPS['prefix items']) return undefined;
  const whole = wrap(own);
  const added: JsonValue | undefined = whole['$defs'];
  const defs = { ...(isSchema($defs) && $defs), ...(isSchema(added) && added) };
  return {
    ...whole,
    ...(Object.keys(defs).length > 0 && { $defs: defs }),
    ...(definitions !== undefined && { definitions }),
    ...($schema !== undefined && { $schema }),
  };
}
