import { createHash } from 'node:crypto';
import { isSafePath } from './path.js';

/** Where a folder's manifest lies in it. */
export const MANIFEST_FILE = 'manifest.json';

/** What was written to a folder, so that the next run knows its own files from other people's. */
export interface Manifest {
  /** By the name of the protocol, which is also its folder's; `support` is what they share. */
  readonly protocols: ReadonlyMap<string, ManifestEntry>;
}

export interface ManifestEntry {
  /** Hash of everything that the files follow from. */
  readonly input: string;
  /** Whether the input had nothing to complain about: otherwise it is read again each time. */
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

/** `undefined` when the text is no manifest of ours; it decides what is deleted, so no guessing. */
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
