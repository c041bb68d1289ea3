/**
 * Copies an official schema into `schema/` with our annotations. Without arguments, it applies the
 * descriptions in `schema/` to every bundled revision again.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { structuralFingerprint } from '../generator/load/fingerprint.js';
import type { UpstreamSource } from '../generator/load/load.js';
import { describeSchema } from './describe-schema.js';
import type { Described } from './describe-schema.js';
import { readDictionary, unusedEntries } from './schema-words.js';
import type { Dictionary, EntryId } from './schema-words.js';

/** An entry of `SOURCES.json`. */
export interface Source extends UpstreamSource {
  /** The core revision that an extension's schema is layered over. */
  readonly extends?: string;
}

/** A revision to adopt. */
interface Adoption {
  readonly revision: string;
  readonly schema: unknown;
  readonly source: Source;
}

/** Relative to the repository's root, where npm runs scripts. */
const schemaFolder = 'schema';
const sourcesFile = join(schemaFolder, 'SOURCES.json');
const usage = `Usage:
  tsx scripts/adopt-schema.ts
  tsx scripts/adopt-schema.ts <revision> <file> --repository <url> --path <path> --commit <hash>
                              [--extends <revision>]`;

async function main(): Promise<void> {
  const adoption = await readAdoption();
  const sources = (await readJson(sourcesFile)) as Record<string, Source>;
  if (adoption !== undefined) sources[adoption.revision] = adoption.source;
  const sorted = Object.entries(sources).sort(([a], [b]) => (a < b ? -1 : 1));

  const dictionary = await loadDictionary();
  const used = new Set<EntryId>();
  for (const [revision, source] of sorted) {
    const adopted = adoption?.revision === revision;
    const schema = adopted ? adoption.schema : await readJson(schemaFile(revision));
    const revisions = source.extends === undefined ? [revision] : [revision, source.extends];
    const described = describeSchema(schema, revisions, dictionary);
    for (const id of described.used) used.add(id);
    await mkdir(join(schemaFolder, revision), { recursive: true });
    await writeJson(schemaFile(revision), described.schema);
    report(revision, described, adopted);
  }
  await writeJson(sourcesFile, Object.fromEntries(sorted));
  reportUnused(dictionary, used);
}

/** The revision of the command line, or undefined without arguments. */
async function readAdoption(): Promise<Adoption | undefined> {
  const { values, positionals } = parseCommandLine();
  const [revision, file, ...surplus] = positionals;
  const { repository, path, commit, extends: base } = values;
  if (revision === undefined && Object.keys(values).length === 0) return undefined;
  if (!revision || !file || !repository || !path || !commit || surplus.length > 0) {
    return refuse('Either all of these are needed, or nothing.');
  }
  if (!/^[a-z0-9-]+$/.test(revision)) return refuse(`"${revision}" cannot name a folder.`);
  const bytes = await readFile(file);
  const schema: unknown = JSON.parse(bytes.toString('utf8'));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const fingerprint = structuralFingerprint(schema);
  const layer = base === undefined ? {} : { extends: base };
  return { revision, schema, source: { ...layer, repository, path, commit, sha256, fingerprint } };
}

function parseCommandLine() {
  const option = { type: 'string' } as const;
  const options = { repository: option, path: option, commit: option, extends: option };
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(reason: string): never {
  console.error(`${reason}\n\n${usage}`);
  process.exit(2);
}

async function loadDictionary(): Promise<Dictionary> {
  const folder = join(schemaFolder, 'descriptions');
  const files = new Map<string, unknown>();
  for (const file of (await readdir(folder)).sort()) {
    files.set(file, await readJson(join(folder, file)));
  }
  return readDictionary(files, await readJson(join(schemaFolder, 'deprecations.json')));
}

/** Lists properties only on adoption, because a property may have no description when its name is enough. */
function report(revision: string, described: Described, adopted: boolean): void {
  const { wordlessDefinitions: definitions, wordlessProperties: properties } = described;
  console.log(
    `${revision}: no words for ${definitions.length} definitions, ${properties.length} properties`,
  );
  for (const path of adopted ? [...definitions, ...properties] : definitions) {
    console.log(`  ${path}`);
  }
  if (definitions.length > 0) process.exitCode = 1;
}

function reportUnused(dictionary: Dictionary, used: ReadonlySet<EntryId>): void {
  for (const id of unusedEntries(dictionary, used)) {
    console.error(`No revision uses what schema/ says about ${id}.`);
    process.exitCode = 1;
  }
}

function schemaFile(revision: string): string {
  return join(schemaFolder, revision, 'schema.json');
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}

/** Formats with Prettier, so that `npm run format` changes nothing. */
async function writeJson(file: string, value: unknown): Promise<void> {
  const text = JSON.stringify(value, null, 2);
  await writeFile(file, await format(text, { parser: 'json', printWidth: 100 }));
}

await main();
