import { annotationKeywords, nestingKeywords } from '../generator/load/fingerprint.js';

/**
 * What `schema/descriptions/` says about a path: one text for all revisions, or one a revision, where
 * `*` stands for those not named.
 */
export type Words = string | { readonly [revision: string]: string };

/** From a path (`Tool.name`, or `*.name` for that property wherever it has no words of its own). */
export type Dictionary = ReadonlyMap<string, Words>;

/** A dictionary entry that was read: its path, and the revision (or `*`) that it was read for. */
export type EntryId = `${string}@${string}`;

export interface Described {
  /** The schema, its annotations replaced by our words. */
  readonly schema: unknown;
  /** The entries that ended up in it. */
  readonly used: ReadonlySet<EntryId>;
  /** Paths of definitions and properties for which there are no words. */
  readonly wordless: readonly string[];
}

type JsonObject = Readonly<Record<string, unknown>>;

const definitionKeywords: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/** Replaces each annotation in a schema by what the dictionary says for a revision. */
export function describeSchema(
  schema: unknown,
  revision: string,
  dictionary: Dictionary,
): Described {
  const used = new Set<EntryId>();
  const wordless = new Set<string>();

  /** `path` is that of the definition or property which the schema is part of; `named` if it *is* it. */
  const visit = (node: unknown, path: readonly string[], named: boolean): unknown => {
    if (Array.isArray(node)) return node.map((item) => visit(item, path, false));
    if (!isObject(node)) return node;
    const members: [string, unknown][] = named ? describe(path) : [];
    for (const [keyword, value] of Object.entries(node)) {
      if (annotationKeywords.has(keyword)) continue;
      members.push([keyword, visitKeyword(keyword, value, path)]);
    }
    return Object.fromEntries(members);
  };

  const visitKeyword = (keyword: string, value: unknown, path: readonly string[]): unknown => {
    const nesting = nestingKeywords.get(keyword);
    if (nesting === undefined) return value;
    if (nesting !== 'map' || !isObject(value)) return visit(value, path, false);
    const named = keyword === 'properties' || definitionKeywords.has(keyword);
    return mapValues(value, (child, name) => {
      const childPath = definitionKeywords.has(keyword) ? [name] : [...path, name];
      return visit(child, childPath, named);
    });
  };

  const describe = (path: readonly string[]): [string, unknown][] => {
    const entry = findWords(path, revision, dictionary);
    if (entry === undefined) {
      wordless.add(path.join('.'));
      return [];
    }
    used.add(entry.id);
    return [['description', entry.text]];
  };

  const described = visit(schema, [], false);
  return { schema: described, used, wordless: [...wordless] };
}

/** The entries of a dictionary that no revision used. */
export function unusedEntries(dictionary: Dictionary, used: ReadonlySet<EntryId>): EntryId[] {
  const ids = [...dictionary].flatMap(([path, words]) => {
    return typeof words === 'string' ? [entryId(path, '*')] : revisionsOf(path, words);
  });
  return ids.filter((id) => !used.has(id));
}

/**
 * Joins the parts of a dictionary.
 *
 * @param parts from the name of a file to its content, parsed
 * @throws Error if a part has another shape, or two parts speak about one path
 */
export function joinDictionary(parts: ReadonlyMap<string, unknown>): Dictionary {
  const dictionary = new Map<string, Words>();
  for (const [file, part] of parts) {
    if (!isObject(part)) throw new Error(`${file}: must be a JSON object.`);
    for (const [path, words] of Object.entries(part)) {
      if (!isWords(words)) throw new Error(`${file}: ${path} is neither a text nor texts.`);
      if (dictionary.has(path)) throw new Error(`${file}: ${path} has words in another file too.`);
      dictionary.set(path, words);
    }
  }
  return dictionary;
}

function findWords(
  path: readonly string[],
  revision: string,
  dictionary: Dictionary,
): { id: EntryId; text: string } | undefined {
  for (const candidate of candidatePaths(path)) {
    const words = dictionary.get(candidate);
    if (typeof words === 'string') return { id: entryId(candidate, '*'), text: words };
    for (const key of [revision, '*']) {
      if (words === undefined || !Object.hasOwn(words, key)) continue;
      const text = words[key];
      if (text !== undefined) return { id: entryId(candidate, key), text };
    }
  }
  return undefined;
}

/**
 * The paths under which words may stand, the most particular first. Revisions before 2025-11-25 wrote
 * in place what later ones call `<Name>Params`, so both find the same words.
 */
function candidatePaths(path: readonly string[]): string[] {
  const [definition = '', property, ...rest] = path;
  const candidates = [path.join('.')];
  if (property === 'params' && rest.length > 0) {
    candidates.push([`${definition}Params`, ...rest].join('.'));
  }
  if (path.length > 1) candidates.push(`*.${path.at(-1)}`);
  return candidates;
}

function revisionsOf(path: string, words: { readonly [revision: string]: string }): EntryId[] {
  return Object.keys(words).map((revision) => entryId(path, revision));
}

function entryId(path: string, revision: string): EntryId {
  return `${path}@${revision}`;
}

function mapValues(
  object: JsonObject,
  change: (value: unknown, key: string) => unknown,
): JsonObject {
  // `fromEntries` defines own properties, so that a key `__proto__` stays an ordinary key.
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWords(value: unknown): value is Words {
  if (typeof value === 'string') return value !== '';
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
}
