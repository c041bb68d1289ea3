import type { Additional, JsonValue, Node, ObjectNode, Property } from '../ir/index.js';
import { jsonPointer } from '../diagnostics/index.js';
import { isObject } from './json.js';
import type { At, Reader } from './reader.js';
import type { Problem } from './report.js';
import type { Values } from './values.js';

/** The objects of a schema. */
export function objectNode(own: Values, at: At, reader: Reader): Node {
  const names = own.has('properties') ? undefined : listedNames(own.value('propertyNames'));
  if (names && !own.has('patternProperties')) return listedObject(names, own, at, reader);
  const patterns = patternsOf(own, at, reader);
  const additional = additionalOf(own, at, reader);
  const written = Object.keys((own.value('properties') ?? {}) as object);
  if (written.includes('__proto__')) reader.report(PROTO, at.place, 'properties', '__proto__');
  const required = new Set(own.value('required') as string[] | undefined);
  const properties = written.map((name): Property => ({
    name,
    required: required.has(name),
    node: reader.below(at, 'properties', name),
    pointer: jsonPointer([...at.place.path, 'properties', name]),
  }));
  const named = new Set(written);
  const unlisted = [...required]
    .filter((name) => !named.has(name))
    .map((name) => unlistedProperty(name, patterns.length > 0 ? UNSAID : additional));
  return {
    kind: 'object',
    properties: [...properties, ...unlisted],
    additional,
    hasProperties: own.has('properties'),
    ...(patterns.length > 0 && { patterns }),
    ...(own.has('propertyNames') && namesOf(reader.below(at, 'propertyNames'))),
    ...own.numbers('minProperties', 'maxProperties'),
  };
}

const PROTO: Problem = {
  code: 'bad-name',
  message: 'The type leaves out the property "__proto__", because that is the prototype.',
  help: 'Rename the property.',
  harmless: true,
};

const UNSAID: Additional = { kind: 'unsaid' };

/** An object that has these keys, and any others. */
export function presence(names: readonly string[]): ObjectNode {
  return {
    kind: 'object',
    properties: names.map((name) => unlistedProperty(name, UNSAID)),
    additional: UNSAID,
    hasProperties: false,
  };
}

/** A key that must be present although `properties` does not name it. */
function unlistedProperty(name: string, additional: Additional): Property {
  const node: Node =
    additional.kind === 'typed'
      ? additional.node
      : { kind: additional.kind === 'closed' ? 'never' : 'any' };
  return { name, required: true, node, unlisted: true };
}

function patternsOf(own: Values, at: At, reader: Reader): NonNullable<ObjectNode['patterns']> {
  const written = own.value('patternProperties');
  if (!isObject(written)) return [];
  return Object.keys(written).map((pattern) => ({
    pattern,
    node: reader.below(at, 'patternProperties', pattern),
  }));
}

function additionalOf(own: Values, at: At, reader: Reader): Additional {
  if (!own.has('additionalProperties')) return UNSAID;
  const node = reader.below(at, 'additionalProperties');
  if (node.kind === 'any') return { kind: 'open' };
  if (node.kind === 'never') return { kind: 'closed' };
  return { kind: 'typed', node };
}

/** Every key is a string, so `{ "type": "string" }` says nothing. */
function namesOf(node: Node): Pick<ObjectNode, 'names'> {
  if (node.kind === 'any') return {};
  const plain = node.kind === 'string' && Object.keys(node).every((key) => PLAIN.has(key));
  return plain ? {} : { names: node };
}

const PLAIN = new Set(['kind', 'description', 'default', 'deprecated']);

/** The keys that `propertyNames` lists, if it lists names. */
export function listedNames(schema: JsonValue | undefined): string[] | undefined {
  if (!isObject(schema)) return undefined;
  const lists = [schema['enum'], schema['const'], schema['anyOf']].filter((it) => it !== undefined);
  const known = Object.keys(schema).every((key) =>
    ['type', 'enum', 'const', 'anyOf', 'description'].includes(key),
  );
  if (lists.length !== 1 || !known || (schema['type'] ?? 'string') !== 'string') return undefined;
  if (Array.isArray(schema['anyOf'])) {
    const names = schema['anyOf'].map(listedNames);
    return names.every((each) => each !== undefined) ? names.flat() : undefined;
  }
  return lists.flat().filter((name) => typeof name === 'string');
}

/** An object with only these keys, whose values match `additionalProperties`. */
function listedObject(names: readonly string[], own: Values, at: At, reader: Reader): ObjectNode {
  const required = new Set(own.value('required') as string[] | undefined);
  const node: Node = own.has('additionalProperties')
    ? reader.below(at, 'additionalProperties')
    : { kind: 'any' };
  const unlisted = !own.has('additionalProperties');
  const listed = [...new Set(names)].map((name): Property => ({
    name,
    required: required.has(name),
    node,
    ...(unlisted && { unlisted }),
  }));
  const impossible = [...required]
    .filter((name) => !names.includes(name))
    .map((name) => unlistedProperty(name, { kind: 'closed' }));
  return {
    kind: 'object',
    properties: [...listed, ...impossible],
    additional: { kind: 'closed' },
    hasProperties: true,
    ...own.numbers('minProperties', 'maxProperties'),
  };
}
