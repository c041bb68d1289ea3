import type { JSONSchema } from 'json-schema-to-typescript';
import type {
  ArrayNode,
  ConditionalNode,
  JsonPrimitive,
  JsonValue,
  Node,
  ObjectNode,
  Property,
} from '../../ir/index.js';
import { key, quoted } from '../../format/layout.js';
import { commentText } from '../comment.js';

/**
 * Replaces property names by placeholders, because json-schema-to-typescript mistakes names of
 * `Object.prototype` for its own and quotes names differently.
 */
export class Names {
  readonly #hidden: string[] = [];

  placeholder(name: string): string {
    if (/^[A-Za-z_]\w*$/.test(name) && !(name in {}) && !name.startsWith(PREFIX)) return name;
    const known = this.#hidden.indexOf(name);
    return PREFIX + String(known === -1 ? this.#hidden.push(name) - 1 : known);
  }

  /** Puts the names back in place of their placeholders, each at the start of a line. */
  restore(text: string): string {
    if (this.#hidden.length === 0) return text;
    const placeholder = new RegExp(`^${PREFIX}(\\d+)(?=\\??: )`, 'gm');
    return text.replace(placeholder, (_, index: string) => key(this.#hidden[Number(index)] ?? ''));
  }
}

const PREFIX = 'property__';

/**
 * A node as input for json-schema-to-typescript. References and unsupported constructs become `tsType`.
 * Openness follows the TypeScript that upstream's JSON is derived from.
 */
export function schemaOf(node: Node, names: Names): JSONSchema {
  const description = node.description && { description: commentText(node.description) };
  return { ...unannotated(node, names), ...description };
}

function unannotated(node: Node, names: Names): JSONSchema {
  switch (node.kind) {
    case 'any':
      return { tsType: 'unknown' };
    case 'never':
      return { tsType: 'never' };
    case 'ref':
      return { tsType: node.name };
    case 'null':
    case 'boolean':
    case 'string':
    case 'number':
      return { type: node.kind };
    case 'literal':
      return { tsType: literalType(node.values) };
    case 'constant':
      return { tsType: valueType(node.value) };
    case 'array':
      return arraySchema(node, names);
    case 'object':
      return objectSchema(node, names);
    case 'not':
      return { tsType: 'unknown' };
    case 'conditional':
      return conditionalSchema(node, names);
    case 'unevaluated':
      return schemaOf(node.node, names);
    case 'union':
    case 'exclusive':
      return { anyOf: node.members.map((member) => schemaOf(member, names)) };
    case 'intersection':
      return { allOf: node.members.map((member) => schemaOf(member, names)) };
  }
}

/** A value matches `if` and `then`, or else `else`. */
function conditionalSchema(node: ConditionalNode, names: Names): JSONSchema {
  if (node.else.kind === 'any') return { tsType: 'unknown' };
  const both = [node.if, node.then].map((part) => schemaOf(part, names));
  return { anyOf: [{ allOf: both }, schemaOf(node.else, names)] };
}

/** More positions than this are the items of a plain array. */
const MOST_POSITIONS = 20;

/** An array may have fewer items than its schema lists. */
function arraySchema({ items, prefix, minItems = 0 }: ArrayNode, names: Names): JSONSchema {
  const rest = schemaOf(items, names);
  if (!prefix) return { type: 'array', items: rest };
  const first = prefix.map((each) => schemaOf(each, names));
  if (prefix.length > MOST_POSITIONS) return { type: 'array', items: { anyOf: [...first, rest] } };
  return {
    type: 'array',
    items: first,
    additionalItems: items.kind === 'never' ? false : rest,
    minItems: Math.min(minItems, prefix.length),
    ...(items.kind === 'never' && { maxItems: prefix.length }),
  };
}

/** The type of one object or array. */
function valueType(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(valueType).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return literal(value);
  const members = Object.entries(value).map(([name, each]) => `${key(name)}: ${valueType(each)}`);
  return members.length === 0 ? '{ [key: string]: never }' : `{ ${members.join('; ')} }`;
}

function literalType(values: readonly JsonPrimitive[]): string {
  const types = values.map(literal).join(' | ');
  return values.length > 1 ? `(${types})` : types || 'never';
}

function literal(value: JsonPrimitive): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}

function objectSchema(node: ObjectNode, names: Names): JSONSchema {
  const properties = node.properties.filter(isTypeable);
  if (properties.length === 0) return emptyObjectSchema(node, names);
  return {
    type: 'object',
    properties: Object.fromEntries(
      properties.map((property) => [
        names.placeholder(property.name),
        schemaOf(property.node, names),
      ]),
    ),
    required: properties
      .filter(({ required }) => required)
      .map(({ name }) => names.placeholder(name)),
    additionalProperties: indexSchema(node, properties, names),
  };
}

/** No type has a property `__proto__`, because that is the prototype. */
const isTypeable = ({ name }: Property): boolean => name !== '__proto__';

/** An object without properties; its meaning depends on whether `properties` is written. */
function emptyObjectSchema(node: ObjectNode, names: Names): JSONSchema {
  const values = otherValues(node, names);
  if (values) return { type: 'object', additionalProperties: values };
  // Not `Record`, because a definition may have that name.
  if (node.additional.kind === 'closed') return { tsType: '{ [key: string]: never }' };
  return node.hasProperties
    ? { tsType: 'object' }
    : { type: 'object', additionalProperties: { tsType: 'unknown' } };
}

/**
 * `unsaid` is closed, because a type that accepts any key hides misspelt ones. An index signature has to
 * cover the named properties too.
 */
function indexSchema(
  node: ObjectNode,
  properties: readonly Property[],
  names: Names,
): boolean | JSONSchema {
  const values = otherValues(node, names);
  if (!values) return node.additional.kind === 'open' ? { tsType: 'unknown' } : false;
  const named = properties.map((each) => schemaOf(each.node, names));
  const absent = properties.every(({ required }) => required) ? [] : [{ tsType: 'undefined' }];
  return { anyOf: [values, ...named, ...absent] };
}

/** The values of keys that `properties` does not name, if the schema restricts them. */
function otherValues(
  { additional, patterns = [] }: ObjectNode,
  names: Names,
): JSONSchema | undefined {
  const matched = patterns.map(({ node }) => schemaOf(node, names));
  if (additional.kind === 'typed') {
    const others = schemaOf(additional.node, names);
    return matched.length === 0 ? others : { anyOf: [others, ...matched] };
  }
  if (matched.length === 0) return undefined;
  return additional.kind === 'closed' ? { anyOf: matched } : { tsType: 'unknown' };
}
