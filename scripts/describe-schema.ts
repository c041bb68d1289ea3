import { annotationKeywords, nestingKeywords } from '../generator/read/load/fingerprint.js';
import { findWords } from './schema-words.js';
import type { Dictionary, EntryId } from './schema-words.js';

export interface Described {
  /** The schema with our annotations; the rest is unchanged and in the same order. */
  readonly schema: unknown;
  /** The descriptions that were used. */
  readonly used: ReadonlySet<EntryId>;
  /** Definitions without a description. */
  readonly wordlessDefinitions: readonly string[];
  /** Properties without a description, as dotted paths. */
  readonly wordlessProperties: readonly string[];
}

type JsonObject = Readonly<Record<string, unknown>>;

const definitionKeywords: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/**
 * Replaces every annotation in a schema by the dictionary's text for the definition or property. Other
 * places, such as the branches of a union, get none.
 *
 * @param revisions the revision, followed by the one that it extends, if any
 */
export function describeSchema(
  schema: unknown,
  revisions: readonly string[],
  dictionary: Dictionary,
): Described {
  const used = new Set<EntryId>();
  const wordless = new Map<string, readonly string[]>();

  /**
   * `path` is that of the definition or property that contains the node; with `named` it is the node's
   * own.
   */
  const visit = (node: unknown, path: readonly string[], named: boolean): unknown => {
    if (Array.isArray(node)) return node.map((item) => visit(item, path, false));
    if (!isObject(node)) return node;
    const members = Object.entries(node)
      .filter(([keyword]) => !annotationKeywords.has(keyword))
      .map(([keyword, value]) => [keyword, visitKeyword(keyword, value, path)] as const);
    return Object.fromEntries(named ? [...describe(path), ...members] : members);
  };

  const visitKeyword = (keyword: string, value: unknown, path: readonly string[]): unknown => {
    const nesting = nestingKeywords.get(keyword);
    if (nesting === undefined) return value;
    if (nesting !== 'map' || !isObject(value)) return visit(value, path, false);
    const isDefinitions = definitionKeywords.has(keyword);
    const named = isDefinitions || keyword === 'properties';
    const members = Object.entries(value).map(([name, child]) => {
      return [name, visit(child, isDefinitions ? [name] : [...path, name], named)] as const;
    });
    // Uses `fromEntries`, which defines own members, so that `__proto__` stays an ordinary name.
    return Object.fromEntries(members);
  };

  const describe = (path: readonly string[]): [string, string][] => {
    const found = findWords(dictionary, path, revisions);
    for (const id of found.used) used.add(id);
    if (found.text === undefined) wordless.set(path.join('.'), path);
    const paragraphs = found.text === undefined ? [] : [found.text];
    if (found.deprecated !== undefined) paragraphs.push(`@deprecated ${found.deprecated}`);
    return paragraphs.length === 0 ? [] : [['description', paragraphs.join('\n\n')]];
  };

  const described = visit(schema, [], false);
  return {
    schema: described,
    used,
    wordlessDefinitions: [...wordless].flatMap(([name, path]) => (path.length === 1 ? name : [])),
    wordlessProperties: [...wordless].flatMap(([name, path]) => (path.length > 1 ? name : [])),
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
