import type { Described } from '../describe-schema.js';
import { describeSchema } from '../describe-schema.js';
import { readDictionary } from '../schema-words.js';
import type { EntryId } from '../schema-words.js';
import { isObject } from './read-schema.js';

/** The files of `schema/descriptions/`, parsed, by their names. */
export type WordFiles = ReadonlyMap<string, unknown>;

/** A schema with our descriptions, and the files with the texts that it needs. */
export interface Worded {
  readonly described: Described;
  readonly files: WordFiles;
}

/**
 * Describes a new revision. Where the previous one has a text of its own, the new one gets the same text: the text
 * for all other revisions is about those before it.
 */
export function wordsFor(
  schema: unknown,
  lineage: readonly string[],
  previous: string | undefined,
  files: WordFiles,
  deprecations: unknown,
): Worded {
  const [revision = ''] = lineage;
  const all = previous === undefined ? files : copied(files, revision, previous, () => true);
  const { used } = describeSchema(schema, lineage, readDictionary(all, deprecations));
  const needed =
    previous === undefined ? files : copied(files, revision, previous, (id) => used.has(id));
  const described = describeSchema(schema, lineage, readDictionary(needed, deprecations));
  return { described, files: needed };
}

function copied(
  files: WordFiles,
  revision: string,
  previous: string,
  isNeeded: (id: EntryId) => boolean,
): WordFiles {
  const copy = (path: string, words: unknown): unknown => {
    if (!isObject(words) || typeof words[previous] !== 'string') return words;
    if (words[revision] !== undefined || !isNeeded(`${path}@${revision}`)) return words;
    return { ...words, [revision]: words[previous] };
  };
  return new Map(
    Array.from(files, ([file, content]) => {
      if (!isObject(content)) return [file, content];
      const entries = Object.entries(content).map(([path, words]) => [path, copy(path, words)]);
      return [file, Object.fromEntries(entries) as unknown];
    }),
  );
}
