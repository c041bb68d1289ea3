/** One text for all revisions, or one a revision, where `*` stands for those not named. */
type Words = string | { readonly [revision: string]: string };

/** A deprecation: its revision, and the replacement. */
interface Deprecation {
  readonly since: string;
  readonly advice: string;
  readonly paths: readonly string[];
}

/** The descriptions of definitions and properties. `schema/README.md` defines the paths. */
export interface Dictionary {
  readonly texts: ReadonlyMap<string, Words>;
  readonly deprecations: readonly Deprecation[];
}

/** Identifies a text or a deprecation of a dictionary, to detect unused ones. */
export type EntryId = `${string}@${string}`;

/** A dictionary's entry for one path. Without `text` there is no description. */
export interface Found {
  readonly text?: string;
  readonly deprecated?: string;
  readonly used: readonly EntryId[];
}

/**
 * Makes a dictionary from the content of its files, parsed.
 *
 * @param files from the name of a file to its texts
 * @throws Error if a file has another shape, or two files describe one path
 */
export function readDictionary(
  files: ReadonlyMap<string, unknown>,
  deprecations: unknown,
): Dictionary {
  const texts = new Map<string, Words>();
  for (const [file, content] of files) {
    if (!isObject(content)) throw new Error(`${file}: must hold a JSON object.`);
    for (const [path, words] of Object.entries(content)) {
      if (!isWords(words)) throw new Error(`${file}: ${path} has neither a text nor texts.`);
      if (texts.has(path)) throw new Error(`${file}: ${path} has a text in another file too.`);
      texts.set(path, words);
    }
  }
  if (!isDeprecations(deprecations)) {
    throw new Error('deprecations: must hold an array of { since, advice, paths }.');
  }
  return { texts, deprecations };
}

/**
 * Looks up a definition (`['Tool']`) or a property (`['Tool', 'inputSchema']`).
 *
 * @param revisions the revision, followed by the one that it extends, if any
 */
export function findWords(
  { texts, deprecations }: Dictionary,
  path: readonly string[],
  revisions: readonly string[],
): Found {
  const text = findText(texts, path, revisions);
  const core = revisions.at(-1) ?? '';
  const names = exactPaths(path);
  const deprecation = deprecations.find(({ since, paths }) => {
    return since <= core && names.some((name) => paths.includes(name));
  });
  const used = text === undefined ? [] : [text.id];
  if (deprecation === undefined) return { ...text, used };
  const deprecated = `Since ${deprecation.since}. ${deprecation.advice}`;
  const ids = names.map((name) => deprecationId(name, deprecation));
  return { ...text, deprecated, used: [...used, ...ids] };
}

/** The texts and deprecations in a dictionary that are not among the used ones. */
export function unusedEntries(
  { texts, deprecations }: Dictionary,
  used: ReadonlySet<EntryId>,
): EntryId[] {
  const ids = [...texts].flatMap(([path, words]) => {
    const revisions = typeof words === 'string' ? ['*'] : Object.keys(words);
    return revisions.map((revision) => textId(path, revision));
  });
  for (const deprecation of deprecations) {
    ids.push(...deprecation.paths.map((path) => deprecationId(path, deprecation)));
  }
  return ids.filter((id) => !used.has(id));
}

function findText(
  texts: ReadonlyMap<string, Words>,
  path: readonly string[],
  revisions: readonly string[],
): { text: string; id: EntryId } | undefined {
  for (const candidate of [...exactPaths(path), ...patterns(path)]) {
    const words = texts.get(candidate);
    if (typeof words === 'string') return { text: words, id: textId(candidate, '*') };
    for (const revision of [...revisions, '*']) {
      const text = words !== undefined && Object.hasOwn(words, revision) ? words[revision] : '';
      if (text) return { text, id: textId(candidate, revision) };
    }
  }
  return undefined;
}

/**
 * The path itself. Revisions before 2025-11-25 write params in place, and later ones name them
 * `<Request>Params`, so a path through `params` also matches that name.
 */
function exactPaths(path: readonly string[]): string[] {
  const [definition = '', property, ...rest] = path;
  const paths = [path.join('.')];
  if (property === 'params' && rest.length > 0)
    paths.push([`${definition}Params`, ...rest].join('.'));
  return paths;
}

/** `UnionSchema.title` is also `*Schema.title` and `*.title`: the last property, the end of the name. */
function patterns(path: readonly string[]): string[] {
  const [definition = '', ...properties] = path;
  const property = properties.at(-1);
  if (property === undefined) return [];
  const words = definition.split(/(?=[A-Z])/);
  const endings = [...words.map((_, index) => words.slice(index).join('')), ''];
  return endings.map((ending) => `*${ending}.${property}`);
}

function textId(path: string, revision: string): EntryId {
  return `${path}@${revision}`;
}

function deprecationId(path: string, { since }: Deprecation): EntryId {
  return `${path}@deprecated since ${since}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isWords(value: unknown): value is Words {
  return isText(value) || (isObject(value) && Object.values(value).every(isText));
}

function isDeprecations(value: unknown): value is readonly Deprecation[] {
  return Array.isArray(value) && value.every(isDeprecation);
}

function isDeprecation(value: unknown): value is Deprecation {
  if (!isObject(value)) return false;
  const { since, advice, paths } = value;
  return isText(since) && isText(advice) && Array.isArray(paths) && paths.every(isText);
}
