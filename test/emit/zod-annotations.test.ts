import { expect, it } from 'vitest';
import { emitZod } from '../../generator/emit/zod/emit-zod.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { protocolOf } from '../support/protocol.js';
import { object } from './schemas.js';

const string: JsonSchema = { type: 'string' };
const texts: JsonSchema = { anyOf: [string, { const: 'a' }] };
const named = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

const NAMED: Readonly<Record<string, JsonSchema>> = {
  Text: string,
  Texts: texts,
  Any: {},
  A: object({ a: string }),
  B: object({ b: string }),
  AOrB: { anyOf: [named('A'), named('B')] },
};

const TYPES: readonly (readonly [type: string, schema: JsonSchema])[] = [
  ['z.ZodString', string],
  ['z.ZodString', named('Text')],
  ['z.ZodNumber', { type: 'integer' }],
  ['z.ZodBoolean', { type: 'boolean' }],
  ['z.ZodUnknown', {}],
  ['z.ZodUnknown', named('Any')],
  ['z.ZodType<types.It>', texts],
  ['z.ZodType<types.It>', { type: 'null' }],
  ['z.ZodType<types.It>', { enum: ['a', 'b'] }],
  ['z.ZodType<types.It>', { enum: [true, false] }],
  ['z.ZodType<types.It>', { type: 'array', items: string }],
  ['z.ZodType<types.It>', { anyOf: [named('A'), named('B')] }],
  ['z.ZodType<types.It>', { not: string }],
  ['LooseObject<types.It>', object({ a: string })],
  ['LooseObject<types.It>', named('A')],
  ['LooseObject<types.It>', object({ a: string }, { additionalProperties: {} })],
  ['StrictObject<types.It>', object({ a: string }, { additionalProperties: false })],
  ['RecordObject<types.It>', object({ a: string }, { additionalProperties: string })],
  ["LooseObject<types.It, 'a'>", object({ a: texts, b: string })],
  ["LooseObject<types.It, 'a' | 'b-c'>", object({ a: texts, 'b-c': { enum: [true, false] } })],
  ["LooseObject<types.It, 'a'>", object({ a: named('Texts'), b: named('Text') })],
  ["StrictObject<types.It, 'a'>", object({ a: texts }, { additionalProperties: false })],
  ['LooseObject<types.It>', object({ a: { not: string } })],
  ['LooseObject<types.It>', { allOf: [named('A'), named('B')] }],
  ['LooseObject<types.It>', { allOf: [named('A'), object({ a: { minLength: 1 } })] }],
  ['LooseObject<types.It>', object({ a: string }, { not: { required: ['z'] } })],
  ['LooseObject<types.It>', object({ a: string }, { maxProperties: 2 })],
  [
    'TypedObject<LooseObject<types.It>, types.It>',
    object({ a: string }, { patternProperties: { '^x': string } }),
  ],
  ['TypedObject<LooseObject<types.It>, types.It>', object({}, { minProperties: 1 })],
  ['z.ZodType<types.It>', { allOf: [named('A'), named('AOrB')] }],
  ['LooseObject<types.It>', { allOf: [named('A'), { not: { required: ['z'] } }] }],
  ['TypedObject<LooseObject<types.It>, types.It>', object({ toString: string, a: string })],
];

it.each(TYPES)('the declared type of a Zod schema is %s, for %j', (type, It) => {
  const text = emitZod(protocolOf({ ...NAMED, It }));
  const declared = /export const ItSchema: ([^=]*?)\s*=(?!>)/.exec(text)?.[1] ?? '';
  expect(declared.replaceAll(/\s+/g, ' ')).toBe(type);
});
