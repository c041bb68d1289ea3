/**
 * `npm run adopt-schema` adopts an official schema: it writes its structure with our descriptions to `schema/`,
 * registers the revision, writes the code and the pages that follow, and prints what a person has to decide.
 * Without arguments, it applies the descriptions in `schema/` to every bundled revision again.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format } from 'prettier';
import { DiagnosticError, PLAIN, renderDiagnostics } from '../../generator/diagnostics/index.js';
import { structuralFingerprint } from '../../generator/read/load/fingerprint.js';
import {
  DEFAULT_LIMITS,
  draftOf,
  isUrl,
  loadSource,
  parseSource,
  readSource,
} from '../../generator/read/load/index.js';
import type { UpstreamSource } from '../../generator/read/load/index.js';
import { describeSchema } from '../describe-schema.js';
import { DIALECTS, readTable, TABLE_FILE } from '../revisions/table.js';
import type { RevisionTable } from '../revisions/table.js';
import { changedModules } from '../revisions/write.js';
import { readDictionary, unusedEntries } from '../schema-words.js';
import type { Dictionary, EntryId } from '../schema-words.js';
import type { Decision, Previous, SourceText } from './decision.js';
import { decisionsAbout } from './decisions.js';
import type { Tables } from './decisions.js';
import { commandsFor, follow, shown } from './follow.js';
import { readOptions, USAGE, UsageError } from './options.js';
import type { Adoption, Asked } from './options.js';
import { entryOf, previousOf, registered } from './register.js';
import { statementIn } from './statement.js';
import { wordsFor } from './words.js';
import type { WordFiles } from './words.js';

/** Relative to the repository's root, where npm runs scripts. */
const SOURCES = 'schema/SOURCES.json';
const WORDS = 'schema/descriptions';
const DEPRECATIONS = 'schema/deprecations.json';

/** The files to write, by path, and the decisions that a person has to make. */
interface Plan {
  readonly files: ReadonlyMap<string, string>;
  readonly decisions: readonly Decision[];
}

async function main(asked: Asked): Promise<void> {
  const { adoption, dryRun, schemaOnly } = asked;
  if (adoption === undefined) return describeAgain(dryRun);
  const plan = await planOf(adoption, schemaOnly);
  for (const [path, text] of plan.files) {
    console.log(`${dryRun ? 'Would write' : 'Wrote'} ${path}`);
    if (dryRun) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  if (dryRun && !schemaOnly) {
    for (const [name, ...args] of commandsFor(adoption.revision)) console.log(shown(name, args));
  } else if (!schemaOnly) follow('./', adoption.revision, (line) => console.log(line));
  console.log(`\nTo decide (${String(plan.decisions.length)}):`);
  for (const { file, line, what } of plan.decisions) {
    console.log(`${file}:${String(line)}: ${what}`);
  }
}

async function planOf(adoption: Adoption, schemaOnly: boolean): Promise<Plan> {
  const { revision, repository, path, commit } = adoption;
  const { official, sha256 } = await readOfficial(adoption.file);
  const before = readTable('./');
  const former = (await readJson(SOURCES)) as Readonly<Record<string, UpstreamSource>>;
  const draft = draftOf(official);
  const layer = layerOf(adoption, before, former, draft);
  const entry = entryOf(official, layer?.extends, before.revisions[revision]);
  const table = registered(before, revision, entry);
  const isRepeated = former[revision]?.sha256 === sha256;
  const previous = previousOf(before, revision, layer?.extends, draft, isRepeated);
  const { described, files: words } = wordsFor(
    official,
    lineage(table, revision),
    previous === revision || previous === layer?.extends ? undefined : previous,
    await readWords(),
    await readJson(DEPRECATIONS),
  );
  const source: UpstreamSource = {
    ...former[revision],
    ...layer,
    repository,
    path,
    commit,
    sha256,
    fingerprint: structuralFingerprint(official),
  };
  const text = await jsonText(described.schema);
  // As short as the table that people edit.
  const tableText = await jsonText(table, 0);
  const texts = new Map([
    [schemaFile(revision), text],
    [SOURCES, await jsonText(sorted({ ...former, [revision]: source }))],
  ]);
  for (const [name, content] of words) texts.set(`${WORDS}/${name}`, await jsonText(content));
  // Registers the revision, so it comes last: an adoption that is interrupted before has not begun.
  texts.set(TABLE_FILE, tableText);
  const written = await changed(texts);
  const modules = schemaOnly ? [] : await changedModules('./', table);
  const dictionary = readDictionary(words, await readJson(DEPRECATIONS));
  const used = await usedWords(dictionary, before, revision);
  for (const id of described.used) used.add(id);
  const adopted = {
    ...statementIn(revision, text),
    ...{ entry, text, described, unusedWords: unusedEntries(dictionary, used) },
  };
  return {
    files: new Map([...written, ...modules]),
    decisions: decisionsAbout(
      adopted,
      await previousStatement(before, previous, revision, layer?.extends),
      table,
      await tablesIn(tableText, texts),
    ),
  };
}

/** @throws {UsageError} @throws {DiagnosticError} */
async function readOfficial(file: string) {
  if (isUrl(file)) throw new UsageError('Give the official schema as a file: download it first.');
  const source = await readSource(file, DEFAULT_LIMITS);
  const problems = loadSource(source, { strict: true }).diagnostics.filter(
    ({ severity }) => severity === 'error',
  );
  if (problems.length > 0) throw new DiagnosticError(problems);
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  return { official: parseSource(source), sha256 };
}

/**
 * The revision that an extension extends, and its id: as given, else as they were, else those of the extension that
 * it is a draft of.
 *
 * @throws {UsageError}
 */
function layerOf(
  { revision, ...given }: Adoption,
  { revisions }: RevisionTable,
  sources: Readonly<Record<string, UpstreamSource>>,
  draft: string | undefined,
): Required<Pick<UpstreamSource, 'extends' | 'extension'>> | undefined {
  const known = sources[revision] ?? (draft === undefined ? undefined : sources[draft]);
  const base = given.extends ?? known?.extends;
  const extension = given.extension ?? known?.extension;
  if (base === undefined) {
    if (given.extension === undefined) return undefined;
    throw new UsageError('--extension needs --extends: the revision that the extension extends.');
  }
  if (!revisions[base]) {
    const names = Object.keys(revisions).join(', ');
    throw new UsageError(`Unknown revision "${base}" in --extends. Known: ${names}.`);
  }
  if (revisions[base].extends !== undefined) {
    throw new UsageError(`${base} is an extension, which no other one can extend.`);
  }
  if (extension !== undefined) return { extends: base, extension };
  throw new UsageError(
    `Name the id that both sides declare to use ${revision}, such as --extension com.example/gadgets.`,
  );
}

async function changed(files: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  const kept = await Promise.all(
    Array.from(files, async ([path, text]) => {
      const before = await readFile(path, 'utf8').catch(() => undefined);
      return before === text ? [] : [[path, text] as const];
    }),
  );
  return new Map(kept.flat());
}

async function previousStatement(
  { revisions }: RevisionTable,
  name: string | undefined,
  revision: string,
  base: string | undefined,
): Promise<Previous | undefined> {
  if (name === undefined) return undefined;
  const statement = statementIn(name, await readFile(schemaFile(name), 'utf8'));
  const isSameProtocol = name === revision || revisions[name]?.extends === base;
  return { ...statement, isSameProtocol };
}

/** The texts that the other revisions use. */
async function usedWords(
  dictionary: Dictionary,
  table: RevisionTable,
  revision: string,
): Promise<Set<EntryId>> {
  const used = new Set<EntryId>();
  for (const name of Object.keys(table.revisions)) {
    if (name === revision) continue;
    const schema = await readJson(schemaFile(name));
    for (const id of describeSchema(schema, lineage(table, name), dictionary).used) used.add(id);
  }
  return used;
}

/** A revision, and the one that it extends, if any. */
function lineage({ revisions }: RevisionTable, revision: string): string[] {
  const base = revisions[revision]?.extends;
  return base === undefined ? [revision] : [revision, base];
}

/** `planned` are the texts of `schema/` after the adoption. */
async function tablesIn(table: string, planned: ReadonlyMap<string, string>): Promise<Tables> {
  const dialects = DIALECTS.map(
    async (name) => [name, await textIn(`runtime/server/dialects/${name}.ts`)] as const,
  );
  const words = [...planned].filter(([file]) => file.startsWith(WORDS));
  return {
    errata: await textIn('generator/read/errata/errata.ts'),
    facts: await textIn('generator/ir/exceptions.ts'),
    dialects: Object.fromEntries(await Promise.all(dialects)) as Tables['dialects'],
    table: { file: TABLE_FILE, text: table },
    words: [...words.map(([file, text]) => ({ file, text })), await textIn(DEPRECATIONS)],
  };
}

/** A file of this repository. It has no text where `schema/` is tried alone. */
async function textIn(file: string): Promise<SourceText> {
  return { file, text: await readFile(file, 'utf8').catch(() => '') };
}

async function describeAgain(dryRun: boolean): Promise<void> {
  const words = readDictionary(await readWords(), await readJson(DEPRECATIONS));
  const used = new Set<EntryId>();
  const table = readTable('./');
  for (const revision of Object.keys(table.revisions)) {
    const schema = await readJson(schemaFile(revision));
    const described = describeSchema(schema, lineage(table, revision), words);
    for (const id of described.used) used.add(id);
    if (!dryRun) await writeFile(schemaFile(revision), await jsonText(described.schema));
    for (const name of described.wordlessDefinitions) {
      console.log(`${schemaFile(revision)}: ${name} has no description`);
      process.exitCode = 1;
    }
  }
  for (const id of unusedEntries(words, used)) {
    console.error(`No revision uses what schema/ says about ${id}.`);
    process.exitCode = 1;
  }
}

async function readWords(): Promise<WordFiles> {
  const names = (await readdir(WORDS)).sort();
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readJson(join(WORDS, name))] as const),
    ),
  );
}

function sorted(entries: object): object {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function schemaFile(revision: string): string {
  return `schema/${revision}/schema.json`;
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}

/** Formats with Prettier, so that `npm run format` changes nothing. */
function jsonText(value: unknown, indentation = 2): Promise<string> {
  return format(JSON.stringify(value, null, indentation), { parser: 'json', printWidth: 100 });
}

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exitCode = 2;
  } else if (error instanceof DiagnosticError) {
    console.error(renderDiagnostics(error.diagnostics, PLAIN).trimEnd());
    process.exitCode = 3;
  } else throw error;
}
