import { isObject, type JsonObject, type JsonValue } from '../../json-schema/index.js';
import type { Total } from './rule.js';

const sum = (counts: readonly number[]): number => counts.reduce((all, next) => all + next, 0);
const characters = (values: readonly JsonValue[]): number =>
  sum(values.map((value) => (typeof value === 'string' ? value.length : 0)));
const keysOf = (value: JsonValue | undefined): readonly string[] =>
  isObject(value) ? Object.keys(value) : [];

interface Counted {
  readonly words: string;
  readonly count: (schemas: readonly JsonObject[]) => number;
}

/** What hosts count in all schemas of an input together. */
export const TOTALS: Readonly<Record<Total, Counted>> = {
  properties: {
    words: 'properties',
    count: (schemas) => sum(schemas.map(({ properties }) => keysOf(properties).length)),
  },
  'enum-values': {
    words: 'values of enum',
    count: (schemas) => sum(schemas.map((schema) => valuesOf(schema, 'enum').length)),
  },
  'name-characters': {
    words: 'characters in names and values',
    count: (schemas) =>
      sum(
        schemas.map((schema) =>
          characters([
            ...['properties', '$defs', 'definitions'].flatMap((name) => keysOf(schema[name])),
            ...valuesOf(schema, 'enum'),
            ...valuesOf(schema, 'const'),
          ]),
        ),
      ),
  },
  'enum-characters': {
    words: 'characters in an enum of more than 250 values',
    count: (schemas) =>
      Math.max(
        0,
        ...schemas
          .map((schema) => valuesOf(schema, 'enum'))
          .filter(({ length }) => length > 250)
          .map(characters),
      ),
  },
};

/** The values that `enum` or `const` lists. */
export function valuesOf(schema: JsonObject, name: string): readonly JsonValue[] {
  const value = schema[name];
  if (value === undefined) return [];
  return name === 'enum' ? (Array.isArray(value) ? value : []) : [value];
}
