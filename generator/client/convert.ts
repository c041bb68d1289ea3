import type { JsonObject } from '../../runtime/client/index.js';

/**
 * Texts of the command line as a tool's schema wants them: `limit=5` is a number where the schema says so. A
 * text stays one where the schema allows texts, or where it fits nothing; the server then says what it wants.
 */
export function convertTexts(texts: Readonly<Record<string, string>>, schema: unknown): JsonObject {
  const properties = member(schema, 'properties');
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      convert(text, kindsOf(member(properties, name), schema)),
    ]),
  );
}

function convert(text: string, kinds: ReadonlySet<string>): unknown {
  if (kinds.size === 0 || kinds.has('string')) return text;
  const value = parsed(text);
  const kind = kindOf(value);
  return kinds.has(kind) || (kind === 'integer' && kinds.has('number')) ? value : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

const DEEPEST = 10;

/** The JSON types that a schema allows, as far as it says so. Empty: it does not. */
export function kindsOf(schema: unknown, root: unknown, depth = 0): ReadonlySet<string> {
  if (depth > DEEPEST || typeof schema !== 'object' || schema === null) return new Set();
  const type = member(schema, 'type');
  if (typeof type === 'string') return new Set([type]);
  if (Array.isArray(type)) return new Set(type.map(String));
  const reference = member(schema, '$ref');
  if (typeof reference === 'string') return kindsOf(resolve(reference, root), root, depth + 1);
  const values = [member(schema, 'enum'), [member(schema, 'const')]]
    .flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : []))
    .filter((each) => each !== undefined);
  const members = ['anyOf', 'oneOf'].flatMap((key) => {
    const list = member(schema, key);
    return Array.isArray(list) ? (list as unknown[]) : [];
  });
  return new Set([
    ...values.map(kindOf),
    ...members.flatMap((each) => [...kindsOf(each, root, depth + 1)]),
  ]);
}

/** `#/$defs/Limit` in the schema itself. */
function resolve(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(member, root);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as JsonObject)[name]
    : undefined;
}
