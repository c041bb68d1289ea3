import { createHash } from 'node:crypto';
import { isSafePath } from './path.js';

/** The manifest's name in the output folder. */
export const MANIFEST_FILE = 'manifest.json';

/** The generated files of a folder, so that the next run can distinguish them from other files. */
export interface Manifest {
  /** By protocol name, which is also the folder's name; `support` contains the shared modules. */
  readonly protocols: ReadonlyMap<string, ManifestEntry>;
}

export interface ManifestEntry {
  /** The hash of all inputs of the files. */
  readonly input: string;
  /** Whether the input had no diagnostics. Otherwise each run reads it again, to report them. */
  readonly clean: boolean;
  /** SHA-256 of each file, by its path below the output folder. */
  readonly files: ReadonlyMap<string, string>;
  /** The shared modules that the files import, by name: `check.ts`. Absent for the shared modules themselves. */
  readonly support?: readonly string[];
  /** Absent for the shared modules, and for schemas whose place is not recorded. */
  readonly recipe?: Recipe;
  /** The configuration whose run wrote it, relative to the output folder. Only its runs delete the files. */
  readonly config?: string;
}

/** How a protocol is generated again. */
export interface Recipe {
  /** A revision, or a URL or a path relative to the output folder. */
  readonly from:
    | { readonly revision: string }
    /** The path of a file with an answer to `tools/list`. */
    | { readonly tools: string }
    | {
        readonly schema: string;
        /** What the user calls the protocol, if anything. */
        readonly name?: string;
        /** The paths of documents that its references lead to, by their URIs. */
        readonly refs?: Readonly<Record<string, string>>;
        /** What a schema without `$schema` is read as. */
        readonly draft?: string;
        /** What becomes of the keywords beside a `$ref` up to draft-07. */
        readonly refSiblings?: string;
      };
  readonly emit: readonly string[];
  readonly errata: boolean;
}

export const EMPTY_MANIFEST: Manifest = { protocols: new Map() };

const VERSION = 1;
const NOTE = 'Written by mcp-codegen: do not edit.';

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Sorted, so that equal manifests are equal bytes. */
export function printManifest({ protocols }: Manifest): string {
  const document = {
    note: NOTE,
    manifestVersion: VERSION,
    protocols: sortedObject(protocols, ({ input, clean, recipe, config, support, files }) => ({
      ...(recipe && { from: recipe.from, emit: recipe.emit, errata: recipe.errata }),
      ...(config !== undefined && { config }),
      input,
      clean,
      ...(support && { support }),
      files: sortedObject(files, (hash) => hash),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function sortedObject<T>(map: ReadonlyMap<string, T>, print: (value: T) => unknown): object {
  const entries = [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, print(value)]));
}

/**
 * `undefined` when the text is not a valid manifest. Strict, because the manifest decides which files are
 * deleted.
 */
export function parseManifest(text: string): Manifest | undefined {
  const document = parseObject(text);
  const protocols = document?.['protocols'];
  if (document?.['manifestVersion'] !== VERSION || !isObject(protocols)) return undefined;
  const entries = Object.entries(protocols).map(([name, entry]) => [name, parseEntry(entry)]);
  return entries.every((entry): entry is [string, ManifestEntry] => entry[1] !== undefined)
    ? { protocols: new Map(entries) }
    : undefined;
}

function parseEntry(entry: unknown): ManifestEntry | undefined {
  if (!isObject(entry)) return undefined;
  const { input, clean, files, support, config } = entry;
  if (typeof input !== 'string' || typeof clean !== 'boolean' || !isObject(files)) return undefined;
  const pairs = Object.entries(files);
  const sound = pairs.every(
    (pair): pair is [string, string] => isSafePath(pair[0]) && typeof pair[1] === 'string',
  );
  const recipe = parseRecipe(entry);
  if (!sound || !(config === undefined || typeof config === 'string')) return undefined;
  if (!(support === undefined || isTexts(support))) return undefined;
  return {
    input,
    clean,
    files: new Map(pairs),
    ...(support && { support }),
    ...(recipe && { recipe }),
    ...(config !== undefined && { config }),
  };
}

/** Undefined for an entry without one, and for one that cannot be followed. */
function parseRecipe({ from, emit, errata }: Record<string, unknown>): Recipe | undefined {
  if (!isObject(from) || typeof errata !== 'boolean' || !isTexts(emit)) return undefined;
  const { revision, schema, name, tools, refs, draft, refSiblings } = from;
  if (typeof revision === 'string') return { from: { revision }, emit, errata };
  if (typeof tools === 'string') return { from: { tools }, emit, errata };
  if (typeof schema !== 'string' || !(refs === undefined || isTextMap(refs))) return undefined;
  if (![name, draft, refSiblings].every(isTextOrAbsent)) return undefined;
  const named = {
    ...(isText(name) && { name }),
    ...(isText(draft) && { draft }),
    ...(isText(refSiblings) && { refSiblings }),
  };
  return { from: { schema, ...named, ...(refs && { refs }) }, emit, errata };
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || isText(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextMap(value: unknown): value is Record<string, string> {
  return isObject(value) && isTexts(Object.values(value));
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
