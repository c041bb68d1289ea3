import { expect, it } from 'vitest';
import { DEFAULT_EMITS, emitUnits, namedParts } from '../../generator/emit/index.js';
import type { JsonObject } from '../../json-schema/index.js';
import { supportFiles } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { compileWith } from '../support/ts-compile.js';

/** What a schema says beside its properties, in ways that its Zod schema, its type or neither can say. */
const BESIDE: Readonly<Record<string, JsonObject>> = {
  Nothing: {},
  Closed: { additionalProperties: false },
  Typed: { additionalProperties: { type: ['string', 'number'] } },
  Unevaluated: { unevaluatedProperties: false },
  Patterns: { patternProperties: { '^x-': {} } },
  ClosedPatterns: { patternProperties: { '^x-': {} }, additionalProperties: false },
  Names: { propertyNames: { maxLength: 5 } },
  Counted: { minProperties: 2 },
  Dependent: { dependentRequired: { a: ['b'] } },
  Conditional: { if: { required: ['a'] }, then: { required: ['b'] } },
  Not: { not: { required: ['a', 'b'] } },
  NotString: { not: { type: 'string' } },
  OneOf: { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  AnyOf: { anyOf: [{ required: ['a'] }, { properties: { b: { type: 'number' } } }] },
  Either: { anyOf: [{ type: 'object' }, { type: 'string' }] },
  AllOf: { allOf: [{ $ref: '#/$defs/Nothing' }] },
  More: { allOf: [{ properties: { c: { type: 'array', uniqueItems: true } } }] },
  Nullable: { type: ['object', 'null'] },
};

/** Each schema, and the unions of any two of them. */
function definitions(): Record<string, JsonObject> {
  const all: Record<string, JsonObject> = {};
  for (const [name, beside] of Object.entries(BESIDE)) {
    const properties = { kind: { const: name }, a: { type: 'string' }, b: { type: 'number' } };
    all[name] = { type: 'object', properties, required: ['kind'], ...beside };
    for (const other of Object.keys(BESIDE).filter((each) => each !== name)) {
      const members = [name, other].map((each) => ({ $ref: `#/$defs/${each}` }));
      all[`${name}Or${other}`] = name < other ? { oneOf: members } : { anyOf: members };
    }
  }
  return all;
}

it('unions with a discriminator compile, whatever their members say', async () => {
  const protocol = namedParts(protocolOf(definitions()));
  const files: Record<string, string> = supportFiles();
  for (const { path, text } of await emitUnits(protocol, DEFAULT_EMITS))
    files[`drawn/${path}`] = text;
  expect(files['drawn/zod.ts']?.match(/\bdiscriminated\(/g)?.length).toBeGreaterThan(150);
  expect(await compileWith('7.0', files)).toEqual([]);
}, 120_000);
