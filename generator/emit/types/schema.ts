import type { JSONSchema } from 'json-schema-to-typescript';
import type { JsonPrimitive, Node, ObjectNode } from '../../ir/index.js';
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
    case 'array':
      return { type: 'array', items: schemaOf(node.items, names) };
    case 'object':
      return objectSchema(node, names);
    case 'union':
      return { anyOf: node.members.map((member) => schemaOf(member, names)) };
    case 'intersection':
      return { allOf: node.members.map((member) => schemaOf(member, names)) };
  }
}

function literalType(values: readonly JsonPrimitive[]): string {
  const types = values.map(literal).join(' | ');
  return values.length > 1 ? `(${types})` : types || 'never';
}

function literal(value: JsonPrimitive): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}

function objectSchema(node: ObjectNode, names: Names): JSONSchema {
  if (node.properties.length === 0) return emptyObjectSchema(node, names);
  return {
    type: 'object',
    properties: Object.fromEntries(
      node.properties.map((property) => [
        names.placeholder(property.name),
        schemaOf(property.node, names),
      ]),
    ),
    required: node.properties
      .filter(({ required }) => required)
      .map(({ name }) => names.placeholder(name)),
    additionalProperties: indexSchema(node, names),
  };
}

/** An object without properties; its meaning depends on whether `properties` is written. */
function emptyObjectSchema(node: ObjectNode, names: Names): JSONSchema {
  if (node.additional.kind === 'typed') {
    return { type: 'object', additionalProperties: schemaOf(node.additional.node, names) };
  }
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
function indexSchema({ additional, properties }: ObjectNode, names: Names): boolean | JSONSchema {
  switch (additional.kind) {
    case 'unsaid':
    case 'closed':
      return false;
    case 'open':
      return { tsType: 'unknown' };
    case 'typed': {
      const named = properties.map(({ node }) => schemaOf(node, names));
      const absent = properties.every(({ required }) => required) ? [] : [{ tsType: 'undefined' }];
      return { anyOf: [schemaOf(additional.node, names), ...named, ...absent] };
    }
  }
}
