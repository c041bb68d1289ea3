import { targetOf } from '../../json-schema/pointer.js';
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
  if (typeof value === 'number' && !isExact(text, value)) return text;
  const kind = kindOf(value);
  return kinds.has(kind) || (kind === 'integer' && kinds.has('number')) ? value : text;
}

/** Whether the number is what the text says: of 17 digits and more, it often is another one. */
function isExact(text: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  return !/^\s*-?\d+\s*$/.test(text) || BigInt(text) === BigInt(value);
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

/** Schemas that are read for one value. Each costs a stranger a few bytes. */
const MOST_SCHEMAS = 1_000;

/** The JSON types that a schema allows, as far as it says so. Empty: it does not. */
export function kindsOf(schema: unknown, root: unknown): ReadonlySet<string> {
  const kinds = new Set<string>();
  const seen = new Set<unknown>();
  const waiting = [schema];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    if (seen.size > MOST_SCHEMAS) return new Set();
    const { named, inner } = partsOf(next, root);
    for (const kind of named) kinds.add(kind);
    waiting.push(...inner);
  }
  return kinds;
}

interface Parts {
  /** The types that the schema itself names. */
  readonly named: readonly string[];
  /** The schemas that say the rest. */
  readonly inner: readonly unknown[];
}

function partsOf(schema: object, root: unknown): Parts {
  const type = member(schema, 'type');
  if (typeof type === 'string') return { named: [type], inner: [] };
  if (Array.isArray(type)) return { named: type.map(String), inner: [] };
  const reference = member(schema, '$ref');
  if (typeof reference === 'string') return { named: [], inner: [targetOf(reference, root)] };
  const values = [member(schema, 'enum'), [member(schema, 'const')]]
    .flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : []))
    .filter((each) => each !== undefined);
  const inner = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => {
    const list = member(schema, key);
    return Array.isArray(list) ? (list as unknown[]).slice(0, MOST_SCHEMAS + 1) : [];
  });
  return { named: values.map(kindOf), inner };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as JsonObject)[name]
    : undefined;
}
