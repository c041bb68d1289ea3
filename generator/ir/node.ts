import type { JsonSchema } from './document.js';
import { referencedName } from './document.js';
import { FORMATS } from './model.js';
import type { Additional, Format, JsonPrimitive, JsonValue, Node, Property } from './model.js';

type SchemaObject = Exclude<JsonSchema, boolean>;

const ALL_TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string'] as const;
type TypeName = (typeof ALL_TYPES)[number] | 'integer';

/** Reads one schema. It does not follow references, so cycles are harmless. */
export function nodeOf(schema: JsonSchema): Node {
  if (typeof schema === 'boolean') return { kind: schema ? 'any' : 'never' };
  return { ...unannotated(schema), ...annotations(schema) };
}

/** Reads the keywords of one schema object, which apply together. Most schemas have only one part. */
function unannotated(schema: SchemaObject): Node {
  const parts: Node[] = [];
  if (typeof schema['$ref'] === 'string') {
    parts.push({ kind: 'ref', name: referencedName(schema['$ref']) ?? schema['$ref'] });
  }
  const literals = literalsOf(schema);
  if (literals) parts.push({ kind: 'literal', values: literals });
  else if (schema['type'] !== undefined) parts.push(typedNode(schema));
  if (Array.isArray(schema['anyOf'])) parts.push(unionOf(schemasAt(schema, 'anyOf')));
  if (Array.isArray(schema['allOf'])) parts.push(...schemasAt(schema, 'allOf').map(nodeOf));
  if (schema['not'] !== undefined) parts.push({ kind: 'never' });
  return join('intersection', parts) ?? { kind: 'any' };
}

function annotations(schema: SchemaObject): Pick<Node, 'description' | 'default'> {
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  return {
    ...(description && { description }),
    ...('default' in schema && { default: schema['default'] }),
  };
}

/** The values of `const` and `enum` that `type` allows. */
function literalsOf(schema: SchemaObject): JsonPrimitive[] | undefined {
  const written = 'const' in schema ? [schema['const']] : schema['enum'];
  if (!Array.isArray(written)) return undefined;
  const types = typesOf(schema);
  const values = (written as JsonPrimitive[]).filter((value) =>
    types.some((type) => typeMatches(type, value)),
  );
  return [...new Set(values)];
}

function typeMatches(type: TypeName, value: JsonPrimitive): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function typesOf(schema: SchemaObject): readonly TypeName[] {
  const type = schema['type'];
  if (type === undefined) return ALL_TYPES;
  return (Array.isArray(type) ? type : [type]) as TypeName[];
}

/** `type: [a, b]` is a union, and each type gets its keywords. */
function typedNode(schema: SchemaObject): Node {
  const types = [...new Set(typesOf(schema))];
  const wanted = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  return (
    join(
      'union',
      wanted.map((type) => nodeOfType(type, schema)),
    ) ?? { kind: 'never' }
  );
}

function nodeOfType(type: TypeName, schema: SchemaObject): Node {
  switch (type) {
    case 'null':
    case 'boolean':
      return { kind: type };
    case 'string':
      return {
        kind: 'string',
        ...(isFormat(schema['format']) && { format: schema['format'] }),
        ...(typeof schema['pattern'] === 'string' && { pattern: schema['pattern'] }),
        ...numbersAt(schema, 'minLength', 'maxLength'),
      };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        integer: type === 'integer',
        ...numbersAt(schema, 'minimum', 'maximum'),
      };
    case 'array':
      return {
        kind: 'array',
        items: nodeOf((schema['items'] as JsonSchema | undefined) ?? true),
        ...numbersAt(schema, 'minItems', 'maxItems'),
      };
    case 'object':
      return objectNode(schema);
  }
}

export function isFormat(format: unknown): format is Format {
  return FORMATS.some((known) => known === format);
}

function numbersAt<K extends string>(schema: SchemaObject, ...keys: K[]): { [P in K]?: number } {
  const found = keys.filter((key) => typeof schema[key] === 'number');
  return Object.fromEntries(found.map((key) => [key, schema[key]])) as { [P in K]?: number };
}

function objectNode(schema: SchemaObject): Node {
  const names = listedNames(schema['propertyNames']);
  if (names) return objectNode(withListedNames(schema, names));
  const required = new Set(schema['required'] as string[] | undefined);
  const written = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const properties = written.map(([name, property]): Property => ({
    name,
    required: required.has(name),
    node: nodeOf(property),
  }));
  const additional = additionalOf(schema['additionalProperties'] as JsonSchema | undefined);
  const named = new Set(written.map(([name]) => name));
  const unnamed = [...required].filter((name) => !named.has(name));
  return {
    kind: 'object',
    properties: [...properties, ...unnamed.map((name) => unnamedProperty(name, additional))],
    additional,
    hasProperties: schema['properties'] !== undefined,
  };
}

/** A key that must be present although `properties` does not name it. */
function unnamedProperty(name: string, additional: Additional): Property {
  const closed = additional.kind === 'closed';
  const node: Node = { kind: closed ? 'never' : 'any' };
  return { name, required: true, node: additional.kind === 'typed' ? additional.node : node };
}

/** The keys that `propertyNames` lists, if it lists names. */
export function listedNames(schema: JsonValue | undefined): string[] | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return undefined;
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
function withListedNames(schema: SchemaObject, names: readonly string[]): SchemaObject {
  const value = schema['additionalProperties'] ?? {};
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, value])),
    additionalProperties: false,
    ...(schema['required'] !== undefined && { required: schema['required'] }),
  };
}

function additionalOf(schema: JsonSchema | undefined): Additional {
  if (schema === undefined) return { kind: 'unsaid' };
  const node = nodeOf(schema);
  if (node.kind === 'any') return { kind: 'open' };
  if (node.kind === 'never') return { kind: 'closed' };
  return { kind: 'typed', node };
}

function schemasAt(schema: SchemaObject, keyword: string): JsonSchema[] {
  return schema[keyword] as JsonSchema[];
}

function unionOf(schemas: readonly JsonSchema[]): Node {
  return join('union', schemas.map(nodeOf)) ?? { kind: 'never' };
}

/** One node needs no wrapper. For none, the caller decides the meaning. */
function join(kind: 'union' | 'intersection', members: readonly Node[]): Node | undefined {
  return members.length > 1 ? { kind, members } : members[0];
}
