import type { JsonValue } from '../../json-schema/index.js';
import type { At, Change } from './change.js';

/** The change of a text, or of another value that models, users and hosts read; none when both are equal. */
export function textChange(
  at: At,
  path: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Change[] {
  if (isEqual(before, after)) return [];
  const verb = before === undefined ? 'is new' : after === undefined ? 'is gone' : 'changed';
  return [
    {
      verdict: 'text',
      rule: 'text',
      ...at,
      path,
      message: `${path} ${verb}`,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    },
  ];
}

/** The value of a key; undefined where an object only inherits one of that name. */
export function own(
  object: { readonly [key: string]: JsonValue },
  key: string,
): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether two JSON values are equal; the order of keys means nothing. */
export function isEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === b || sortedText(a) === sortedText(b);
}

/** The JSON of a value, with the keys of its objects in order; undefined for no value. */
export function sortedText(value: JsonValue | undefined): string | undefined {
  return JSON.stringify(value, sortedKeys);
}

/** All texts in a value: strings, and the keys of objects. */
export function wordsOf(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  return Object.entries(value).flatMap(([key, each]) => [key, ...wordsOf(each)]);
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What follows its subject: a version, a size, a time. A sentence is none. */
export function asFact(change: Change): Change {
  const isFact = wordsOf(change.after).every((word) => /^v?\d[\w.:+-]{0,40}$/i.test(word));
  return isFact ? { ...change, verdict: 'compatible', rule: 'fact' } : change;
}
