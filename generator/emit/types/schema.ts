import type { JSONSchema } from 'json-schema-to-typescript';
import type { JsonPrimitive, Node, ObjectNode } from '../../ir/index.js';
import { key, quoted } from '../../format/layout.js';
import { commentText } from '../comment.js';

/**
 * The property names of one declaration that json-schema-to-typescript must not see: it takes names
 * of `Object.prototype` for its own, and quotes in a way of its own. Each goes in as a placeholder.
 */
export class Names {
  readonly #hidden: string[] = [];

  placeholder(name: string): string {
    if (/^[A-Za-z_]\w*$/.test(name) && !(name in {}) && !name.startsWith(PREFIX)) return name;
    const known = this.#hidden.indexOf(name);
    return PREFIX + String(known === -1 ? this.#hidden.push(name) - 1 : known);
  }

  /** The declaration with the names where their placeholders stand, each at the start of a line. */
  restore(text: string): string {
    if (this.#hidden.length === 0) return text;
    const placeholder = new RegExp(`^${PREFIX}(\\d+)(?=\\??: )`, 'gm');
    return text.replace(placeholder, (_, index: string) => key(this.#hidden[Number(index)] ?? ''));
  }
}

const PREFIX = 'property__';

/**
 * A node as json-schema-to-typescript has to be told of it: references and what it has no word for
 * come as `tsType`, and openness as the TypeScript that upstream's JSON was made from means it.
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

/** Nothing is said of any property: what that means depends on how it is not said. */
function emptyObjectSchema(node: ObjectNode, names: Names): JSONSchema {
  if (node.additional.kind === 'typed') {
    return { type: 'object', additionalProperties: schemaOf(node.additional.node, names) };
  }
  // Not `Record`: a definition may be called that.
  if (node.additional.kind === 'closed') return { tsType: '{ [key: string]: never }' };
  return node.hasProperties
    ? { tsType: 'object' }
    : { type: 'object', additionalProperties: { tsType: 'unknown' } };
}

/**
 * Unsaid is closed: a type that takes any key would hide misspelt ones. An index signature has to
 * cover the named properties as well.
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
