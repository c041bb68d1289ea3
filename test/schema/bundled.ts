import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { UpstreamSource } from '../../generator/read/load/index.js';
import { readTable } from '../../scripts/revisions/table.js';
import { readDictionary } from '../../scripts/schema-words.js';
import type { Dictionary } from '../../scripts/schema-words.js';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

const upstream = `${repository}../shared/upstream`;
const hasUpstream = existsSync(upstream);

/** Suffix for the names of tests that need the official files, to tell why they are skipped. */
export const needsUpstream = hasUpstream
  ? ''
  : ' (skipped: no official schemas in ../shared/upstream)';

export interface Bundled {
  readonly revision: string;
  readonly source: UpstreamSource;
  readonly text: string;
  readonly schema: object;
  /** Bytes of the official file; absent where the official files are. */
  readonly official?: Buffer;
}

export const bundled: readonly Bundled[] = Object.entries(
  readJson(`${repository}schema/SOURCES.json`) as Record<string, UpstreamSource>,
).map(([revision, source]) => {
  const text = readFileSync(`${repository}schema/${revision}/schema.json`, 'utf8');
  const entry = { revision, source, text, schema: JSON.parse(text) as object };
  if (!hasUpstream) return entry;
  return { ...entry, official: readFileSync(`${upstream}/${revision}/schema.json`) };
});

/** The bundled revisions whose official file is available. */
export const withOfficial = bundled.flatMap((entry) => {
  return entry.official === undefined ? [] : [{ ...entry, official: entry.official }];
});

/** The revision and the one that it extends, if any. */
export function lineage({ revision }: Pick<Bundled, 'revision'>): string[] {
  const base = readTable(repository).revisions[revision]?.extends;
  return base === undefined ? [revision] : [revision, base];
}

export function loadDictionary(): Dictionary {
  const folder = `${repository}schema/descriptions/`;
  const files = readdirSync(folder).map((file) => [file, readJson(folder + file)] as const);
  return readDictionary(new Map(files), readJson(`${repository}schema/deprecations.json`));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
