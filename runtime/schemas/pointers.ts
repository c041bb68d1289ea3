import { isObject } from '../peer/wire/json.js';

/** A name as a part of a JSON pointer. */
export function pointerPart(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The value at a JSON pointer, which begins with a slash and may be encoded for a URI. */
export function at(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const isOwn = (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, name);
    if (!isOwn) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** What a reference into the same document leads to: `#` or `#/…`. Undefined for others. */
export function targetOf(reference: unknown, root: unknown): unknown {
  if (reference === '#') return root;
  const isPointer = typeof reference === 'string' && reference.startsWith('#/');
  return isPointer ? at(root, reference.slice(1)) : undefined;
}
