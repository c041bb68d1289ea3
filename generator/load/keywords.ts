import { listedNames } from '../ir/index.js';
import type { JsonValue } from '../ir/index.js';

/** Checks a keyword's value. Returns `undefined` for a supported value, else the error. */
export type KeywordCheck = (value: JsonValue) => KeywordError | undefined;

export interface KeywordError {
  readonly code: 'malformed-keyword' | 'unsupported-keyword';
  /** Completes `"keyword" …`. */
  readonly message: string;
  readonly help?: string;
}

/** A keyword and the type of value that it applies to. */
interface Keyword {
  readonly check: KeywordCheck;
  readonly concerns?: 'object' | 'array' | 'number' | 'string';
}

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

const fine: KeywordCheck = () => undefined;

const must = (test: (value: JsonValue) => boolean, what: string): KeywordCheck => {
  return (value) =>
    test(value) ? undefined : { code: 'malformed-keyword', message: `must be ${what}` };
};

const isSchema = (value: JsonValue): boolean => typeof value === 'boolean' || isObject(value);

export function isObject(value: unknown): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const schema = must(isSchema, 'a schema');
const schemas = must(
  (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
  'a list of schemas',
);
const schemaMap = must(
  (value) => isObject(value) && Object.values(value).every(isSchema),
  'an object of schemas',
);
const number = must((value) => typeof value === 'number' && Number.isFinite(value), 'a number');
const count = must(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'a whole number, 0 or more',
);
const isPrimitive = (value: JsonValue): boolean => typeof value !== 'object' || value === null;

const type: KeywordCheck = must(
  (value) => {
    const list = Array.isArray(value) ? value : [value];
    return list.length > 0 && list.every((name) => TYPES.some((known) => known === name));
  },
  `one of ${TYPES.join(', ')}, or a list of them`,
);

const constant: KeywordCheck = (value) =>
  isPrimitive(value)
    ? undefined
    : {
        code: 'unsupported-keyword',
        message: 'contains an object or an array, which is not supported',
        help: 'Describe the value with properties or items instead.',
      };

const enumeration: KeywordCheck = (value) => {
  if (!Array.isArray(value) || value.length === 0) {
    return { code: 'malformed-keyword', message: 'must be a list of values' };
  }
  return value.map(constant).find((keywordError) => keywordError !== undefined);
};

const required = must(
  (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  'a list of names',
);

const items: KeywordCheck = (value) =>
  Array.isArray(value)
    ? {
        code: 'unsupported-keyword',
        message: 'is a list of schemas, which is not supported',
        help: 'Use one schema for all items.',
      }
    : schema(value);

const pattern: KeywordCheck = (value) => {
  try {
    new RegExp(value as string, 'u');
    return typeof value === 'string'
      ? undefined
      : { code: 'malformed-keyword', message: 'must be a string' };
  } catch {
    return { code: 'malformed-keyword', message: 'is not a regular expression' };
  }
};

/** `not` is supported only when it refuses every value. */
const not: KeywordCheck = (value) =>
  value === true || (isObject(value) && Object.keys(value).length === 0)
    ? undefined
    : {
        code: 'unsupported-keyword',
        message: 'is supported only as {}, which refuses every value',
        help: 'Describe the allowed values instead.',
      };

/** Accepts `{ "type": "string" }`, which is redundant but common in generated schemas. */
const propertyNames: KeywordCheck = (value) =>
  value === true || (isObject(value) && (saysOnlyString(value) || listedNames(value)))
    ? undefined
    : {
        code: 'unsupported-keyword',
        message: 'is supported only as { "type": "string" } or as a list of names',
        help: 'List the names, or remove the keyword.',
      };

const saysOnlyString = (value: { [key: string]: JsonValue }): boolean =>
  Object.keys(value).every((key) => key === 'type' && value[key] === 'string');

/** The keywords of MCP schemas, and annotations. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['$ref', { check: must((value) => typeof value === 'string', 'a string') }],
  ['type', { check: type }],
  ['const', { check: constant }],
  ['enum', { check: enumeration }],
  ['anyOf', { check: schemas }],
  ['allOf', { check: schemas }],
  ['not', { check: not }],
  ['properties', { check: schemaMap, concerns: 'object' }],
  ['required', { check: required, concerns: 'object' }],
  ['additionalProperties', { check: schema, concerns: 'object' }],
  ['propertyNames', { check: propertyNames, concerns: 'object' }],
  ['items', { check: items, concerns: 'array' }],
  ['minItems', { check: count, concerns: 'array' }],
  ['maxItems', { check: count, concerns: 'array' }],
  ['minimum', { check: number, concerns: 'number' }],
  ['maximum', { check: number, concerns: 'number' }],
  ['minLength', { check: count, concerns: 'string' }],
  ['maxLength', { check: count, concerns: 'string' }],
  ['pattern', { check: pattern, concerns: 'string' }],
  ['format', { check: must((value) => typeof value === 'string', 'a string') }],
  ['$defs', { check: schemaMap }],
  ['definitions', { check: schemaMap }],
  ...[
    '$schema',
    '$comment',
    'title',
    'description',
    'default',
    'examples',
    'deprecated',
    'readOnly',
    'writeOnly',
    'contentEncoding',
    'contentMediaType',
  ].map((name): [string, Keyword] => [name, { check: fine }]),
]);
