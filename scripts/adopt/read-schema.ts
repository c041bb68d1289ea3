import { annotationKeywords } from '../../generator/read/load/fingerprint.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The keyword under which a document has its definitions. */
export function containerOf(schema: unknown): '$defs' | 'definitions' {
  return isObject(schema) && isObject(schema['$defs']) ? '$defs' : 'definitions';
}

export function definitionsOf(schema: unknown): JsonObject {
  const found = isObject(schema) ? schema[containerOf(schema)] : undefined;
  return isObject(found) ? found : {};
}

/** The method of each request and notification, with the definition that it belongs to. */
export function methodsOf(schema: unknown): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(definitionsOf(schema)).flatMap(([name, definition]): [string, string][] => {
      const method = at(definition, ['properties', 'method', 'const']);
      return typeof method === 'string' ? [[method, name]] : [];
    }),
  );
}

/**
 * The paths of the capabilities that either side may declare: `ServerCapabilities`, `tools`, `listChanged`. A
 * capability may have a definition of its own, such as that of an extension.
 */
export function capabilitiesOf(schema: unknown): string[][] {
  const definitions = definitionsOf(schema);
  const below = (node: unknown, path: string[]): string[][] => {
    const properties = at(node, ['properties']);
    if (!isObject(properties)) return [];
    return Object.entries(properties).flatMap(([name, inner]) => {
      const own = [...path, name];
      return [own, ...below(inner, own)];
    });
  };
  return Object.keys(definitions)
    .filter((name) => /Capabilit(?:y|ies)$/.test(name))
    .flatMap((name) => below(definitions[name], [name]));
}

/** The structure of a value, without annotations. */
export function structureOf(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) =>
    annotationKeywords.has(key) && typeof inner === 'string' ? undefined : inner,
  );
}

export function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}
