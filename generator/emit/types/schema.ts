import type { JSONSchema } from 'json-schema-to-typescript';
import type { ArrayNode, Node, ObjectNode, Property } from '../../../json-schema/index.js';
import { key } from '../format/layout.js';
import { commentText } from '../comment.js';
import { constantType, MOST_POSITIONS, unionType } from './constant.js';

/** A list of items by position, which json-schema-to-typescript does not print. */
export interface Tuple {
  readonly items: readonly Node[];
  /** The number of items that every value has. */
  readonly required: number;
  /** The type of further items. */
  readonly rest?: Node;
}

/**
 * What json-schema-to-typescript prints wrongly, replaced by placeholders: names of properties, because it mistakes
 * names of `Object.prototype` for its own and quotes names differently, and tuples, because it writes one
 * tuple for each length and forgets brackets around them.
 */
export class Placeholders {
  /** By the order of their numbers. */
  readonly #names = new Map<string, number>();
  readonly #tuples: Tuple[] = [];
  readonly #mark: string;

  /** `text` is all text of the schema, so that no placeholder is part of it. */
  constructor(text: string) {
    let mark = '#';
    while (text.includes(mark)) mark += '#';
    this.#mark = mark;
  }

  name(name: string): string {
    if (/^[A-Za-z_]\w*$/.test(name) && !(name in {}) && !name.startsWith(PREFIX)) return name;
    const number = this.#names.get(name) ?? this.#names.size;
    this.#names.set(name, number);
    return PREFIX + String(number);
  }

  tuple(tuple: Tuple): string {
    return `[${this.#mark}${String(this.#tuples.push(tuple) - 1)}]`;
  }

  get tuples(): readonly Tuple[] {
    return this.#tuples;
  }

  /** Puts the names back, each at the start of a line, and the types of the tuples. */
  restore(text: string, tuples: readonly string[]): string {
    const names = new RegExp(`^${PREFIX}(\\d+)(?=\\??: )`, 'gm');
    const lists = new RegExp(`\\[${this.#mark}(\\d+)\\]`, 'g');
    const originals = [...this.#names.keys()];
    return text
      .replace(names, (whole, index: string) => {
        const name = originals[Number(index)];
        return name === undefined ? whole : key(name);
      })
      .replace(lists, (whole, index: string) => tuples[Number(index)] ?? whole);
  }
}

const PREFIX = 'property__';

/**
 * A relaxed node as input for json-schema-to-typescript. References and what it does not print become `tsType`.
 * Openness follows the TypeScript that upstream's JSON is derived from.
 */
export function schemaOf(node: Node, placeholders: Placeholders): JSONSchema {
  const description = node.description && { description: commentText(node.description) };
  return {
    ...unannotated(node, placeholders),
    ...description,
    ...(node.deprecated && { deprecated: true }),
  };
}

function unannotated(node: Node, placeholders: Placeholders): JSONSchema {
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
      return { tsType: unionType(node.values.map(constantType)) };
    case 'constant':
      return { tsType: constantType(node.value) };
    case 'array':
      return arraySchema(node, placeholders);
    case 'object':
      return objectSchema(node, placeholders);
    case 'union': {
      const types = enumTypes(node.members);
      if (types) return { tsType: unionType(types) };
      return { anyOf: node.members.map((member) => schemaOf(member, placeholders)) };
    }
    case 'intersection':
      return { allOf: node.members.map((member) => schemaOf(member, placeholders)) };
    default:
      throw new TypeError(`${node.kind} is no type`);
  }
}

/** The types of an enum that has arrays or objects among its values; `undefined` for another union. */
function enumTypes(members: readonly Node[]): string[] | undefined {
  if (members.every(({ kind }) => kind !== 'constant')) return undefined;
  const types: string[] = [];
  for (const member of members) {
    if (member.description !== undefined) return undefined;
    if (member.kind === 'constant') types.push(constantType(member.value));
    else if (member.kind === 'literal')
      for (const each of member.values) types.push(constantType(each));
    else return undefined;
  }
  return types;
}

/** An array may have fewer items than its schema lists. */
function arraySchema(node: ArrayNode, placeholders: Placeholders): JSONSchema {
  const { items, prefix, minItems = 0, maxItems = Infinity } = node;
  if (!prefix) return { type: 'array', items: schemaOf(items, placeholders) };
  if (prefix.length > MOST_POSITIONS) {
    const all = [...prefix, items].filter(({ kind }) => kind !== 'never');
    return { type: 'array', items: { anyOf: all.map((each) => schemaOf(each, placeholders)) } };
  }
  const listed = prefix.slice(0, maxItems);
  const isOpen = maxItems > listed.length && items.kind !== 'never';
  const tuple = {
    items: listed,
    required: Math.min(minItems, listed.length),
    ...(isOpen && { rest: items }),
  };
  return { tsType: placeholders.tuple(tuple) };
}

function objectSchema(node: ObjectNode, placeholders: Placeholders): JSONSchema {
  const { properties } = node;
  if (properties.length === 0) return emptyObjectSchema(node, placeholders);
  return {
    type: 'object',
    properties: Object.fromEntries(
      properties.map((property) => [
        placeholders.name(property.name),
        schemaOf(property.node, placeholders),
      ]),
    ),
    required: properties
      .filter(({ required }) => required)
      .map(({ name }) => placeholders.name(name)),
    additionalProperties: indexSchema(node, placeholders),
  };
}

/** An object without properties; its meaning depends on whether `properties` is written. */
function emptyObjectSchema(
  { additional, hasProperties }: ObjectNode,
  placeholders: Placeholders,
): JSONSchema {
  if (additional.kind === 'typed') {
    return { type: 'object', additionalProperties: schemaOf(additional.node, placeholders) };
  }
  // Not `Record`, because a definition may have that name.
  if (additional.kind === 'closed') return { tsType: '{ [key: string]: never }' };
  return hasProperties
    ? { tsType: 'object' }
    : { type: 'object', additionalProperties: { tsType: 'unknown' } };
}

/**
 * `unsaid` is closed, because a type that accepts any key hides misspelt ones. An index signature has to
 * cover the named properties too.
 */
function indexSchema(
  { additional, properties }: ObjectNode,
  placeholders: Placeholders,
): boolean | JSONSchema {
  if (additional.kind !== 'typed')
    return additional.kind === 'open' ? { tsType: 'unknown' } : false;
  const nodes = [additional.node, ...properties.map((each: Property) => each.node)];
  if (additional.node.kind === 'any' || !nodes.slice(1).every(isSmall))
    return { tsType: 'unknown' };
  const absent = properties.every(({ required }) => required) ? [] : [{ tsType: 'undefined' }];
  return { anyOf: [...nodes.map((each) => schemaOf(each, placeholders)), ...absent] };
}

/** Whether a type can stand in two places: at a property and in the index signature. */
function isSmall(node: Node): boolean {
  switch (node.kind) {
    case 'object':
    case 'constant':
    case 'intersection':
      return false;
    case 'array':
      return node.prefix === undefined && isSmall(node.items);
    case 'union':
      return node.members.every(isSmall);
    default:
      return true;
  }
}
