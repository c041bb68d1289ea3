import type { ArrayNode, JsonValue, Node, ObjectNode } from '../../../json-schema/index.js';

/** JSON Schema of 2020-12, as JSON. */
export type Schema = Record<string, JsonValue>;

/** The JSON Schema of a node. It refers to definitions as `#/$defs/<name>`, and adds their names to `needs`. */
export function jsonSchemaOf(node: Node, needs: Set<string>): Schema {
  const { description, default: preset, deprecated } = node;
  return {
    ...plain(node, needs),
    ...(description !== undefined && { description }),
    ...(preset !== undefined && { default: preset }),
    ...(deprecated !== undefined && { deprecated }),
  };
}

function plain(node: Node, needs: Set<string>): Schema {
  const of = (inner: Node): Schema => jsonSchemaOf(inner, needs);
  const ofAll = (members: readonly Node[]): Schema[] => members.map(of);
  switch (node.kind) {
    case 'any':
      return {};
    case 'never':
      return { not: {} };
    case 'null':
    case 'boolean':
      return { type: node.kind };
    case 'string':
      return { type: 'string', ...given(node, ['format', 'pattern', 'minLength', 'maxLength']) };
    case 'number':
      return { type: node.integer ? 'integer' : 'number', ...given(node, BOUNDS) };
    case 'literal':
      return node.values.length === 1
        ? { const: node.values[0] ?? null }
        : { enum: [...node.values] };
    case 'constant':
      return { const: node.value };
    case 'array':
      return arraySchema(node, of);
    case 'object':
      return objectSchema(node, of);
    case 'union':
      return { anyOf: ofAll(node.members) };
    case 'intersection':
      return { allOf: ofAll(node.members) };
    case 'exclusive':
      return { oneOf: ofAll(node.members) };
    case 'not':
      return { not: of(node.node) };
    case 'conditional':
      return { if: of(node.if), then: of(node.then), else: of(node.else) };
    case 'unevaluated':
      return {
        allOf: [of(node.node)],
        ...(node.properties && { unevaluatedProperties: of(node.properties) }),
        ...(node.items && { unevaluatedItems: of(node.items) }),
      };
    case 'ref':
      needs.add(node.name);
      return { $ref: `#/$defs/${node.name}` };
  }
}

const BOUNDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
] as const;

/** The members of a node that are keywords, as far as it has them. */
function given<N extends object>(node: N, names: readonly (keyof N & string)[]): Schema {
  const entries = names
    .filter((name) => node[name] !== undefined)
    .map((name) => [name, node[name] as JsonValue]);
  return Object.fromEntries(entries) as Schema;
}

function arraySchema(node: ArrayNode, of: (node: Node) => Schema): Schema {
  const { items, prefix, contains, openItems } = node;
  return {
    type: 'array',
    ...(prefix && { prefixItems: prefix.map(of) }),
    ...((items.kind !== 'any' || openItems === true || items.description !== undefined) && {
      items: of(items),
    }),
    ...given(node, ['minItems', 'maxItems', 'uniqueItems']),
    ...(contains && {
      contains: of(contains.node),
      ...(contains.min !== 1 && { minContains: contains.min }),
      ...(contains.max !== undefined && { maxContains: contains.max }),
    }),
  };
}

function objectSchema(node: ObjectNode, of: (node: Node) => Schema): Schema {
  const { properties, additional, patterns, names, hasProperties } = node;
  const listed = properties.filter(({ unlisted }) => unlisted !== true);
  const required = properties.filter((each) => each.required).map(({ name }) => name);
  return {
    type: 'object',
    ...((hasProperties || listed.length > 0) && {
      properties: byName(listed.map(({ name, node: inner }) => [name, of(inner)])),
    }),
    ...(required.length > 0 && { required }),
    ...(patterns && {
      patternProperties: byName(patterns.map(({ pattern, node: inner }) => [pattern, of(inner)])),
    }),
    ...(additional.kind === 'open' && { additionalProperties: {} }),
    ...(additional.kind === 'closed' && { additionalProperties: false }),
    ...(additional.kind === 'typed' && { additionalProperties: of(additional.node) }),
    ...(names && { propertyNames: of(names) }),
    ...given(node, ['minProperties', 'maxProperties']),
  };
}

/** An object that may have a member `__proto__`. */
function byName(entries: readonly (readonly [string, Schema])[]): Schema {
  return Object.fromEntries(entries);
}
