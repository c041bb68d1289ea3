import { describe, expect, it } from 'vitest';
import { EMITS, emitUnits, metamodelOf } from '../../generator/emit/index.js';
import { emitProtocol } from '../../generator/emit/protocol/emit-protocol.js';
import { emitTypes } from '../../generator/emit/types/emit-types.js';
import { emitValidators } from '../../generator/emit/validators/index.js';
import { emitZod } from '../../generator/emit/zod/emit-zod.js';
import { formatTypeScript } from '../../generator/emit/format/format.js';
import { buildProtocol } from '../../generator/ir/index.js';
import { loadRevision, loadSource, REVISIONS } from '../../generator/read/load/index.js';
import { generatedFiles } from '../support/generated.js';
import { protocolOf } from '../support/protocol.js';
import { sampled } from '../support/size.js';
import { besideSources } from '../support/beside-sources.js';

/** A schema with every supported construct. */
const everything = protocolOf({
  Anything: { description: 'Whatever.' },
  Nothing: { not: {} },
  Name: { type: 'string', minLength: 1, maxLength: 8, pattern: '^[a-z]+$' },
  Bytes: { type: 'string', format: 'byte' },
  Link: { type: 'string', format: 'uri' },
  Template: { type: 'string', format: 'uri-template' },
  Count: { type: 'integer', minimum: 0, maximum: 10 },
  Ratio: { type: 'number' },
  Flag: { type: 'boolean' },
  Empty: { type: 'null' },
  Level: { enum: ['high', 'low'] },
  Mixed: { enum: ['a', 1, true, null] },
  Id: { type: ['string', 'integer'] },
  NameOrCat: { anyOf: [{ $ref: '#/$defs/Name' }, { $ref: '#/$defs/Cat' }] },
  Names: { type: 'array', items: { $ref: '#/$defs/Name' }, minItems: 1, maxItems: 3 },
  Bare: { type: 'object' },
  Object: { type: 'object', properties: {} },
  Open: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: {} },
  Closed: {
    type: 'object',
    properties: { a: { type: 'string' } },
    additionalProperties: false,
  },
  Counts: { type: 'object', additionalProperties: { $ref: '#/$defs/Count' } },
  Present: { type: 'object', required: ['anything'] },
  Tree: {
    description: 'A tree.\n\nIt ends with */ and `${more}`.',
    type: 'object',
    properties: {
      label: { type: 'string', description: 'What it is called.' },
      'data-x': { type: 'string' },
      children: { type: 'array', items: { $ref: '#/$defs/Tree' } },
    },
    required: ['label'],
  },
  Cat: { type: 'object', properties: { type: { const: 'cat' } }, required: ['type'] },
  Dog: { type: 'object', properties: { type: { const: 'dog' } }, required: ['type'] },
  Pet: { anyOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }] },
  Alias: { $ref: '#/$defs/Pet' },
  Both: { allOf: [{ $ref: '#/$defs/Tree' }, { $ref: '#/$defs/Cat' }] },
  NamedPet: { allOf: [{ $ref: '#/$defs/Pet' }, { $ref: '#/$defs/Tree' }] },
  CallRequest: {
    type: 'object',
    properties: {
      jsonrpc: { const: '2.0' },
      method: { const: 'things/call' },
      params: { $ref: '#/$defs/Tree' },
    },
    required: ['method', 'params'],
  },
  CallResult: { type: 'object', properties: { 'io.modelcontextprotocol/x': {} } },
  ClientRequest: { anyOf: [{ $ref: '#/$defs/CallRequest' }] },
  ServerNotification: { anyOf: [{ $ref: '#/$defs/ChangedNotification' }] },
  ChangedNotification: {
    type: 'object',
    properties: { method: { const: 'notifications/things/list_changed' } },
    required: ['method'],
  },
  ServerCapabilities: {
    type: 'object',
    properties: {
      things: { type: 'object', properties: { listChanged: { type: 'boolean' } } },
    },
  },
  BusyError: { type: 'object', properties: { code: { const: -32099 } }, required: ['code'] },
  Word: { type: 'string', minLength: 2 },
  Blank: { type: 'string', maxLength: 0 },
  Safe: { type: 'string', pattern: '^(?:a|b|(?=c)cd?)+(?<!a)\\d{2,3}$' },
  Between: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.25 },
  Dozens: { type: 'integer', multipleOf: 12 },
  Letter: { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] },
  Number: { enum: [...Array(31).keys()] },
  Fixed: { const: { a: [1, 'x'], "it's": null } },
  Listed: { enum: [{ a: 1 }, [], 'none'] },
  Pair: {
    type: 'array',
    prefixItems: [{ type: 'string' }, { $ref: '#/$defs/Fixed' }],
    items: false,
    minItems: 1,
  },
  Row: { type: 'array', prefixItems: [{ type: 'string' }, {}], items: { type: 'number' } },
  Some: {
    type: 'array',
    contains: { type: 'string' },
    minContains: 2,
    maxContains: 3,
    uniqueItems: true,
  },
  Sized: { type: 'object', minProperties: 1, maxProperties: 2 },
  Keyed: {
    type: 'object',
    properties: { own: { type: 'string' } },
    required: ['own', 'xy'],
    patternProperties: { '^x': { type: 'number' }, '^y': {} },
    propertyNames: { maxLength: 3 },
    additionalProperties: false,
  },
  Inherited: {
    type: 'object',
    properties: { toString: { type: 'string' }, valueOf: {} },
    required: ['constructor'],
  },
  Wide: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 13 }, (_, index) => [`p${String(index)}`, { type: 'string' }]),
    ),
    required: ['p0'],
  },
  Wides: {
    type: 'array',
    items: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 7 }, (_, index) => [`q${String(index)}`, { type: 'number' }]),
      ),
    },
  },
  Only: {
    oneOf: [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
    ],
  },
  OnlyPet: { oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }, { type: 'null' }] },
  Unlike: { not: { type: 'string', format: 'uri' } },
  Either: {
    if: { required: ['a'] },
    then: { properties: { a: { type: 'string' } } },
    else: { type: 'string', format: 'date' },
  },
  Rest: {
    type: 'object',
    properties: { a: { type: 'string' } },
    patternProperties: { '^x': {} },
    allOf: [{ $ref: '#/$defs/Cat' }],
    anyOf: [{ required: ['b'], properties: { b: {} } }, true],
    if: { required: ['c'] },
    then: { properties: { c: {} } },
    unevaluatedProperties: { type: 'number' },
  },
  RestItems: {
    type: 'array',
    prefixItems: [{ type: 'string' }],
    contains: { type: 'number' },
    unevaluatedItems: false,
  },
  Old: { type: 'string', deprecated: true, default: 'x' },
});

describe('the output for a schema with every construct', async () => {
  const units = await emitUnits(everything, EMITS);

  it.each(units.map((unit) => [unit.path, unit.text]))(
    '%s equals its golden file',
    async (path, text) => {
      const placed = besideSources(text);
      await expect(placed).toMatchFileSnapshot(`../golden/${path}`);
    },
  );
});

describe.each(sampled(REVISIONS, 2))('the files of %s', (revision) => {
  it('are formatted as by Prettier', async () => {
    const protocol = buildProtocol(loadRevision(revision).document);
    const texts = [
      await emitTypes(protocol),
      emitZod(protocol),
      emitProtocol(metamodelOf(protocol)),
    ];
    for (const text of texts) {
      expect(await formatTypeScript(text)).toBe(text);
    }
  });
});

it.each(REVISIONS)('the validators of %s are the committed ones', (revision) => {
  const text = emitValidators(buildProtocol(loadRevision(revision).document));
  expect(generatedFiles(revision)['validators.ts']?.endsWith(text)).toBe(true);
});

describe('the output', () => {
  it.each(['2026-07-28', 'ext-tasks'])(
    'for %s does not depend on the order of the definitions, and is the same twice',
    async (revision) => {
      const { document } = loadRevision(revision);
      const reversed = new Map([...document.definitions].reverse());
      const first = await emitUnits(buildProtocol(document), EMITS);
      const second = await emitUnits(buildProtocol({ ...document, definitions: reversed }), EMITS);
      expect(second).toEqual(first);
    },
  );

  it.each(sampled(REVISIONS, 2))(
    'for %s depends on the order of properties only',
    async (revision) => {
      const { document, source } = loadRevision(revision);
      const text = JSON.stringify(reverseKeys(JSON.parse(source.text)));
      const reversed = loadSource({ ...source, text });
      const first = await emitUnits(buildProtocol(document), EMITS);
      const second = await emitUnits(buildProtocol(reversed.document), EMITS);
      expect(reversed.revision).toBe(revision);
      expect(second).toEqual(first);
    },
  );
});

/** The same schema with its keywords in reverse order at every level, except properties. */
function reverseKeys<T>(schema: T): T {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((each: unknown) => reverseKeys(each)) as T;
  const entries = Object.entries(schema as object).map(([key, value]: [string, unknown]) => [
    key,
    key === 'properties' ? inOrder(value as object) : reverseKeys(value),
  ]);
  return Object.fromEntries(entries.reverse()) as T;
}

const inOrder = (properties: object): object =>
  Object.fromEntries(
    Object.entries(properties).map(([name, each]: [string, unknown]) => [name, reverseKeys(each)]),
  );
