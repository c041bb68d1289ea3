import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DEFAULT_EMITS, emitUnits, namedParts } from '../../generator/emit/index.js';
import type { JsonObject } from '../../json-schema/index.js';
import { supportFiles } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';

import { compileWith } from '../support/ts-compile.js';
import { LONG_SCHEMAS } from './long-schemas.js';

/** Names that objects inherit, that promises have, that the language has, and others. */
const NAMES = [
  ...['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'],
  ...['prototype', 'then', 'length', 'name', 'parse', 'default', 'a', 'b-c'],
];
const DEFINITIONS = [
  'Array',
  'Record',
  'Promise',
  'Object',
  'Partial',
  'Map',
  'Error',
  'First',
  'Second',
];

type Schema = boolean | JsonObject;

const leaf = fc.constantFrom<Schema>(
  { type: 'string' },
  { type: 'integer' },
  { type: 'number', multipleOf: 2 },
  { enum: ['a', 1, null] },
  { const: true },
  {},
  { $ref: '#/$defs/Named' },
  // In an array, because a definition that is itself is refused.
  ...DEFINITIONS.slice(0, 3).map((name) => ({
    type: 'array',
    items: { $ref: `#/$defs/${name}` },
  })),
);

const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    tie('schema').map((items) => ({ type: 'array', items })),
    fc
      .tuple(tie('schema'), tie('schema'))
      .map((prefixItems) => ({ type: 'array', prefixItems, items: false })),
    fc.tuple(tie('schema'), tie('schema')).map((anyOf) => ({ anyOf })),
    fc.tuple(tie('schema'), tie('schema')).map((allOf) => ({ allOf })),
    tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties })),
    fc
      .tuple(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), tie('schema'), fc.boolean()), {
          maxLength: 4,
          selector: ([name]) => name,
        }),
        fc.constantFrom<JsonObject>(
          {},
          { additionalProperties: false },
          { additionalProperties: {} },
        ),
      )
      .map(([properties, more]) => ({
        type: 'object',
        properties: Object.fromEntries(properties.map(([name, each]) => [name, each])),
        required: properties.filter(([, , required]) => required).map(([name]) => name),
        ...more,
      })),
  ),
}));

/** A schema in itself so many times. */
function nested(levels: number, within: (inner: Schema) => Schema): Schema {
  return levels === 0 ? { type: 'string' } : within(nested(levels - 1, within));
}

const DEEP = [9, 11, 40, 90].flatMap((levels) => [
  nested(levels, (items) => ({ type: 'array', items })),
  nested(levels, (a) => ({ type: 'object', properties: { a } })),
  nested(levels, (additionalProperties) => ({ type: 'object', additionalProperties })),
  nested(Math.ceil(levels / 2), (items) => ({
    anyOf: [{ type: 'array', items }, { type: 'number' }],
  })),
]);

async function filesOf(
  all: readonly Readonly<Record<string, Schema>>[],
): Promise<Record<string, string>> {
  const files: Record<string, string> = { ...supportFiles() };
  for (const [index, definitions] of all.entries()) {
    for (const { path, text } of await emitUnits(
      namedParts(protocolOf(definitions)),
      DEFAULT_EMITS,
    )) {
      files[`s${String(index)}/${path}`] = text;
    }
  }
  return files;
}

const OPTIONS = { skipLibCheck: false, lib: ['es2022', 'dom'] };

it('what is generated for inherited names and deep schemas compiles under every strict option', async () => {
  const named = NAMES.flatMap((name) =>
    [[], [name]].map((required) => ({
      First: { type: 'object', properties: { [name]: { type: 'string' }, x: {} }, required },
      Second: {
        allOf: [{ $ref: '#/$defs/First' }, { type: 'object', properties: { [name]: {} } }],
      },
    })),
  );
  const files = await filesOf([...named, ...DEEP.map((First) => ({ First }))]);
  expect(await compileWith('6.0', files, OPTIONS)).toEqual([]);
});

/** Schemas that did not compile, as definitions. Most are parts of published ones. */
const FOUND: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  listsInATupleOfItself: {
    First: {
      allOf: [
        { type: ['string', 'array'] },
        {
          type: ['string', 'array'],
          prefixItems: [{ type: 'number' }, { type: 'array', items: { $ref: '#/$defs/First' } }],
        },
      ],
    },
    Second: {
      allOf: [
        { $ref: '#/$defs/Any' },
        { prefixItems: [{}], items: { prefixItems: [{ $ref: '#/$defs/Second' }] } },
      ],
    },
    Any: { type: ['null', 'array'] },
  },
  literalsBesideText: {
    First: {
      allOf: [{ pattern: '^a' }, { anyOf: [{ type: 'string' }, { enum: ['$A0', '$A1'] }] }],
    },
  },
  literalsWithLength: {
    First: { type: 'string', enum: ['Project', 'IIS', ''], minLength: 1 },
    Second: { anyOf: [{ const: 'auto' }, { type: 'number' }], minLength: 1, maxLength: 4 },
  },
  propertiesThatPropertyNamesRefuses: {
    First: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      additionalProperties: { type: 'boolean' },
      propertyNames: { const: 'a' },
    },
    Second: {
      type: 'object',
      properties: { a: { type: 'string' }, x: { type: 'number' } },
      required: ['x'],
      additionalProperties: false,
      propertyNames: { enum: ['a', 'b'] },
    },
  },
  referencesInACircle: {
    Alias: { $ref: '#/$defs/Root' },
    AliasOfAlias: { $ref: '#/$defs/Alias' },
    Root: {
      type: 'object',
      properties: { a: { $ref: '#/$defs/Alias' }, b: { $ref: '#/$defs/AliasOfAlias' } },
      not: { required: ['c'] },
    },
  },
  methodsOfHttp: {
    Get: { type: 'object', properties: { method: { const: 'GET' } }, required: ['method'] },
    Post: {
      type: 'object',
      properties: { method: { const: 'POST' }, next: { $ref: '#/$defs/Get' } },
      required: ['method'],
    },
  },
};

it('what is generated for parts of published schemas compiles under every strict option', async () => {
  const files = await filesOf(Object.values(FOUND));
  expect(await compileWith('6.0', files, OPTIONS)).toEqual([]);
});

it.each(['5.9', '7.0'] as const)(
  'what is generated for long schemas compiles with %s',
  async (version) => {
    const files = await filesOf(
      Object.values(LONG_SCHEMAS).map(({ schema }) => ({ First: schema(2_000) })),
    );
    expect(await compileWith(version, files)).toEqual([]);
  },
);

it('what is generated for random schemas compiles under every strict option', async () => {
  const drawn = fc.sample(fc.tuple(...DEFINITIONS.map(() => schema)), { numRuns: 40, seed: 12 });
  const files = await filesOf(
    drawn.map((schemas) => ({
      ...Object.fromEntries(DEFINITIONS.map((name, index) => [name, schemas[index] ?? {}])),
      Named: { type: 'object', properties: { name: { type: 'string' } } },
    })),
  );
  expect(await compileWith('6.0', files, OPTIONS)).toEqual([]);
});
