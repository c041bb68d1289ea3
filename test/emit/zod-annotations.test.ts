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
  A: object({ a: string }),
  B: object({ b: string }),
};

const A = 'LooseObject<{ a: z.ZodExactOptional<z.ZodString>; }>';
const TEXTS = "z.ZodUnion<[z.ZodString, z.ZodLiteral<'a'>]>";

const TYPES: readonly (readonly [type: string, schema: JsonSchema])[] = [
  ['z.ZodString', string],
  ['typeof TextSchema', named('Text')],
  ['z.ZodNumber', { type: 'integer' }],
  ['z.ZodBoolean', { type: 'boolean' }],
  ['z.ZodUnknown', {}],
  [TEXTS, texts],
  ['z.ZodNull', { type: 'null' }],
  ["z.ZodLiteral<'a'>", { const: 'a' }],
  ["z.ZodEnum<{ a: 'a'; 'b-c': 'b-c' }>", { enum: ['a', 'b-c'] }],
  ['z.ZodLiteral<true | false>', { enum: [true, false] }],
  ['z.ZodArray<z.ZodString>', { type: 'array', items: string }],
  ['z.ZodUnion<[typeof ASchema, typeof BSchema]>', { anyOf: [named('A'), named('B')] }],
  ['z.ZodCustom<types.It, types.It>', { not: string }],
  [A, object({ a: string })],
  [A, object({ a: string }, { additionalProperties: {} })],
  [A.replace('Loose', 'Strict'), object({ a: string }, { additionalProperties: false })],
  ['RecordObject<z.ZodString, {}>', object({}, { additionalProperties: string })],
  ['AnyObject', object({}, { minProperties: 1 })],
  [
    `StrictObject<{ a: z.ZodExactOptional<${TEXTS}>; 'b-c': z.ZodExactOptional<typeof TextsSchema>; }>`,
    object({ a: texts, 'b-c': named('Texts') }, { additionalProperties: false }),
  ],
  ['LooseObject<{ a: z.ZodExactOptional<z.ZodUnknown>; }>', object({ a: { not: string } })],
  [
    A.replace('; }', '; b: z.ZodExactOptional<z.ZodString>; }'),
    { allOf: [named('A'), named('B')] },
  ],
  [A, object({ a: string }, { not: { required: ['z'] } })],
  [A, object({ a: string }, { maxProperties: 2 })],
  [`Typed<${A}, types.It>`, object({ a: string }, { patternProperties: { '^x': string } })],
  [`Typed<${A}, types.It>`, object({ toString: string, a: string })],
  ['typeof ASchema', { allOf: [named('A'), { not: { required: ['z'] } }] }],
  [
    'LooseObject<{ a: z.ZodExactOptional<z.ZodArray<Lazy<types.It, { schema: typeof ItSchema }>>>; }>',
    object({ a: { type: 'array', items: named('It') } }),
  ],
];

it.each(TYPES)('the declared type of a Zod schema is %s, as it is made, for %j', (type, It) => {
  const text = emitZod(protocolOf({ ...NAMED, It }));
  const declared = /export const ItSchema: ([^=]*?)\s*=(?!>)/.exec(text)?.[1] ?? '';
  const line = declared.replaceAll(/\s+/g, ' ').replaceAll(/(?<=<) | (?=>)/g, '');
  expect(line).toBe(type);
});
