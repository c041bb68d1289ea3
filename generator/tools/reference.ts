import type { JsonValue } from '../ir/index.js';
import { isObject } from '../read/index.js';
import type { JsonObject } from '../read/index.js';

export type Path = readonly (string | number)[];

/** The target of a `$ref`: a place in the same document, or an error. */
export type Target =
  | { readonly kind: 'found'; readonly path: readonly string[]; readonly schema: JsonValue }
  | { readonly kind: 'remote' | 'dangling' };

/** Resolves a reference within its document, by own keys only. It never reads other documents. */
export function resolveReference(reference: string, root: JsonObject): Target {
  const [document = '', fragment = ''] = reference.split('#', 2);
  if (document !== '' && document !== root['$id']) return { kind: 'remote' };
  const decoded = decode(fragment);
  if (decoded === undefined) return { kind: 'dangling' };
  const path =
    decoded.startsWith('/') || decoded === '' ? pointerPath(decoded) : anchor(decoded, root);
  const schema = path && valueAt(root, path);
  return path && (isObject(schema) || typeof schema === 'boolean')
    ? { kind: 'found', path, schema }
    : { kind: 'dangling' };
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function pointerPath(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Looks for anchors at definitions only. */
function anchor(name: string, root: JsonObject): string[] | undefined {
  for (const container of ['$defs', 'definitions']) {
    const group = root[container];
    if (!isObject(group)) continue;
    const found = Object.entries(group).find(
      ([, schema]) =>
        isObject(schema) && (schema['$anchor'] === name || schema['$id'] === `#${name}`),
    );
    if (found) return [container, found[0]];
  }
  return undefined;
}

function valueAt(root: JsonValue, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = (value as { readonly [key: string]: JsonValue })[part];
  }
  return value;
}
