import { typesOf } from './alternatives.js';
import type { Schema } from './document.js';
import { formatSamples } from './formats.js';
import type { Json } from './json.js';

/** Keys that a careless validator trips over. */
export const oddKeys: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  '0',
  'length',
  'a/b~c d',
  'ключ 😀',
];

/** Values for where anything goes: one of each kind. */
export const anyValues: readonly Json[] = [
  'text',
  { nested: { list: [null, 1.5] } },
  null,
  false,
  -1.5,
  [[], {}],
];

const texts: readonly string[] = ['text', '', 'naïve 😀 "quoted" \\ \n \u0000 \u2028 \uD800'];

const numbers: readonly number[] = [
  1,
  0,
  0.5,
  -1,
  1.5,
  -32603,
  1e21,
  -1e21,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
];

export function typesOrGuess(schema: Schema): readonly string[] {
  const types = typesOf(schema);
  if (types !== undefined) return types;
  if (schema.properties ?? schema.required ?? schema.additionalProperties) return ['object'];
  return schema.items === undefined ? ['any'] : ['array'];
}

/** @throws on a type JSON Schema does not have. */
export function scalars(schema: Schema, type: string): readonly Json[] {
  switch (type) {
    case 'any':
      return anyValues;
    case 'null':
      return [null];
    case 'boolean':
      return [true, false];
    case 'string':
      return schema.format === undefined ? texts : formatSamples(schema.format).slice(0, 2);
    case 'integer':
    case 'number':
      return numbersFor(schema, type);
    default:
      throw new Error(`No such type: ${type}`);
  }
}

function numbersFor({ minimum = -Infinity, maximum = Infinity }: Schema, type: string): number[] {
  const bounds = [minimum, maximum, (minimum + maximum) / 2].filter(Number.isFinite);
  return [...new Set([...bounds, ...numbers])].filter(
    (number) =>
      minimum <= number && number <= maximum && (type === 'number' || Number.isInteger(number)),
  );
}
