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
    protocols: sortedObject(protocols, ({ input, clean, files }) => ({
      input,
      clean,
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
  const { input, clean, files } = entry;
  if (typeof input !== 'string' || typeof clean !== 'boolean' || !isObject(files)) return undefined;
  const pairs = Object.entries(files);
  const sound = pairs.every(
    (pair): pair is [string, string] => isSafePath(pair[0]) && typeof pair[1] === 'string',
  );
  return sound ? { input, clean, files: new Map(pairs) } : undefined;
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
