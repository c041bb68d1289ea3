import type { JSONSchema } from 'json-schema-to-typescript';
import type { Node, ObjectNode } from '../../ir/index.js';
import { commentText } from '../comment.js';

/**
 * A node as json-schema-to-typescript has to be told of it: references and what it has no word for
 * come as `tsType`, and openness as the TypeScript that upstream's JSON was made from means it.
 */
export function schemaOf(node: Node): JSONSchema {
  const description = node.description && { description: commentText(node.description) };
  return { ...unannotated(node), ...description };
}

function unannotated(node: Node): JSONSchema {
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
      return { type: 'array', items: schemaOf(node.items) };
    case 'object':
      return objectSchema(node);
    case 'union':
      return { anyOf: node.members.map(schemaOf) };
    case 'intersection':
      return { allOf: node.members.map(schemaOf) };
  }
}

function literalType(values: readonly unknown[]): string {
  return values.length === 0 ? 'never' : values.map((value) => JSON.stringify(value)).join(' | ');
}

function objectSchema(node: ObjectNode): JSONSchema {
  if (node.properties.length === 0) return emptyObjectSchema(node);
  return {
    type: 'object',
    properties: Object.fromEntries(
      node.properties.map((property) => [property.name, schemaOf(property.node)]),
    ),
    required: node.properties.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: indexSchema(node),
  };
}

/** Nothing is said of any property: what that means depends on how it is not said. */
function emptyObjectSchema(node: ObjectNode): JSONSchema {
  if (node.additional.kind === 'typed') {
    return { type: 'object', additionalProperties: schemaOf(node.additional.node) };
  }
  if (node.additional.kind === 'closed') return { tsType: 'Record<string, never>' };
  return node.hasProperties
    ? { tsType: 'object' }
    : { type: 'object', additionalProperties: { tsType: 'unknown' } };
}

/**
 * Unsaid is closed: a type that takes any key would hide misspelt ones. An index signature has to
 * cover the named properties as well.
 */
function indexSchema({ additional, properties }: ObjectNode): boolean | JSONSchema {
  switch (additional.kind) {
    case 'unsaid':
    case 'closed':
      return false;
    case 'open':
      return { tsType: 'unknown' };
    case 'typed': {
      const named = properties.map(({ node }) => schemaOf(node));
      const absent = properties.every(({ required }) => required) ? [] : [{ tsType: 'undefined' }];
      return { anyOf: [schemaOf(additional.node), ...named, ...absent] };
    }
  }
}
