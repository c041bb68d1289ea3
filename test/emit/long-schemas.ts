import type { JsonObject } from '../../json-schema/index.js';

/** A schema that grows with a number, and values of it: `at` is the place where they differ. */
export interface LongSchema {
  readonly schema: (count: number) => JsonObject;
  readonly values: (count: number, at: number) => readonly unknown[];
}

type Make<T> = (index: number) => T;

const many = <T>(count: number, make: Make<T>): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const object = <T>(count: number, make: Make<readonly [string, T]>): Record<string, T> =>
  Object.fromEntries(many(count, make));

const string = { type: 'string' };
const kind = (index: number): JsonObject => ({
  type: 'object',
  properties: { kind: { const: `k${index}` }, [`v${index}`]: { type: 'number' } },
  required: ['kind'],
});
const part = (index: number): JsonObject => ({
  type: 'object',
  properties: { [`a${index}`]: string },
  required: [`a${index}`],
});
/** A list of texts, with another value at one place. */
const texts = (count: number, at: number, other: unknown): unknown[] =>
  many(count, (index) => (index === at ? other : ''));
const texted = (count: number, at: number, other: unknown): object =>
  object(count, (index) => [`a${index}`, index === at ? other : '']);

const patterns = (count: number): JsonObject => object(count, (index) => [`^a${index}$`, string]);

export const LONG_SCHEMAS: Readonly<Record<string, LongSchema>> = {
  'an enum': {
    schema: (count) => ({ enum: many(count, (index) => (index % 2 === 0 ? `v${index}` : index)) }),
    values: (_, at) => [at, `v${at}`, null],
  },
  'a union of constants': {
    schema: (count) => ({ anyOf: many(count, (index) => ({ const: `v${index}` })) }),
    values: (_, at) => [`v${at}`, `w${at}`],
  },
  'a union of kinds of objects': {
    schema: (count) => ({ anyOf: many(count, kind) }),
    values: (_, at) => [
      { kind: `k${at}`, [`v${at}`]: 1 },
      { kind: `k${at}`, [`v${at}`]: '' },
      { kind: 'k' },
    ],
  },
  'a union of objects': {
    schema: (count) => ({ anyOf: many(count, part) }),
    values: (_, at) => [{ [`a${at}`]: '' }, { [`a${at}`]: 1 }],
  },
  'exactly one of objects': {
    schema: (count) => ({ oneOf: many(count, part) }),
    values: (_, at) => [{ [`a${at}`]: '' }, { [`a${at}`]: '', a0: '' }, { [`a${at}`]: 1 }],
  },
  'a union of lists': {
    schema: (count) => ({ anyOf: many(count, (index) => ({ type: 'array', items: kind(index) })) }),
    values: (_, at) => [[{ kind: `k${at}` }], [{ kind: `k${at}` }, { kind: 'k' }]],
  },
  'a union of texts': {
    schema: (count) => ({
      anyOf: many(count, (index) => ({ type: 'string', pattern: `^a${index}$` })),
    }),
    values: (_, at) => [`a${at}`, `b${at}`, at],
  },
  'a tuple': {
    schema: (count) => ({ type: 'array', prefixItems: many(count, () => string) }),
    values: (count, at) => [texts(count, at, ''), texts(count, at, 1), texts(at, 0, ''), {}],
  },
  'a closed tuple of objects': {
    schema: (count) => ({ type: 'array', prefixItems: many(count, part), items: false }),
    values: (count, at) => [
      many(count, (index) => ({ [`a${index}`]: index === at ? 1 : '' })),
      many(count, (index) => ({ [`a${index}`]: '' })),
      many(count + 1, (index) => ({ [`a${index}`]: '' })),
    ],
  },
  'a chain of allOf': {
    schema: (count) => ({ allOf: many(count, part) }),
    values: (count, at) => [texted(count, at, ''), texted(count, at, 1), texted(at, 0, '')],
  },
  'an object': {
    schema: (count) => ({
      type: 'object',
      properties: object(count, (index) => [`a${index}`, string]),
    }),
    values: (count, at) => [texted(count, at, ''), texted(count, at, 1), texted(at, 0, ''), []],
  },
  'an object with required members': {
    schema: (count) => ({
      type: 'object',
      properties: object(count, (index) => [`a${index}`, string]),
      required: many(count, (index) => `a${index}`),
    }),
    values: (count, at) => [texted(count, at, ''), texted(count, at, 1), texted(at, 0, ''), []],
  },
  'an object of objects': {
    schema: (count) => ({
      type: 'object',
      properties: object(count, (index) => [`a${index}`, kind(index)]),
      required: many(count, (index) => `a${index}`),
    }),
    values: (count, at) => [
      object(count, (index) => [`a${index}`, { kind: `k${index}` }]),
      object(count, (index) => [`a${index}`, { kind: index === at ? 'k' : `k${index}` }]),
    ],
  },
  'an object with patterns': {
    schema: (count) => ({ type: 'object', patternProperties: patterns(count) }),
    values: (_, at) => [{ [`a${at}`]: '' }, { [`a${at}`]: 1 }, { b: 1 }, []],
  },
  'a closed object with patterns': {
    schema: (count) => ({
      type: 'object',
      properties: { b: kind(0) },
      required: ['b'],
      patternProperties: patterns(count),
      additionalProperties: false,
    }),
    values: (_, at) => [
      { b: { kind: 'k0' }, [`a${at}`]: '' },
      { b: { kind: 'k0' }, [`a${at}`]: 1 },
      { b: { kind: 'k0' }, c: 1 },
      { [`a${at}`]: '' },
    ],
  },
};
