import type { JsonValue } from '../../../json-schema/index.js';
import { pointerParts } from '../../../json-schema/pointer.js';

/** `#/a~1b/c%20d` → `['a/b', 'c d']`: the keys of a fragment. Where a percent sign begins no escape, all mean themselves. */
export function keysOf(fragment: string): string[] {
  try {
    return pointerParts(decodeURIComponent(fragment));
  } catch {
    return pointerParts(fragment);
  }
}

/** The value at some keys of a document; undefined where there is none. */
export function valueAt(json: JsonValue, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = json;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = (value as { readonly [key: string]: JsonValue })[part];
  }
  return value;
}
