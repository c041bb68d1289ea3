import { isObject } from '../peer/wire/json.js';

/** What the error of {@link UniqueItems.limit} contains. */
const DUPLICATE = /Duplicate items at indexes \d+ and \d+/;

/**
 * `uniqueItems` in linear time, for a library that compares all items with each other and has no hook for keywords.
 *
 * The library compares the length of a list with `minItems`. A list that is {@link watched} notes that its length is read,
 * and {@link limit} becomes a number at that moment: 0 when the items differ, and otherwise infinity.
 */
export interface UniqueItems {
  /** To be the `minItems` of a schema. */
  readonly limit: number;
  /** A copy of the value, whose lists are noted. It replaces the value before. */
  watched(value: unknown): unknown;
}

export function uniqueItems(): UniqueItems {
  let list: readonly unknown[] = [];
  let findDuplicate = duplicateFinder();

  function watch(value: unknown): unknown {
    if (Array.isArray(value)) {
      return new Proxy(value.map(watch), {
        get(copy, key) {
          if (key === 'length') list = value;
          return Reflect.get(copy, key) as unknown;
        },
      });
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, watch(each)]));
  }

  const limit = {
    [Symbol.toPrimitive](hint: string): number | string {
      const found = findDuplicate(list);
      if (hint === 'string') return `Duplicate items at indexes ${found?.join(' and ')}`;
      return found === undefined ? 0 : Infinity;
    },
  };
  return {
    limit: limit as unknown as number,
    watched(value) {
      findDuplicate = duplicateFinder();
      return watch(value);
    },
  };
}

/** The part of an error of the library that speaks of duplicates, if there is one. */
export function duplicateText(error: string): string | undefined {
  return DUPLICATE.exec(error)?.[0];
}

type Duplicate = readonly [first: number, second: number];

/** Finds two equal items. Each part of a value is read once, however many lists contain it. */
function duplicateFinder(): (list: readonly unknown[]) => Duplicate | undefined {
  const numbers = new Map<string, number>();
  const known = new Map<object, string>();
  const results = new Map<readonly unknown[], Duplicate | undefined>();

  /** The same text for equal values, which does not grow with their depth. */
  function textOf(value: unknown): string {
    if (typeof value === 'string') return JSON.stringify(value);
    if (typeof value !== 'object' || value === null) return String(value);
    const before = known.get(value);
    if (before !== undefined) return before;
    const content = Array.isArray(value)
      ? `[${value.map(textOf).join()}]`
      : `{${Object.keys(value)
          .sort()
          .map(
            (name) => `${JSON.stringify(name)}:${textOf((value as Record<string, unknown>)[name])}`,
          )
          .join()}}`;
    const number = numbers.get(content) ?? numbers.size;
    numbers.set(content, number);
    const text = `#${number}`;
    known.set(value, text);
    return text;
  }

  function find(list: readonly unknown[]): Duplicate | undefined {
    const seen = new Map<string, number>();
    for (const [at, item] of list.entries()) {
      const text = textOf(item);
      const first = seen.get(text);
      if (first !== undefined) return [first, at];
      seen.set(text, at);
    }
    return undefined;
  }

  return (list) => {
    if (!results.has(list)) results.set(list, find(list));
    return results.get(list);
  };
}
