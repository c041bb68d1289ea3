/**
 * `npm run adopt-schema` adopts an official schema: it writes its structure with our descriptions to `schema/`,
 * registers the revision, writes the code and the pages that follow, and prints what a person has to decide.
 * Without arguments, it applies the descriptions in `schema/` to every bundled revision again.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format } from 'prettier';
import { structuralFingerprint } from '../../generator/load/fingerprint.js';
import { loadSource } from '../../generator/load/index.js';
import type { UpstreamSource } from '../../generator/load/index.js';
import { describeSchema } from '../describe-schema.js';
import { readTable, TABLE_FILE } from '../revisions/table.js';
import type { RevisionTable } from '../revisions/table.js';
import { readDictionary, unusedEntries } from '../schema-words.js';
import type { EntryId } from '../schema-words.js';
import { decisionsAbout } from './decisions.js';
import type { Decision, Statement } from './decisions.js';
import { commandsFor, follow, shown } from './follow.js';
import { readOptions, USAGE, UsageError } from './options.js';
import type { Adoption, Asked } from './options.js';
import { entryOf, previousOf, registered } from './register.js';
import { wordsFor } from './words.js';
import type { WordFiles } from './words.js';

/** Relative to the repository's root, where npm runs scripts. */
const SOURCES = 'schema/SOURCES.json';
const WORDS = 'schema/descriptions';

/** The files to write, by path, and the decisions that a person has to make. */
interface Plan {
  readonly files: ReadonlyMap<string, string>;
  readonly decisions: readonly Decision[];
  readonly table: RevisionTable;
}

async function main(asked: Asked): Promise<void> {
  const { adoption, dryRun, schemaOnly } = asked;
  if (adoption === undefined) return describeAgain(dryRun);
  const plan = await planOf(adoption);
  for (const [path, text] of plan.files) {
    console.log(`${dryRun ? 'Would write' : 'Wrote'} ${path}`);
    if (dryRun) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  if (!dryRun && !schemaOnly) await follow('./', adoption.revision, (line) => console.log(line));
  if (dryRun && !schemaOnly) {
    console.log('Would write the code and the pages that follow:');
    console.log(shown('revisions', []));
    for (const [name, ...args] of commandsFor(adoption.revision)) console.log(shown(name, args));
  }
  console.log(`\nTo decide (${String(plan.decisions.length)}):`);
  for (const { file, line, what } of plan.decisions) {
    console.log(`${file}:${String(line)}: ${what}`);
  }
}

async function planOf(adoption: Adoption): Promise<Plan> {
  const { revision, file, repository, path, commit } = adoption;
  const before = readTable('./');
  const base = adoption.extends ?? before.revisions[revision]?.extends;
  if (base !== undefined && before.revisions[base]?.extends !== undefined) {
    throw new UsageError(`${base} is an extension, which no other one can extend.`);
  }
  if (base !== undefined && !before.revisions[base]) {
    const known = Object.keys(before.revisions).join(', ');
    throw new UsageError(`Unknown revision "${base}" in --extends. Known: ${known}.`);
  }
  const bytes = await readFile(file);
  const official: unknown = JSON.parse(bytes.toString('utf8'));
  const entry = entryOf(official, base);
  const table = registered(before, revision, entry);
  const previous = previousOf(before, revision);
  const { described, files: words } = wordsFor(
    official,
    base === undefined ? [revision] : [revision, base],
    previous === revision ? undefined : previous,
    await readWords(),
    await readJson('schema/deprecations.json'),
  );
  const former = (await readJson(SOURCES)) as Readonly<Record<string, UpstreamSource>>;
  const source: UpstreamSource = {
    ...former[revision],
    ...(base !== undefined && { extends: base }),
    repository,
    path,
    commit,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    fingerprint: structuralFingerprint(official),
  };
  const sources = { ...former, [revision]: source };
  const text = await jsonText(described.schema);
  const tableText = await jsonText(table);
  const statement = await statementOf(previous);
  const adopted = { ...statementIn(revision, text), entry, text, described };
  const files = new Map([
    [schemaFile(revision), text],
    [SOURCES, await jsonText(sorted(sources))],
    [TABLE_FILE, tableText],
  ]);
  for (const [name, content] of words) files.set(`${WORDS}/${name}`, await jsonText(content));
  return {
    files: await changed(files),
    table,
    decisions: decisionsAbout(adopted, statement, table, {
      errata: await textIn('generator/errata/errata.ts'),
      dialect: await textIn(`runtime/server/dialects/${entry.dialect ?? 'ext'}.ts`),
      table: { file: TABLE_FILE, text: tableText },
    }),
  };
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

async function statementOf(name: string | undefined): Promise<Statement | undefined> {
  return name === undefined
    ? undefined
    : statementIn(name, await readFile(schemaFile(name), 'utf8'));
}

function statementIn(name: string, text: string): Statement {
  const { document } = loadSource({ label: name, text });
  const corrections = document.errata?.map(({ id }) => id) ?? [];
  return { name, schema: JSON.parse(text) as unknown, corrections };
}

/** A file of this repository. It has no text where `schema/` is tried alone. */
async function textIn(file: string): Promise<{ file: string; text: string }> {
  return { file, text: await readFile(file, 'utf8').catch(() => '') };
}

async function describeAgain(dryRun: boolean): Promise<void> {
  const words = readDictionary(await readWords(), await readJson('schema/deprecations.json'));
  const used = new Set<EntryId>();
  for (const [revision, { extends: base }] of Object.entries(readTable('./').revisions)) {
    const schema = await readJson(schemaFile(revision));
    const lineage = base === undefined ? [revision] : [revision, base];
    const described = describeSchema(schema, lineage, words);
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
function jsonText(value: unknown): Promise<string> {
  return format(JSON.stringify(value, null, 2), { parser: 'json', printWidth: 100 });
}

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
