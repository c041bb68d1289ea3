import { isObject } from '../wire/json.js';

export type Schema = Readonly<Record<string, unknown>>;

/** Where a keyword has one schema, a list of them, or schemas by name. */
const ONE: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'contains',
  'contentSchema',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
]);
const LIST: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);

/** The schema with its direct parts replaced. Boolean schemas stay. */
export function mapSchemas(schema: Schema, change: (part: Schema) => Schema): Schema {
  const replaced = (value: unknown): unknown => (isObject(value) ? change(value) : value);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (Array.isArray(value)) return [keyword, LIST.has(keyword) ? value.map(replaced) : value];
      if (!isObject(value)) return [keyword, value];
      if (ONE.has(keyword)) return [keyword, change(value)];
      if (!NAMED.has(keyword)) return [keyword, value];
      const named = Object.entries(value).map(([name, part]) => [name, replaced(part)]);
      return [keyword, Object.fromEntries(named)];
    }),
  );
}

/** The schema with all of its parts and then itself replaced. */
export function eachSchema(schema: Schema, change: (part: Schema) => Schema): Schema {
  return change(mapSchemas(schema, (part) => eachSchema(part, change)));
}
