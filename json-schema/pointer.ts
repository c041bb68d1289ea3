import type { JsonValue } from './model.js';

/** RFC 6901: `['a/b', 0]` → `/a~1b/0`. */
export function jsonPointer(path: readonly (string | number)[]): string {
  let pointer = '';
  for (const part of path) {
    const name = String(part);
    pointer += `/${/[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name}`;
  }
  return pointer;
}

/** The parts of a pointer: `/a~1b/0` → `['a/b', '0']`; of a text without a slash at its start, none before the first one. */
export function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The parts of a fragment: `#/a~1b/c%20d` → `['a/b', 'c d']`. Where a percent sign begins no escape, all mean themselves. */
export function fragmentParts(fragment: string): string[] {
  try {
    return pointerParts(decodeURIComponent(fragment));
  } catch {
    return pointerParts(fragment);
  }
}

/** The value at some keys of a value, own ones only; undefined where there is none. */
export function valueAt(root: JsonValue, path: readonly (string | number)[]): JsonValue | undefined;
export function valueAt(root: unknown, path: readonly (string | number)[]): unknown;
export function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}

/** What a reference into the same document leads to: `#` or `#/…`. Undefined for others. */
export function targetOf(reference: unknown, root: unknown): unknown {
  if (reference === '#') return root;
  const isPointer = typeof reference === 'string' && reference.startsWith('#/');
  return isPointer ? valueAt(root, fragmentParts(reference)) : undefined;
}
