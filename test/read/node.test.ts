import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  isFormat,
  type JsonSchema,
  type JsonValue,
  mapNode,
  type Node,
} from '../../json-schema/index.js';
import { bundledSchemaPath, loadSchema, REVISIONS } from '../../generator/read/load/index.js';
import { nodeOf } from './support.js';

type Json = { [key: string]: JsonValue };

const apps = createRequire(import.meta.url).resolve('@modelcontextprotocol/ext-apps/schema.json');
const INPUTS: [string, string][] = [
  ...REVISIONS.map((revision): [string, string] => [revision, bundledSchemaPath(revision)]),
  ['MCP Apps', apps],
];

/** A node as a schema again, to prove that nothing was lost. */
function schemaOf(node: Node): Json {
  const annotations: Json = {
    ...(node.description !== undefined && { description: node.description }),
    ...(node.default !== undefined && { default: node.default }),
  };
  return { ...annotations, ...constraintsOf(node) };
}

function constraintsOf(node: Node): Json {
  switch (node.kind) {
    case 'any':
      return {};
    case 'never':
      return { not: {} };
    case 'null':
    case 'boolean':
      return { type: node.kind };
    case 'string': {
      const { kind, description: _, default: __, ...keywords } = node;
      return { type: kind, ...keywords };
    }
    case 'number': {
      const { kind, description: _, default: __, integer, ...keywords } = node;
      return { type: integer ? 'integer' : kind, ...keywords };
    }
    case 'literal':
      return { enum: [...node.values] };
    case 'array': {
      const { items, minItems, maxItems, openItems } = node;
      const any = items.kind === 'any' && Object.keys(items).length === 1 && !openItems;
      return {
        type: 'array',
        ...(!any && { items: schemaOf(items) }),
        ...(minItems !== undefined && { minItems }),
        ...(maxItems !== undefined && { maxItems }),
      };
    }
    case 'object':
      return objectSchema(node);
    case 'union':
      return { anyOf: node.members.map(schemaOf) };
    case 'intersection':
      return { allOf: node.members.map(schemaOf) };
    case 'ref':
      return { $ref: node.name };
    default:
      throw new Error(`No MCP schema has a node of the kind ${node.kind}.`);
  }
}

function objectSchema(node: Extract<Node, { kind: 'object' }>): Json {
  const required = node.properties
    .filter((property) => property.required)
    .map(({ name }) => name)
    .sort();
  const additional = {
    unsaid: {},
    open: { additionalProperties: {} },
    closed: { additionalProperties: false },
    typed: {},
  }[node.additional.kind];
  return {
    type: 'object',
    ...(node.hasProperties && {
      properties: Object.fromEntries(
        node.properties.map((property) => [property.name, schemaOf(property.node)]),
      ),
    }),
    ...(required.length > 0 && { required }),
    ...(node.additional.kind === 'typed'
      ? { additionalProperties: schemaOf(node.additional.node) }
      : additional),
  };
}

/** The schema in the normal form of `schemaOf`. */
function normalised(schema: JsonValue): Json {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  const { $schema, $defs, title, propertyNames, ...rest } = schema as Json;
  if (propertyNames && Object.keys(propertyNames).some((key) => key !== 'type')) {
    return withListedNames(rest, propertyNames as Json);
  }
  if (Array.isArray(rest['type'])) {
    const { type, description, ...keywords } = rest;
    return {
      ...(description !== undefined && { description }),
      anyOf: (type as string[]).map((each) => normalised({ type: each, ...keywords })),
    };
  }
  const literal = 'const' in rest ? [rest['const']] : rest['enum'];
  if (literal) {
    const { type: _, const: __, enum: ___, ...annotations } = rest;
    return { ...annotations, enum: literal };
  }
  // Without unknown formats, which the loader reports.
  const kept = Object.entries(rest).filter(([key, value]) => key !== 'format' || isFormat(value));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, normalisedValue(keyword, value)]),
  );
}

function normalisedValue(keyword: string, value: JsonValue): JsonValue {
  switch (keyword) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(value as Json).map(([name, schema]) => [name, normalised(schema)]),
      );
    case 'items':
      return normalised(value);
    case 'additionalProperties':
      return value === false || isNever(value) ? false : stripped(normalised(value));
    case 'anyOf':
    case 'allOf':
      return (value as JsonValue[]).map(normalised);
    case 'required':
      return [...(value as string[])].sort();
    case '$ref':
      return (value as string).split('/').at(-1) ?? '';
    default:
      return value;
  }
}

const isNever = (value: JsonValue): boolean => JSON.stringify(value) === '{"not":{}}';

/** Without the annotations of a schema that accepts everything, which the model drops. */
function stripped(schema: Json): Json {
  return Object.keys(schema).every((key) => key === 'description') ? {} : schema;
}

function withListedNames(schema: Json, propertyNames: Json): Json {
  const { description, additionalProperties, type, required } = schema;
  const names = (propertyNames['anyOf'] as Json[]).map((each) => each['const'] as string);
  return {
    ...(description !== undefined && { description }),
    ...(type !== undefined && { type }),
    properties: Object.fromEntries(
      names.map((name) => [name, normalised(additionalProperties ?? {})]),
    ),
    ...(required !== undefined && { required: [...(required as string[])].sort() }),
    additionalProperties: false,
  };
}

describe('reading a schema as a node', () => {
  it.each(INPUTS)('loses nothing of %s', async (_, path) => {
    const json = JSON.parse(readFileSync(path, 'utf8')) as Json;
    const written = (json['$defs'] ?? json['definitions']) as Json;
    const { document, diagnostics } = await loadSchema(path, { errata: false, strict: true });
    expect([...document.definitions.keys()]).toEqual(Object.keys(written));
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.every(({ code }) => code === 'dangling-ref')).toBe(true);
    const withErrors = new Set(errors.map(({ pointer }) => pointer?.split('/')[2]));
    for (const [name, { node, description }] of document.definitions) {
      if (withErrors.has(name)) continue;
      const annotated = { ...node, ...(description !== undefined && { description }) };
      expect(schemaOf(annotated), name).toEqual(normalised(written[name] ?? null));
    }
  });

  it('assigns keywords to their types when there are several types', () => {
    expect(nodeOf({ type: ['string', 'number'], minLength: 1, minimum: 2 })).toEqual({
      kind: 'union',
      members: [
        { kind: 'string', minLength: 1 },
        { kind: 'number', integer: false, minimum: 2 },
      ],
    });
  });

  it('keeps only the literals that the type allows', () => {
    expect(nodeOf({ type: ['string', 'null'], enum: ['a', 1, null, 'a'] })).toEqual({
      kind: 'literal',
      values: ['a', null],
    });
    expect(nodeOf({ type: 'integer', const: 1.5 })).toEqual({ kind: 'literal', values: [] });
  });

  it('gives a key that is only required the schema of every other key', () => {
    const property = (additionalProperties?: JsonSchema): unknown => {
      const open = additionalProperties === undefined ? {} : { additionalProperties };
      const node = nodeOf({ type: 'object', required: ['a'], ...(open as object) });
      return node.kind === 'object' ? node.properties : undefined;
    };
    const required = { name: 'a', required: true, unlisted: true };
    expect(property()).toEqual([{ ...required, node: { kind: 'any' } }]);
    expect(property(false)).toEqual([{ ...required, node: { kind: 'never' } }]);
    expect(property({ type: 'null' })).toEqual([{ ...required, node: { kind: 'null' } }]);
  });

  it('joins keywords that apply together', () => {
    expect(nodeOf({ $ref: '#/$defs/A', type: 'object', allOf: [{ $ref: '#/$defs/B' }] })).toEqual({
      kind: 'intersection',
      members: [
        { kind: 'ref', name: 'A' },
        { kind: 'object', properties: [], additional: { kind: 'unsaid' }, hasProperties: false },
        { kind: 'ref', name: 'B' },
      ],
    });
  });

  it('reads true, false and {}', () => {
    expect([true, false, {}, { not: {} }].map((schema) => nodeOf(schema).kind)).toEqual([
      'any',
      'never',
      'any',
      'never',
    ]);
  });

  it('visits every node once, leaves first', () => {
    const kinds: string[] = [];
    const node = nodeOf({
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'null' } } },
      additionalProperties: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    });
    expect(
      mapNode(node, (each) => {
        kinds.push(each.kind);
        return each;
      }),
    ).toEqual(node);
    expect(kinds).toEqual(['null', 'array', 'string', 'boolean', 'union', 'object']);
  });
});
